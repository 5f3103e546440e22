import type { ChainClient } from '../chain/clients.js';
import { lowerHex } from '../chain/eip3009.js';
import { findTransfer } from '../chain/find-transfer.js';
import type { Network } from '../chain/networks.js';
import type { ChainEvidence, Evidence, EvidenceQuestion } from './resolve-open-payment.js';

/** The recent past: more than an hour on Base, where an authorization may live six minutes. */
const recentBlocks = 2_000n;

/** Reads evidence of payments on one network from the chain's own logs. What was paid elsewhere is `unknown` to it. */
export function createChainEvidence(client: ChainClient, network: Network): Evidence {
  async function firstOfRecent(): Promise<bigint> {
    const newest = await client.getBlockNumber();
    return newest > recentBlocks ? newest - recentBlocks : 0n;
  }

  return {
    async find({ payer, nonce, amount, validBefore, payTo, ...question }: EvidenceQuestion): Promise<ChainEvidence> {
      if (question.network !== network.id || lowerHex(question.asset) !== lowerHex(network.asset))
        return { verdict: 'unknown' };
      const fromBlock = question.fromBlock ?? (await firstOfRecent());
      const found = await findTransfer(
        { client, asset: network.asset, payTo, fromBlock },
        { authorization: { from: payer, nonce, value: amount, validBefore } },
      );
      switch (found.verdict) {
        case 'settled':
          return { verdict: 'settled', transaction: found.transaction, blockNumber: found.blockNumber };
        case 'reorged':
          return { verdict: 'open' };
        // Used, but not in the blocks that were searched: nothing is proven either way.
        case 'unproven':
          return { verdict: 'unknown' };
        default:
          return { verdict: found.verdict };
      }
    },
  };
}
