import { randomBytes } from 'node:crypto';
import type { Authorization } from '../../src/payments/chain/eip3009.js';
import type { SettleOutcome, Settler } from '../../src/payments/settlement/settler.js';

/** A mock settler: it accepts every authentic payment and settles it at once, without a chain. */
export interface InstantSettler extends Settler {
  /** The settled payments, in order. */
  readonly settled: readonly Authorization[];
}

/** `settle` replaces the outcome of a payment, which counts as settled if it says so. */
export function createInstantSettler(
  settle: (authorization: Authorization) => Promise<SettleOutcome> = settleAtOnce,
): InstantSettler {
  const settled: Authorization[] = [];
  return {
    settled,
    by: 'chain',
    verify: async () => ({ verdict: 'good', chainTime: new Date(0) }),
    async settle(authorization) {
      const outcome = await settle(authorization);
      if (outcome.outcome === 'settled') settled.push(authorization);
      return outcome;
    },
    close: async () => undefined,
  };
}

/** An instant settler whose settlements wait for `release`; `begun` resolves when the first has begun. */
export function createHeldSettler() {
  let [begin, end] = [() => {}, (_outcome: SettleOutcome) => {}];
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const settlement = new Promise<SettleOutcome>((resolve) => (end = resolve));
  const settler = createInstantSettler(() => {
    begin();
    return settlement;
  });
  return { settler, begun, release: async () => end(await settleAtOnce()) };
}

/** A settlement in a transaction that no chain has. */
export async function settleAtOnce(): Promise<SettleOutcome> {
  return { outcome: 'settled', transaction: `0x${randomBytes(32).toString('hex')}`, blockNumber: 1n };
}
