import type { Authorization } from '../../src/chain/eip3009.js';
import type { Evidence } from '../../src/payments/resolve-open-payment.js';
import type { SettleOutcome, Settler } from '../../src/payments/settler.js';
import { lowerHex } from '../../src/chain/eip3009.js';
import type { ChainHistory } from '../../src/payments/chain-history.js';
import { finalityMs, type Passage, type Submission } from './model-chain.js';
import { terms } from './purchase.js';
import { nodeLine, type Wire } from './wire.js';
import type { World } from './world.js';

/** How long an attempt may take before its outcome is unknown: as the service's own settler has it. */
const timeoutMs = 30_000;
const pausesMs = [150, 500, 2_000, 6_000, 20_000];

/**
 * Stands in for the service's own settler: it keeps the promises of the port (settled only with proof, failed only when
 * its own attempt is over, unexpected_settle_error only when nothing was sent) at the mercy of a model chain.
 */
export function createModelSettler(world: World, wire: Wire, evidence: Evidence): Settler {
  const { chain, faults, scheduler } = world;
  const inFlight = new Map<string, Promise<SettleOutcome>>();

  const verify: Settler['verify'] = (authorization) =>
    wire.call('verify', nodeLine, () => chain.simulate(authorization, viewOf(world)), authorization);

  async function settle(authorization: Authorization): Promise<SettleOutcome> {
    if (faults.happens('nothing could be sent'))
      return { outcome: 'failed', reason: 'unexpected_settle_error', detail: 'nothing was sent to the chain' };
    const send = () => chain.submit(authorization, 'us', passageOf(world));
    const submission = await wire.call('send', nodeLine, send, authorization);
    if (faults.happens('settlement answer lost')) throw new Error('the connection was reset');
    const endMs = scheduler.now() + timeoutMs;
    for (const pauseMs of pausesMs) {
      await wire.sleep(pauseMs);
      const outcome = await readReceipt(submission);
      if (outcome !== undefined) return outcome;
      if (scheduler.now() >= endMs) break;
    }
    return { outcome: 'unknown', detail: 'there is no receipt yet' };
  }

  async function readReceipt({ authorization, transaction, state }: Submission): Promise<SettleOutcome | undefined> {
    const spending = chain.spendingOf({ payer: authorization.from, nonce: authorization.nonce });
    if (spending?.transaction === transaction)
      return { outcome: 'settled', transaction, blockNumber: chain.blockAt(spending.atMs) };
    return state === 'reverted' ? explain(authorization) : undefined;
  }

  /** Our transaction moved no money. Perhaps somebody else's did. */
  async function explain(authorization: Authorization): Promise<SettleOutcome> {
    const { from: payer, to: payTo, value: amount, ...rest } = authorization;
    const { id, asset } = { id: 'simulated', asset: payer };
    try {
      const found = await evidence.find({ ...rest, network: id, asset, payer, payTo, amount, fromBlock: undefined });
      if (found.verdict === 'settled') return { outcome: 'settled', ...found };
      if (found.verdict === 'unknown') return { outcome: 'unknown', detail: 'the nonce is used, but where?' };
      const isSpent = found.verdict === 'diverted' || found.verdict === 'cancelled';
      if (isSpent) return { outcome: 'failed', reason: 'invalid_transaction_state', detail: found.verdict };
      const verdict = await verify(authorization);
      if (verdict.verdict !== 'refused')
        return { outcome: 'failed', reason: 'invalid_transaction_state', detail: 'the transfer failed' };
      if (verdict.reason === 'nonce_used') return { outcome: 'unknown', detail: 'the nonce has just been used' };
      return { outcome: 'failed', reason: verdict.reason, detail: verdict.detail };
    } catch {
      return { outcome: 'unknown', detail: 'the node could not be asked' };
    }
  }

  return {
    verify,
    settle(authorization) {
      const key = `${authorization.from}/${authorization.nonce}/${authorization.value}`;
      const settling = inFlight.get(key) ?? settle(authorization).finally(() => inFlight.delete(key));
      inFlight.set(key, settling);
      return settling;
    },
    close: async () => undefined,
  };
}

/** Evidence as a node of the model chain gives it. */
export function createModelEvidence(world: World, wire: Wire): Evidence {
  return {
    find: (question) => wire.call('evidence', nodeLine, () => world.chain.evidence(question, viewOf(world)), question),
    findMany: (questions) =>
      wire.call('evidence of many', nodeLine, () => {
        const viewMs = viewOf(world);
        return questions.map((question) => world.chain.evidence(question, viewMs));
      }),
  };
}

/** The chain's history as a node of the model chain gives it. */
export function createModelHistory({ chain, scheduler }: World, wire: Wire): ChainHistory {
  const ask = <T>(answer: () => T) => wire.call('history', nodeLine, answer);
  return {
    scope: { network: terms.network.id, asset: lowerHex(terms.network.asset), instance: '' },
    payTo: terms.payTo,
    finalizedBlock: () => ask(() => chain.blockAt(scheduler.now() - finalityMs)),
    latestBlock: () => ask(() => chain.blockAt(scheduler.now())),
    timeOf: () => Promise.reject(new Error('Nobody asks in a simulation')),
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

/** Up to when the node that is asked has seen the chain. */
export function viewOf({ scheduler, faults, random }: World): number {
  const staleMs = faults.happens('stale node') ? random('node').between(0, maxStaleMs) : 0;
  return scheduler.now() - staleMs;
}

/** How far a node may be behind. */
export const maxStaleMs = 10_000;

/** What becomes of a transaction that is sent now. */
export function passageOf({ faults, random }: World): Passage {
  const dropped = faults.happens('transaction dropped');
  const stuck = !dropped && faults.happens('transaction stuck');
  return { dropped, afterMs: stuck ? random('pool').between(20_000, 250_000) : random('pool').between(50, 4_000) };
}
