import { lowerHex } from '../../src/payments/chain/eip3009.js';
import { indexTransferProofs } from '../../src/payments/chain/transfer-proof.js';
import type { ChainHistory } from '../../src/payments/settlement/chain-history.js';
import type { Evidence } from '../../src/payments/settlement/resolve-open-payment.js';
import { receiptOf } from './chain-logs.js';
import { finalityMs } from './model-chain.js';
import { terms } from './purchase.js';
import { nodeLine, type Wire } from './wire.js';
import type { World } from './world.js';

/** Evidence from a node of the model chain. */
export function createModelEvidence(world: World, wire: Wire): Evidence {
  return {
    isUsed: (question) =>
      wire.call(
        'authorization state',
        nodeLine,
        () => (world.chain.spendingOf(question)?.atMs ?? Infinity) <= viewOf(world),
        { nonce: question.nonce },
      ),
    find: (question) => wire.call('evidence', nodeLine, () => world.chain.evidence(question, viewOf(world)), question),
    findMany: (questions) =>
      wire.call('evidence of many', nodeLine, () => {
        const viewMs = viewOf(world);
        return questions.map((question) => world.chain.evidence(question, viewMs));
      }),
  };
}

/** The chain's history from a node of the model chain. */
export function createModelHistory({ chain, scheduler }: World, wire: Wire): ChainHistory {
  const ask = <T>(answer: () => T) => wire.call('history', nodeLine, answer);
  return {
    scope: { network: terms.network.id, asset: lowerHex(terms.network.asset), instance: '' },
    payTo: terms.payTo,
    finalizedBlock: () =>
      ask(() => {
        const number = chain.blockAt(scheduler.now() - finalityMs);
        return { number, time: new Date(chain.timeOf(number)) };
      }),
    latestBlock: () => ask(() => chain.blockAt(scheduler.now())),
    readBlock: () => Promise.reject(new Error('Nobody asks in a simulation')),
    timeOf: () => Promise.reject(new Error('Nobody asks in a simulation')),
    blockAt: () => Promise.reject(new Error('Nobody asks in a simulation')),
    readProofs: (transaction) =>
      ask(() => {
        const receipt = receiptOf(chain, transaction);
        return receipt && indexTransferProofs(receipt.logs, terms.network.asset);
      }),
    listTransfers: ({ fromBlock, toBlock }) =>
      ask(() =>
        chain
          .payments()
          .map(({ atMs, to: payTo, value: amount, ...each }, logIndex) => {
            return { ...each, payTo, amount, logIndex, blockNumber: chain.blockAt(atMs) };
          })
          .filter(({ blockNumber }) => blockNumber >= fromBlock && blockNumber <= toBlock),
      ),
    listPayouts: () => Promise.reject(new Error('Nobody asks in a simulation')),
  };
}

/** The end of the node's view of the chain. */
export function viewOf({ scheduler, faults, random }: World): number {
  const staleMs = faults.happens('stale node') ? random('node').between(0, maxStaleMs) : 0;
  return scheduler.now() - staleMs;
}

/** The maximum lag of a node. */
export const maxStaleMs = 10_000;
