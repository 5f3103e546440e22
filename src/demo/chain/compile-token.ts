import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import solc from 'solc';

/** What is committed as test-token.json: enough to place the token, to call it, and to compile it again. */
export interface TokenArtifact {
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
 * Compiles test-token.sol with the pinned compiler (npm solc, a development dependency). Throws with the compiler's own
 * messages. `npx tsx src/demo/chain/compile-token.ts` writes the artifact; a test compares it with what is committed.
 */
export function compileToken(): TokenArtifact {
  const input = {
    language: 'Solidity',
    sources: { 'test-token.sol': { content: readFileSync(new URL('./test-token.sol', import.meta.url), 'utf8') } },
    settings: {
      ...settings,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  };
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(input)));
  const token = output.contracts?.['test-token.sol']?.['TestToken'];
  if (!token || output.errors?.length) {
    throw new Error(`The token does not compile:\n${output.errors?.map((error) => error.formattedMessage).join('\n')}`);
  }
  return {
    compiler: solc.version(),
    settings,
    abi: token.abi,
    creationCode: `0x${token.evm.bytecode.object}`,
    runtimeCode: `0x${token.evm.deployedBytecode.object}`,
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('./test-token.json', import.meta.url), `${JSON.stringify(compileToken(), undefined, 2)}\n`);
}
