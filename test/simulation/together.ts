import { insist, sign } from './buyer.js';
import type { World } from './world.js';

const wanted = { operationId: 'listDeals', query: 'state=OH' };
const tries = 6;

/**
 * In some histories, in place of other buyers: known payers at the same moment, who may share a transaction; two
 * payments of a payer whose money is for one. Returns false in all others.
 */
export function comeTogether(world: World): boolean {
  const isCrowd = world.faults.happens('known payers at once');
  const isTwice = world.faults.happens('two payments with the money of one');
  const random = world.random('together');
  const atMs = random.between(0, 15_000);
  const withinMs = random.pick([50, 3_000]);
  let nonce = 0;

  function come(payer: number, hasMoney: boolean, delayMs: number, isKnown: boolean): void {
    const number = ++nonce;
    world.scheduler.after(atMs + delayMs, () => {
      const purchase = sign(world, number, wanted, payer);
      const { from, value } = purchase.authorization;
      if (hasMoney) world.chain.addBalance(from, value);
      if (isKnown) world.knownPayers.add(from);
      insist(world, { purchase, header: purchase.header, wanted }, tries);
    });
  }

  for (const payer of isCrowd ? [1, 2, 3, 4] : []) come(payer, true, 0, true);
  for (const isFirst of isTwice ? [true, false] : [])
    come(0, isFirst, isFirst ? 0 : random.between(0, withinMs), false);
  return isCrowd || isTwice;
}
