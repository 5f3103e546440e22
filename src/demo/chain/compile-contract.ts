import { readFileSync } from 'node:fs';
import solc from 'solc';

/** What is committed of a compiled contract: enough to place it, to call it, and to compile it again. */
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
 * Compiles one contract of a source file with the pinned compiler (npm solc). Throws with the compiler's own messages.
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
