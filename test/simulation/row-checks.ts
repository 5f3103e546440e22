import type { StoredRow } from './model-ledger.js';
import { exclusiveOperation, leadIn } from './lead-counter.js';
import { maxStaleMs } from './model-node.js';
import { judgeRelease, judgeRest } from './relayer-checks.js';
import type { World } from './world.js';

/** The allowed steps of a payment; every other step goes backward. */
const steps = new Set(['none>claimed', 'released>claimed', 'claimed>claimed', 'claimed>settled', 'claimed>released']);

/** Judges each change of the ledger. `isUpkeep`: by whoever looks whether settled payments still stand. */
export function judgeRow(world: World, before: StoredRow | undefined, after: StoredRow, isUpkeep: boolean): void {
  const { accuse } = world.checker;
  const step = `${before?.state ?? 'none'}>${after.state}`;
  const isUndone = step === 'settled>claimed' && isUpkeep && before !== undefined && !stands(world, before);
  const isRebuilding = step === 'none>settled' && after.binding === undefined;
  if (isRebuilding && world.chain.spendingOf(after)?.by !== 'us')
    accuse('only what we have sent is rebuilt', after.nonce);
  if (step === 'settled>settled' && before?.binding !== undefined && after.binding === undefined)
    accuse('a payment only moves forward', 'it has forgotten what it bought');
  const isRebuilt = before?.state === 'settled' && before.binding === undefined;
  const isNewClaim = before?.state !== 'claimed' && after.state === 'claimed' && !isUndone;
  const isStep = steps.has(step) || before?.state === after.state || isUndone || isRebuilding;
  if (!isStep && !(isRebuilt && isNewClaim)) accuse('a payment only moves forward', step);
  if (!isUpkeep && !isRebuilt && before?.settlement && before.settlement.transaction !== after.settlement?.transaction)
    accuse('a payment only moves forward', 'a settlement was replaced by another');
  if (isNewClaim && !soldBy(world, after).endsWith(` v${world.tables.feeds.get('deals')}`))
    accuse('nobody is sold a stale feed', soldBy(world, after));
  // What the chain shows as paid is sold to its payer's proof all the same: nothing of it is to be sent.
  // A database that goes back may meet a request that is let in already: then nothing of its claim is sent.
  if (isNewClaim && world.chain.spendingOf(after) === undefined && world.restores !== 'database goes back')
    judgeRest(world, after.leaseOwner, after.nonce);
  if (step === 'claimed>released') judgeRelease(world, after);
  const isTaken = step === 'claimed>claimed' && before?.leaseOwner !== after.leaseOwner;
  if (isTaken && before !== undefined && before.leaseUntil > world.databaseNow())
    accuse("a claim is its owner's until its lease ends", `${after.leaseOwner} has taken ${after.nonce}`);
  if (after.state === 'claimed') judgeIdentifier(world, after);
  if (after.state !== 'released') judgeLead(world, after);
  if (isNewClaim || after.state === 'settled') judgeForgottenLead(world, after);
}

/** What a row was claimed for, according to its stored reply. */
export function soldBy({ tables }: World, row: StoredRow): string {
  const body = tables.bodies.get(Buffer.from(row.replyHash).toString('base64'))?.body;
  return body === undefined ? 'nothing' : (JSON.parse(Buffer.from(body).toString()) as string[]).join();
}

/** The ledger's row of a nonce; nonces are unique within a history. */
export function rowOf({ tables }: World, nonce: StoredRow['nonce']): StoredRow | undefined {
  for (const row of tables.payments.values()) if (row.nonce === nonce) return row;
  return undefined;
}

/** At most one of all payments with a buyer's identifier is alive. What was rebuilt has lost its own. */
function judgeIdentifier(world: World, { nonce }: StoredRow): void {
  const { purchases } = world;
  const purchase = purchases.get(nonce);
  if (purchase?.identifier === undefined) return;
  for (const other of purchases.values()) {
    const isSame = other.identifier === purchase.identifier && other.authorization.from === purchase.authorization.from;
    if (other === purchase || !isSame) continue;
    const row = rowOf(world, other.authorization.nonce);
    if (row !== undefined && row.state !== 'released' && row.binding !== undefined)
      world.checker.accuse('one identifier, one payment', `${purchase.name} beside ${other.name}`);
  }
}

/** At most one of all payments for a lead is alive. */
function judgeLead(world: World, row: StoredRow): void {
  const lead = row.operationId === exclusiveOperation ? leadIn(soldBy(world, row)) : undefined;
  if (lead === undefined) return;
  for (const other of world.tables.payments.values()) {
    if (other.nonce === row.nonce || other.state === 'released' || leadIn(soldBy(world, other)) !== lead) continue;
    world.checker.accuse('a lead is sold to one buyer', `${lead} to ${row.nonce} beside ${other.nonce}`);
  }
}

/**
 * What the ledger has forgotten, its buyer has. A claim that is older than the loss may only end unpaid. Nobody can
 * tell a sale that a stranger has sent from a stranger's transfer.
 */
function judgeForgottenLead(world: World, row: StoredRow): void {
  const lead = row.operationId === exclusiveOperation ? leadIn(soldBy(world, row)) : undefined;
  if (lead === undefined) return;
  const ours = world.chain.spendings().flatMap(({ nonce, by }) => (by === 'us' && nonce !== row.nonce ? [nonce] : []));
  for (const nonce of ours)
    if (world.checker.served.get(nonce)?.some(({ text, isForgotten }) => isForgotten && leadIn(text) === lead) === true)
      world.checker.accuse('a lead is sold to one buyer', `${lead} to ${row.nonce} after ${nonce}`);
}

/** Whether a row's transfer was never undone, and every node shows it. */
function stands({ chain, scheduler }: World, row: StoredRow): boolean {
  const spending = chain.spendingOf(row);
  if (spending === undefined || spending.atMs > scheduler.now() - maxStaleMs) return false;
  return spending.transaction === row.settlement?.transaction && !chain.undone.has(spending.transaction);
}
