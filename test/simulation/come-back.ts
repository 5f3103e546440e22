import type { Hex } from '../../src/payments/chain/eip3009.js';
import { isRebuiltUnsold } from '../../src/payments/ledger/payment-row.js';
import type { StoredRow } from './model-ledger.js';
import { isSuppressed } from './takedowns.js';
import { signFor } from './buyer.js';
import { send, type Seen, type Sent } from './exchange.js';
import { endOf, isUnsellable, throwIfBroken } from './final-checks.js';
import { identify, type Purchase, type Wanted } from './purchase.js';
import { askStatus } from './visitor.js';
import { readWanted } from './invariant-checker.js';
import { rowOf, soldBy } from './row-checks.js';
import type { World } from './world.js';

/** Longer than a lease, after which an unconfirmed reply can be requested again. */
const pauseMs = 65_000;
const tries = 4;

/**
 * Once its window is surely over, every buyer whose money has moved returns with the same payment: it gets its reply
 * unless it already has it.
 */
export async function comeBack(world: World): Promise<void> {
  const { checker, chain } = world;
  for (const { exchange, nonce, payer } of checker.suspicions) {
    const paid = chain.spendingOf({ payer, nonce });
    const by = rowOf(world, nonce)?.state === 'settled' || paid?.by === 'us';
    if (paid && chain.isPayment(paid) && by)
      checker.accuse('nobody is asked to pay again for what was paid', `request ${exchange.id}`);
  }
  const byEnd = [...world.purchases.values()].sort(
    (a, b) => endOf(world, a.authorization) - endOf(world, b.authorization),
  );
  for (const signed of byEnd) {
    await world.scheduler.runUntil(Math.max(world.scheduler.now(), endOf(world, signed.authorization)));
    const { from: payer, nonce } = signed.authorization;
    const row = rowOf(world, nonce);
    const spending = chain.spendingOf({ payer, nonce });
    const isPaid = spending !== undefined && chain.isPayment(spending);
    if (!isPaid && row?.state !== 'settled') continue;
    const purchase = isAlive(row) ? signed : rename(world, signed);
    const had = checker.served.get(nonce)?.filter(({ delivery }) => delivery === 'completed') ?? [];
    const isSold = row?.state === 'settled' && !isRebuiltUnsold(row);
    const wanted = isSold ? readWanted(soldBy(world, row)) : purchase.wanted;
    const status = await ask(world, purchase, wanted);
    const isKnown = had.some(({ exchange }) => exchange.instance.alive) && !world.losses.payments.has(nonce);
    const isIdentified = purchase.identifier !== undefined;
    if (status === 200 && isKnown && !isIdentified)
      checker.accuse('nobody gets a reply twice', `${purchase.name}, which had arrived`);
    const isGone = (answered: number | undefined) =>
      answered === 410 && isSuppressed(world.tables, soldFor(world, nonce), world.databaseNow());
    const isUnsold = !isSold && isUnsellable(world, wanted);
    if (status !== 200 && !isGone(status) && (had.length === 0 || isIdentified) && !isUnsold)
      checker.accuse('whoever paid gets the data', `${purchase.name} gets ${status}`);
    if (isUnsold || !world.random('visitors').chance(0.3)) continue;
    const answered = await askPaymentStatus(world, purchase);
    if (answered !== 200 && !isGone(answered))
      checker.accuse('the payer gets the reply again', `${purchase.name} gets ${answered}`);
  }
  throwIfBroken(checker);
}

function soldFor(world: World, nonce: Hex): string {
  const row = rowOf(world, nonce);
  return row === undefined ? '' : soldBy(world, row);
}

/** A buyer who gave two payments one identifier gives the unused payment another one. */
function rename(world: World, purchase: Purchase): Purchase {
  if (purchase.identifier === undefined) return purchase;
  const renamed = identify(purchase, `${purchase.name.replace(' ', '-')}-under-its-own-identifier`);
  world.purchases.set(purchase.authorization.nonce, renamed);
  return renamed;
}

/** The last status for a payer that proves its wallet to the payment status. */
async function askPaymentStatus(world: World, purchase: Purchase): Promise<number | undefined> {
  let last: number | undefined;
  askStatus(world, purchase, 'payer', { signs: true, tries, onEnd: (status) => (last = status) });
  await world.scheduler.runUntil(world.scheduler.now() + pauseMs);
  return last;
}

function isAlive(row: StoredRow | undefined): boolean {
  return row !== undefined && row.state !== 'released' && !isRebuiltUnsold(row);
}

/** The last status for a patient buyer. */
async function ask(world: World, purchase: Purchase, wanted: Wanted): Promise<number | undefined> {
  const { scheduler } = world;
  let sent: Sent = { purchase, header: purchase.header, wanted };
  let seen: Seen;
  for (let attempt = 0; attempt < tries; attempt++) {
    const [instance] = world.instances;
    if (instance === undefined) throw new Error('Every instance is started again');
    send(world, instance, sent, (reply) => (seen = reply));
    await scheduler.runUntil(scheduler.now() + pauseMs);
    const proof = signFor(sent, seen);
    if (proof !== undefined) sent = { ...sent, proof };
    else if (seen !== undefined && seen.status !== 409 && seen.status < 500) break;
  }
  return seen?.status;
}
