import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findProjectFile } from '../../../src/project-file.js';
import { compileContract, type ContractArtifact } from './compile-contract.js';

/**
 * Compiles test-token.sol. `npx tsx test/support/contracts/compile-token.ts` writes the artifact; a test compares it
 * with the committed one.
 */
export function compileToken(): ContractArtifact {
  return compileContract(pathToFileURL(findProjectFile('test/support/contracts/test-token.sol')), 'TestToken');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('./test-token.json', import.meta.url), `${JSON.stringify(compileToken(), undefined, 2)}\n`);
}
