import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileContract, type ContractArtifact } from '../../src/demo/chain/compile-contract.js';

/** Compiles wallet.sol. `npx tsx test/support/compile-wallet.ts` writes the artifact; a test compares it. */
export function compileWallet(): ContractArtifact {
  return compileContract(new URL('./wallet.sol', import.meta.url), 'Wallet');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('./wallet.json', import.meta.url), `${JSON.stringify(compileWallet(), undefined, 2)}\n`);
}
