import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNetwork, multicall3Address } from '../../../src/wire/networks.js';
import { buyer } from '../../../src/demo/chain/accounts.js';
import { launchNode, statePath, stopNode, askNode, findAnvil } from '../../../src/demo/chain/anvil-node.js';
import { findProjectFile } from '../../../src/project-file.js';
import { placeToken } from './place-token.js';

/** A million dollars: enough for a hundred million of the cheapest calls. */
const buyerBalance = 1_000_000_000_000n;

/**
 * Creates the initial state of a local chain and writes it to `target`: Multicall3 and the test token at their
 * addresses, the buyer's balance, and anvil's ten accounts with gas money. Needs anvil. `npx tsx
 * test/support/contracts/make-chain-state.ts` writes the committed one.
 */
export async function makeChainState(target: string): Promise<void> {
  const network = findNetwork('eip155:31337');
  if (!network) throw new Error('The local demonstration chain is missing in networks.ts');
  const { chainId, domain, asset } = network;
  const directory = mkdtempSync(join(tmpdir(), 'chain-state-'));
  const node = await launchNode({ binary: await findAnvil(), directory, chainId, port: 0, onExit: () => undefined });
  try {
    const multicall3 = await askNode(node.port, 'eth_call', [{ data: await loadMulticall3() }]);
    await askNode(node.port, 'anvil_setCode', [multicall3Address, multicall3]);
    await placeToken(node.port, { ...domain, chainId, verifyingContract: asset }, buyer.address, buyerBalance);
  } finally {
    await stopNode(directory, node);
  }
  copyFileSync(statePath(directory), target);
  rmSync(directory, { recursive: true });
}

/** viem has Multicall3's creation code but does not export it, hence the import by file. */
async function loadMulticall3(): Promise<string> {
  const file = new URL('./constants/contracts.js', import.meta.resolve('viem'));
  const contracts: { readonly multicall3Bytecode: string } = await import(file.href);
  return contracts.multicall3Bytecode;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await makeChainState(findProjectFile('src/demo/chain/chain-state.json'));
}
