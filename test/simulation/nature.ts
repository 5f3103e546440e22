import type { Hex } from '../../src/payments/chain/eip3009.js';
import type { FaultKind } from './faults.js';
import type { Fate } from './model-chain.js';
import { stranger } from './purchase.js';
import type { World } from './world.js';

const fates: readonly (readonly [Fate, FaultKind])[] = [
  ['another block', 'reorg, transfer in another block'],
  ['back in the pool', 'reorg, transfer back in the pool'],
  ['gone', 'reorg, transfer gone'],
];

/** Less than the margin of the offer at both ends of a window. */
const tolerableSkewMs = 5_000;

/**
 * Actions of third parties, the payer, the chain and the clocks at the moment of a port call for a payment. They occur
 * between any two steps of the payment code.
 */
export function meddle(world: World, nonce: Hex | undefined): void {
  const { faults, chain, trace } = world;
  const random = world.random('nature');
  if (faults.stopped) return;
  const purchase = nonce === undefined ? undefined : world.purchases.get(nonce);
  const tempted = (kind: FaultKind, act: () => boolean) => {
    if (!faults.tempts(kind) || !act()) return;
    faults.note(kind);
    trace(() => `outside: ${kind} (${purchase?.name ?? 'nobody'})`);
  };
  for (const [fate, kind] of fates) {
    // One block that is undone, or one ledger that is lost: see test/model/Claim.tla.
    if (world.restores !== undefined || !faults.tempts(kind)) continue;
    const undone = chain.reorganize(random.between(1_000, 50_000), fate);
    for (let count = 0; count < undone; count++) faults.note(kind);
    trace(() => `outside: ${kind}, ${undone} payments`);
  }
  tempted('clock jump', () => {
    const farthestMs = random.pick([5_000, 90_000, 600_000]);
    for (const each of world.instances) {
      each.skewMs = random.chance(0.5) ? 0 : random.between(-farthestMs, farthestMs);
      each.clockSetAtMs = world.scheduler.now();
      each.hadWrongClock ||= Math.abs(each.skewMs) > tolerableSkewMs;
    }
    return true;
  });
  tempted('takedown of what is sold', () => {
    const { feeds, takedowns } = world.tables;
    const lastVersion = feeds.get('deals') ?? 0;
    if (takedowns.length > 1) return false;
    // A day, in the time of a history.
    const sentUntil = new Date(world.databaseNow().getTime() + random.between(5_000, 300_000));
    takedowns.push({ lastVersion, sentUntil });
    feeds.set('deals', lastVersion + 1);
    return true;
  });
  if (purchase === undefined) return;
  const { authorization } = purchase;
  const { from: payer } = authorization;
  tempted('front-run by a third party', () => chain.transfer(authorization, 'others'));
  tempted('authorization cancelled', () => chain.cancel(payer, authorization.nonce));
  tempted('nonce spent on somebody else', () => chain.transfer({ ...authorization, to: stranger }, 'others'));
  tempted('funds moved away', () => {
    const balance = chain.balances.get(payer) ?? 0n;
    chain.addBalance(payer, -balance);
    chain.drained.add(payer);
    world.scheduler.after(random.between(500, 90_000), () => {
      chain.addBalance(payer, balance);
      if (balance > 0n) faults.note('funds came back');
    });
    return balance > 0n;
  });
}
