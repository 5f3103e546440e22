import { faultKinds, type FaultKind } from './faults.js';
import { runHistory } from './history.js';
import { fieldIn } from './read-reply.js';
import { rowOf } from './row-checks.js';
import type { World } from './world.js';

/** What buyers do. */
const deeds: ReadonlySet<FaultKind> = new Set([
  'payer with code',
  'payer with too little',
  'known payer',
  'known payers at once',
  'two payments with the money of one',
  'price asked for',
  'another copy',
  'another request with the same payment',
  'forged payment',
  'identifier shown with another payment',
  'reply asked for by its payer',
  'reply asked for without a proof',
  "reply asked for with a stranger's proof",
  'payment on a HEAD request',
  'nothing matches',
  'exclusive lead wanted',
]);
const without = new Set(faultKinds.filter((kind) => !deeds.has(kind)));

/** What a buyer is told whose payment is not made: which of these follows from the moment when its money is gone. */
const unpaidReasons: ReadonlySet<string> = new Set(['payment_invalid', 'payment_in_progress', 'settlement_unknown']);

/**
 * The results of a seeded history with a block each `blockMs`: per payer, which of its payments are sold, unpaid, or
 * refused for which reason. Two cadences are equal where these lists are.
 *
 * More would not be true. The number of calls follows from the cadence, so a fault that strikes at a call strikes
 * elsewhere at another cadence: only what buyers do is drawn here, not what happens to them. Who wins a race may differ
 * too: neither which of two requests a payment buys is compared, nor which of two payments gets the money for one.
 */
export async function resultsAt(seed: number, blockMs: number): Promise<readonly string[]> {
  const results: string[] = [];
  const violation = await runHistory({ seed, blockMs, without, onEnd: (world) => results.push(...resultsOf(world)) });
  if (violation !== undefined) throw violation;
  return results.sort();
}

function resultsOf(world: World): readonly string[] {
  return [...world.purchases.values()].map(({ authorization: { from, nonce }, header }) => {
    if (rowOf(world, nonce)?.state === 'settled') return `${from} sold`;
    const answer = world.checker.exchanges.findLast((each) => each.header === header && each.seen !== undefined)?.seen;
    const reason = answer && fieldIn(answer, 'reason');
    return `${from} ${reason === undefined || unpaidReasons.has(reason) ? 'unpaid' : reason}`;
  });
}
