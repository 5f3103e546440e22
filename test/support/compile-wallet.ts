import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileContract, type ContractArtifact } from './contracts/compile-contract.js';
import { findProjectFile } from '../../src/project-file.js';

/** Compiles wallet.sol. `npx tsx test/support/compile-wallet.ts` writes the artifact, which a test compares. */
export function compileWallet(): ContractArtifact {
  return compileContract(pathToFileURL(findProjectFile('test/support/wallet.sol')), 'Wallet');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(findProjectFile('test/support/wallet.json'), `${JSON.stringify(compileWallet(), undefined, 2)}\n`);
}
