import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileContract, type ContractArtifact } from './compile-contract.js';

/**
 * Compiles test-token.sol. `npx tsx src/demo/chain/compile-token.ts` writes the artifact; a test compares it with what is
 * committed.
 */
export function compileToken(): ContractArtifact {
  return compileContract(new URL('./test-token.sol', import.meta.url), 'TestToken');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('./test-token.json', import.meta.url), `${JSON.stringify(compileToken(), undefined, 2)}\n`);
}
