import { readFileSync } from 'node:fs';
import solc from 'solc';

/** The committed form of a compiled contract: enough to deploy, call and recompile it. */
export interface ContractArtifact {
  readonly compiler: string;
  readonly settings: object;
  readonly abi: readonly object[];
  readonly creationCode: `0x${string}`;
  readonly runtimeCode: `0x${string}`;
}

const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  // No hash of the sources in the code: the same source gives the same bytes on every machine.
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
};

/**
 * Compiles one contract of a source file with the pinned compiler (npm solc).
 *
 * @throws Error with the compiler's messages
 */
export function compileContract(source: URL, name: string): ContractArtifact {
  const input = {
    language: 'Solidity',
    sources: { source: { content: readFileSync(source, 'utf8') } },
    settings: {
      ...settings,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  };
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(input)));
  const contract = output.contracts?.['source']?.[name];
  if (!contract || output.errors?.length) {
    throw new Error(`${name} does not compile:\n${output.errors?.map((error) => error.formattedMessage).join('\n')}`);
  }
  return {
    compiler: solc.version(),
    settings,
    abi: contract.abi,
    creationCode: `0x${contract.evm.bytecode.object}`,
    runtimeCode: `0x${contract.evm.deployedBytecode.object}`,
  };
}

interface CompilerOutput {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts?: Record<
    string,
    Record<
      string,
      {
        readonly abi: readonly object[];
        readonly evm: {
          readonly bytecode: { readonly object: string };
          readonly deployedBytecode: { readonly object: string };
        };
      }
    >
  >;
}
