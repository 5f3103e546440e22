import type { Exchange } from './exchange.js';
import { isEntitled } from './invariant-checker.js';
import { rowOf, soldBy } from './row-checks.js';
import { isSuppressed } from './takedowns.js';
import type { World } from './world.js';

/** What was taken down is sent as it was sold for a day, and never to a request that comes later. */
export function judgeShown({ tables, databaseNow, scheduler, checker }: World, exchange: Exchange, text: string): void {
  const agoMs = scheduler.now() - exchange.arrivedAtMs;
  if (isSuppressed(tables, text, new Date(databaseNow().getTime() - agoMs)))
    checker.accuse('a suppressed reply is not sent after its day', `${text} to request ${exchange.id}`);
}

/** Only who would have had the reply hears that it is gone. */
export function judgeGone(world: World, exchange: Exchange): void {
  const { purchase } = exchange;
  const row = purchase && rowOf(world, purchase.authorization.nonce);
  // Also where the chain shows it paid, and the ledger was away when that was to be noted.
  const isGone =
    row !== undefined &&
    row.state !== 'released' &&
    isSuppressed(world.tables, soldBy(world, row), world.databaseNow());
  if (!isGone || !isEntitled(exchange))
    world.checker.accuse('only its buyer hears that a reply is suppressed', `request ${exchange.id}`);
}
