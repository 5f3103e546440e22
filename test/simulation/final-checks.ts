import type { AuditReport } from '../../src/payments/audit/audit-ledger.js';
import type { StoredRow } from './model-ledger.js';
import type { Spending } from './model-chain.js';
import { emptyState } from './instance.js';
import { exclusiveOperation, isExclusivityUnknown, leadIn } from './lead-counter.js';
import type { Wanted } from './purchase.js';
import { checkRelayers } from './relayer-checks.js';
import { rowOf, soldBy } from './row-checks.js';
import type { World } from './world.js';

/** Two rounds of rebuilding after the last faults. */
const rebuildingMs = 600_000;

/** Longer than an audit takes, also at ten ranges of 200 blocks a second. It is waited for in steps. */
const [auditMs, auditStepMs] = [600_000, 60_000];

/** Two rounds of reconciliation after the first finalized block past the window, which is when all is known. */
export function endOf({ chain }: World, { validBefore }: Pick<StoredRow, 'validBefore'>): number {
  return Number(validBefore) * 1000 + chain.pace.finalityMs + 600_000;
}

/** Long after the last fault: everything is answered and finished, and every delivery is known. */
export function checkQuiet(world: World): void {
  const { tables, checker } = world;
  for (const each of checker.exchanges) {
    if (each.instance.alive && each.arrivedAtMs < Infinity && each.repliedAtMs === undefined)
      checker.accuse('every request is answered', `request ${each.id} is not`);
  }
  for (const row of tables.payments.values())
    if (row.state === 'claimed' && endOf(world, row) <= world.scheduler.now())
      checker.accuse('everything comes to its end', `${row.nonce} is still open`);
  checkHolds(world);
  checkRelayers(world);
  for (const [nonce, replies] of checker.served) {
    const row = rowOf(world, nonce);
    // A payment undone before it was recorded does not count; its payer may even have canceled it since.
    if (row?.state !== 'settled') continue;
    // An instance that died with it could not record it any more.
    const known = replies.some(({ delivery, exchange }) => delivery === 'completed' && exchange.instance.alive);
    if (known && !world.losses.payments.has(nonce) && row.delivery !== 'completed')
      checker.accuse('an arrival is never forgotten', `of ${nonce}`);
  }
  throwIfBroken(checker);
}

/**
 * Compares the ledger with the chain, to the atomic unit. Transfers of others without a sale do not count: before the
 * buyers return any of them, afterwards only those that could not be sold.
 */
export function checkBooks(world: World, moment: 'before' | 'after'): void {
  const { tables, chain, checker } = world;
  const settled = [...tables.payments.values()].filter(({ state }) => state === 'settled');
  const undone = settled.filter((row) => isUndone(world, row));
  const payments = chain.payments();
  const unsold = payments.filter((each) => rowOf(world, each.nonce)?.state !== 'settled');
  for (const each of unsold) {
    if (each.by === 'us' && !(moment === 'before' && isLost(world, each)))
      checker.accuse('whatever we charged is sold', `${each.nonce} is on the chain, not in the books`);
    if (moment === 'after' && isSellable(world, each))
      checker.accuse('whoever paid gets the data', `${each.nonce} was paid, and bought nothing`);
  }
  for (const row of undone) {
    const wasPaid = chain.everPaid.has(`${row.payer}/${row.nonce}`);
    checker.accuse('whatever is in the books is paid', `${row.nonce} ${wasPaid ? 'was undone' : 'never was'}`);
  }
  const books = sum(settled.map(({ amount }) => amount));
  const money = sum(payments.map(({ value }) => value));
  const sold = money - sum(unsold.map(({ value }) => value));
  if (books !== sold) checker.accuse('the books equal the chain', `${books}, not ${sold}`);
  throwIfBroken(checker);
}

/** The audit's own word: what was lost is rebuilt, and the ledger equals the chain. */
export async function checkAudit(world: World): Promise<void> {
  const [instance] = world.instances;
  let report: AuditReport | undefined;
  void instance?.audit().then((found) => (report = found));
  for (let waitedMs = 0; report === undefined && waitedMs < auditMs; waitedMs += auditStepMs)
    await world.scheduler.runUntil(world.scheduler.now() + auditStepMs);
  const { differenceUsd, lostSales } = report ?? {};
  if (world.restores !== undefined && (differenceUsd !== '0.00' || lostSales !== 0))
    world.checker.accuse('the audit finds the ledger whole', `${differenceUsd} USD, ${lostSales} lost sales`);
  throwIfBroken(world.checker);
}

/** Every buyer of a lead holds it, also while its payment is open, and nobody else holds any. */
function checkHolds(world: World): void {
  const { tables, checker } = world;
  const holds = new Map([...tables.holds].map(({ payment, leadId }) => [payment, leadId]));
  for (const [payment, row] of tables.payments) {
    const lead = row.state === 'released' ? undefined : leadIn(soldBy(world, row));
    const held = holds.get(payment);
    if (held !== lead)
      checker.accuse('a lead is held as long as it is sold', `${payment} (${row.state}) holds ${held}`);
  }
}

/** A sale whose transfer is not on the chain any more. */
function isUndone({ chain }: World, row: StoredRow): boolean {
  const spending = chain.spendingOf(row);
  return spending === undefined || !chain.isPayment(spending);
}

/**
 * A sale that the ledger has lost comes back once its block is final; that of a payment which it has as released, with
 * its payer.
 */
function isLost(world: World, { nonce, atMs }: Spending): boolean {
  const { losses, chain, scheduler } = world;
  const isFinal = atMs <= scheduler.now() - chain.pace.finalityMs - rebuildingMs;
  return losses.payments.has(nonce) && (!isFinal || rowOf(world, nonce)?.state === 'released');
}

function isSellable(world: World, { nonce }: Spending): boolean {
  const wanted = world.purchases.get(nonce)?.wanted;
  return wanted === undefined || !isUnsellable(world, wanted);
}

/** Nothing matches it, or nobody knows which leads are sold already: then its money goes back. */
export function isUnsellable(world: World, { operationId, query }: Wanted): boolean {
  return query === `state=${emptyState}` || (operationId === exclusiveOperation && isExclusivityUnknown(world));
}

export function throwIfBroken({ violation }: World['checker']): void {
  if (violation !== undefined) throw violation;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, each) => total + each, 0n);
}
