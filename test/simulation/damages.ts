import type { PaymentRow } from '../../src/payments/ledger/ledger.js';
import { ServiceError } from '../../src/errors.js';
import { paymentName } from '../../src/payments/ledger/payment-row.js';
import type { Evidence } from '../../src/payments/settlement/resolve-open-payment.js';
import { takenOver, type SettleOutcome } from '../../src/payments/settlement/settler.js';
import { createModelLedger, createLedgerTables, type LedgerTables } from './model-ledger.js';
import { leadDamages } from './lead-damages.js';
import { redeliveryDamages } from './redelivery-damages.js';
import { relayerDamages } from './relayer-damages.js';
import { restoreDamages } from './restore-damages.js';
import { settlingDamages } from './settling-damages.js';
import { spread } from './spread.js';
import { evidenceBy, type Variant } from './variant.js';

/** An attempt without a claim. */
const unclaimed = takenOver({ operationId: '', resource: '', leaseOwner: '' });

/**
 * Machines with one realistic bug each. The simulation must catch every one of them; it proves nothing about bugs that
 * it cannot catch.
 */
export const damages: readonly Variant[] = [
  {
    name: 'serves before it settles',
    settler: (settler) => ({
      ...settler,
      async settle(authorization, attempt) {
        void settler.settle(authorization, attempt).catch(() => undefined);
        return { outcome: 'settled', transaction: `0x${'0'.repeat(64)}`, blockNumber: 1n };
      },
    }),
  },
  {
    name: 'reserves nothing: every copy wins its claim',
    ledger: (ledger) => ({
      ...spread(ledger),
      async claim(claim) {
        const result = await ledger.claim(claim);
        return result.kind === 'known'
          ? { ...result, kind: 'claimed', claimedAt: new Date(0), mayShare: false }
          : result;
      },
    }),
  },
  {
    name: 'reserves in the memory of one process',
    ledger: (_, tables, now) => createModelLedger(copyFeeds(tables), { now }),
  },
  {
    name: 'does not hold a payment to its request',
    ledger: (ledger) => ({
      ...spread(ledger),
      async claim(claim) {
        const result = await ledger.claim(claim);
        return result.kind === 'known' ? { kind: 'known', row: { ...result.row, binding: claim.binding } } : result;
      },
    }),
    machine: (machine) => ({
      ...machine,
      find: async (verified) => withBinding(await machine.find(verified), verified.binding),
      resume: (row, verified) => machine.resume({ ...row, binding: verified.binding }, verified),
    }),
  },
  {
    name: 'takes a timeout for a refusal',
    machine: (machine) => ({
      ...machine,
      async charge(payment, reply) {
        const charged = await machine.charge(payment, reply);
        return 'error' in charged ? { outcome: 'refused', error: askingAgain(charged.error) } : charged;
      },
      resume: (row, payment) =>
        machine.resume(row, payment).catch((error: unknown) => {
          throw error instanceof ServiceError ? askingAgain(error) : error;
        }),
    }),
  },
  {
    name: 'lets a payment go whose outcome is unknown',
    ledger: (ledger) => ({
      ...spread(ledger),
      endLease: async (key, owner) => void (await ledger.release(key, owner, 'unknown')),
    }),
  },
  { name: 'never reconciles', reconciles: false },
  { name: 'never looks again at what the chain may undo', looksAgain: false },
  {
    name: 'charges for a 404',
    gate: (gate, { settler }) => ({
      ...gate,
      async recall(verified) {
        const known = await gate.recall(verified);
        if (known === undefined) await settler.settle(verified.authorization, unclaimed);
        return known;
      },
    }),
  },
  {
    name: 'leases by process, not by time',
    ledger: (ledger, tables) => ({
      ...spread(ledger),
      async claim(claim) {
        const result = await ledger.claim(claim);
        const row = tables.payments.get(paymentName(claim));
        if (result.kind === 'claimed' && row) tables.put({ ...row, leaseUntil: new Date(8.64e15) });
        return result;
      },
      endLease: async () => undefined,
    }),
  },
  {
    name: 'takes over what is not left yet',
    ledger: (ledger, tables) => ({
      ...spread(ledger),
      async takeOver(key, owner, leaseForMs) {
        const row = tables.payments.get(paymentName(key));
        if (row?.state === 'claimed') tables.put({ ...row, leaseOwner: owner });
        return row?.state === 'claimed' || ledger.takeOver(key, owner, leaseForMs);
      },
    }),
    machine: (machine) => ({
      ...machine,
      resume: (row, verified) => machine.resume({ ...row, isLeased: false }, verified),
    }),
  },
  { name: 'counts leases and limits by the clock of each instance', hasOwnClock: true },
  {
    name: 'finishes whoever has the lease, and whatever the state',
    ledger: (ledger, tables) => ({
      ...spread(ledger),
      async finish(key, owner, at, leaseForMs) {
        const finished = await ledger.finish(key, owner, at, leaseForMs);
        const row = tables.payments.get(paymentName(key));
        if (!finished && row) tables.put({ ...row, state: 'settled', settlement: { ...at, settledAt: new Date(0) } });
        return true;
      },
    }),
  },
  {
    name: 'takes a used nonce for an unpaid one',
    evidence: (evidence, asker) =>
      asker === 'gate' ? evidenceBy(evidence, async () => ({ verdict: 'cancelled' })) : evidence,
  },
  {
    name: 'takes a used nonce for a paid one',
    evidence: (evidence, asker) => (asker === 'reconciler' ? evidence : believingUsed(evidence)),
  },
  {
    name: 'lets a payment go when its own clock says that it has expired',
    evidence: (evidence, asker, now) =>
      asker !== 'reconciler'
        ? evidence
        : evidenceBy(evidence, async (question) => {
            const found = await evidence.find(question);
            const isOver = question.validBefore <= BigInt(Math.floor(now().getTime() / 1000));
            return found.verdict === 'open' && isOver ? { verdict: 'expired' } : found;
          }),
  },
  {
    name: 'believes that what failed once was never sent',
    settler: (settler) => ({
      ...settler,
      settle: (each, attempt) => settler.settle(each, attempt).catch(neverSent).then(neverUnknown),
    }),
  },
  {
    name: 'sells a feed that is published no longer',
    ledger: (ledger, tables) => ({
      ...spread(ledger),
      claim: (claim) => ledger.claim({ ...claim, feed: { ...claim.feed, version: tables.feeds.get('deals') ?? 0 } }),
    }),
  },
  {
    name: 'sells what somebody else has sent to whoever shows its signature',
    assertPayer: async () => undefined,
  },
  ...settlingDamages,
  ...relayerDamages,
  ...redeliveryDamages,
  ...leadDamages,
  ...restoreDamages,
];

function copyFeeds({ feeds }: LedgerTables): LedgerTables {
  return { ...createLedgerTables(), feeds };
}

function withBinding(row: PaymentRow | undefined, binding: Uint8Array): PaymentRow | undefined {
  return row && { ...row, binding };
}

function askingAgain(error: ServiceError): ServiceError {
  return error.reason === 'settlement_unknown' ? new ServiceError('payment_required', 'Pay again.') : error;
}

function believingUsed(evidence: Evidence): Evidence {
  return evidenceBy(evidence, async (question) => {
    const found = await evidence.find(question);
    const isUsed = found.verdict === 'cancelled' || found.verdict === 'diverted' || found.verdict === 'unknown';
    return isUsed ? { verdict: 'settled', transaction: `0x${'f'.repeat(64)}`, blockNumber: 1n } : found;
  });
}

function neverSent(): SettleOutcome {
  return { outcome: 'failed', reason: 'unexpected_settle_error', detail: 'the connection was reset' };
}

function neverUnknown(outcome: SettleOutcome): SettleOutcome {
  return outcome.outcome === 'unknown' ? neverSent() : outcome;
}
