import type { ChainClient } from './clients.js';

/** The number of the newest block. Rejects when the node does not answer with one, as with a hash in its place. */
export async function readHead(client: Pick<ChainClient, 'getBlockNumber'>): Promise<bigint> {
  const head = await client.getBlockNumber();
  if (head > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error('The answer is no block number');
  return head;
}
