import { wholeBytes, type Bytes } from '../contract/rendered.js';
import { ServiceError } from '../errors.js';
import type { Log } from '../log.js';
import { toAttempt, toClaim, type ProvenReply } from './build-claim.js';
import { createClaimAgain, type TriedClaim } from './claim-again.js';
import { comparePayment, isSame, type PaymentMatch } from './compare-payment.js';
import type { DeliveryRecorder } from './ledger/delivery-recorder.js';
import {
  leaseMs,
  type Burned,
  type Claim,
  type ClaimResult,
  type Ledger,
  type PaymentKey,
  type PaymentRow,
  type SettledAt,
} from './ledger/ledger.js';
import { isRebuiltUnsold, publicPaymentId } from './ledger/payment-row.js';
import {
  alreadyUsed,
  cannotSettle,
  gasBurned,
  idConflict,
  inProgress,
  namePayment,
  outcomeUnknown,
  payerFailed,
  replySuppressed,
  settlementFailed,
  unidentified,
} from './payment-errors.js';
import { encodeSettled, type ReceiptOf, type SettledPayment } from './payment-response.js';
import { pauseByTimer, type Pause } from './settlement/pause.js';
import { resolveOpenPayment, stateFault, type Evidence } from './settlement/resolve-open-payment.js';
import type { SettleOutcome, Settler } from './settlement/settler.js';
import type { BoundPayment, VerifiedPayment } from './verified-payment.js';

/** A paid reply. */
export interface PaidReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
  /** Names the body by its content, so that an older compressed copy is never sent in place of a newer one. */
  readonly cacheKey: string;
  /** Called once: whether the whole reply was handed over. */
  readonly onDelivery: (completed: boolean) => void;
  /** The payment bought it earlier. */
  readonly isRepeated?: true;
  readonly about: () => Readonly<Record<'payer' | 'paymentId' | 'transaction', string>>;
}

/**
 * The outcome of a charge. refused: nothing was charged. unknown: not known yet. Both carry the buyer's error. stale:
 * nothing was written, because of a new feed version or a lead that another payment holds.
 */
export type Charge =
  | { readonly outcome: 'settled'; readonly reply: PaidReply }
  | { readonly outcome: 'refused' | 'unknown'; readonly error: ServiceError }
  | { readonly outcome: 'stale' };

/** Turns a verified payment and a proven reply into a paid reply. */
export interface PaymentMachine {
  /** Claim -> settle -> finish. A payment in the ledger is resumed. Never rejects. */
  charge(payment: VerifiedPayment, reply: ProvenReply): Promise<Charge>;
  /** The ledger's row of the authorization. */
  find(payment: BoundPayment): Promise<PaymentRow | undefined>;
  /** The stored reply of an authorization in the ledger. @throws ServiceError the reason why its buyer gets none */
  resume(row: PaymentRow, payment: BoundPayment): Promise<PaidReply>;
  /**
   * The reply of a settled payment as it was sold, for a caller who has proven to be its buyer.
   *
   * @throws ServiceError `reply_suppressed`
   */
  deliver(row: PaymentRow): Promise<PaidReply>;
}

export interface MachinePorts {
  readonly ledger: Ledger;
  readonly settler: Settler;
  readonly evidence: Evidence;
  readonly deliveries: DeliveryRecorder;
  readonly receiptOf: ReceiptOf;
  /** Names this process's leases. */
  readonly owner: string;
  /** Names a local chain's history on the rows; empty on public networks. */
  readonly chainInstance: string;
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly log: Log;
  readonly pause?: Pause;
}

/** Creates the payment machine over its ports; it holds no state that a crash could lose. */
export function createPaymentMachine(ports: MachinePorts): PaymentMachine {
  const { ledger, now, nowMs } = ports;
  const claimAgain = createClaimAgain({ pause: pauseByTimer, ...ports });
  const complain = createComplaint(ports.log);
  const nextOwner = createNames(ports.owner);

  async function charge(payment: VerifiedPayment, reply: ProvenReply): Promise<Charge> {
    try {
      const begunMs = nowMs();
      const claimOf = (each: VerifiedPayment) => toClaim(each, reply, { ...ports, owner: nextOwner() });
      const first = claimOf(payment);
      let tried: TriedClaim = { payment, claim: first, claimed: await ledger.claim(first) };
      const { kind } = tried.claimed;
      if (kind === 'funds_in_flight' || kind === 'gas_burned') tried = await claimAgain(tried, claimOf);
      const { claimed } = tried;
      if (claimed.kind === 'stale') return { outcome: 'stale' };
      if (claimed.kind === 'known') return { outcome: 'settled', reply: await resume(claimed.row, payment) };
      if (claimed.kind !== 'claimed') throw errorOfClaim(claimed, tried.claim);
      const claim = { ...tried.claim, claimedAt: claimed.claimedAt, heldUntilMs: begunMs + leaseMs };
      const attempt = toAttempt(tried.payment, claim, claimed, nowMs() - begunMs);
      // The chain is asked again: its earlier answer may be undone, or sold and released meanwhile.
      const settled = payment.wasSubmittedByThirdParty
        ? await resolveOpenPayment(claim, ports.evidence, ports.settler, now())
        : await ports.settler.settle(payment.authorization, attempt).catch(toUnknown);
      return { outcome: 'settled', reply: await finish(payment, claim, settled, reply.body) };
    } catch (cause) {
      const error = errorForBuyer(payment, cause, complain);
      return { outcome: error.details.payment === 'unknown' ? 'unknown' : 'refused', error };
    }
  }

  /** Records the outcome of a claim. A settled payment returns its reply; any other throws the buyer's error. */
  async function finish(payment: BoundPayment, row: LeasedRow, outcome: SettleOutcome, body?: Bytes) {
    const { leaseOwner: owner } = row;
    const { key } = payment;
    const orComplain = (error: unknown) => complain(payment, error);
    if (outcome.outcome === 'unknown') {
      ports.log.warn({ paymentId: publicPaymentId(key), detail: outcome.detail }, 'settlement unknown');
      await ledger.endLease(key, owner).catch(orComplain);
      throw outcomeUnknown({ refusal: outcome.reason });
    }
    if (outcome.outcome === 'failed') {
      // Final only if the release was written: a claim that is leased, perhaps by another owner, may yet settle.
      const released = await ledger.release(key, owner, outcome.reason, failureOf(outcome)).catch(orComplain);
      throw released ? errorOf(payment, outcome, ports.settler) : outcomeUnknown();
    }
    const { outcome: _, ...settlement } = outcome;
    // The money has moved. If the ledger fails now, reconciliation finishes the row by the chain's evidence. Once the
    // lease may be over, another may have let the claim go, and have sold what a stranger sent since.
    const isFinished = await ledger.finish(key, owner, settlement, leaseMs).catch((error: unknown) => {
      complain(payment, error);
      if (nowMs() >= row.heldUntilMs) throw outcomeUnknown({ cause: error });
      return true;
    });
    if (isFinished) return paidReply(row, body ?? (await readBody(row, ports)), settlement);
    // Another instance has taken the payment over, and may be delivering it.
    const current = await ledger.find(key);
    if (current === undefined) throw new Error('A payment that was claimed has its row');
    return resume(current, payment);
  }

  /** Returns the reply of a known payment. An open payment whose lease has run out is resolved first. */
  async function resume(row: PaymentRow, payment: BoundPayment): Promise<PaidReply> {
    if (row.state === 'released' && row.failure !== undefined)
      throw settlementFailed(payment, stateFault, 'it failed on the chain.');
    const match = comparePayment(row, payment);
    const isOther = match === 'conflict' || (match !== 'repetition' && (await ledger.isClientIdTaken(payment)));
    if (isOther) throw idConflict(row.state === 'settled' ? 'settled' : 'unknown');
    assertEntitled(row, payment, match, ports.deliveries);
    if (row.state === 'settled') {
      // While its lease lasts, or when another copy was faster: whether that delivery completes is not known yet.
      const mayHaveIt = match === 'repetition' || (await ledger.takeRedelivery(payment.key, nextOwner()));
      if (!mayHaveIt) throw inProgress();
      return deliver(row);
    }
    const held = { ...row, leaseOwner: nextOwner(), heldUntilMs: nowMs() + leaseMs };
    const isTaken = !row.isLeased && (await ledger.takeOver(payment.key, held.leaseOwner, leaseMs));
    if (!isTaken) throw inProgress();
    return finish(payment, held, await resolveOpenPayment(held, ports.evidence, ports.settler, now()));
  }

  async function deliver(row: PaymentRow): Promise<PaidReply> {
    if (row.settlement === undefined) throw new Error('A settled payment has its settlement');
    return { ...paidReply(row, await readBody(row, ports), row.settlement), isRepeated: true };
  }

  const throwToBuyer = (payment: BoundPayment) => (error: unknown) => {
    throw errorForBuyer(payment, error, complain);
  };

  function paidReply(row: Sold, body: Bytes, settlement: SettledAt): PaidReply {
    const { network, asset, payer, nonce } = row;
    return {
      headers: {
        ...row.replyHeaders,
        'PAYMENT-RESPONSE': encodeSettled(row, settlement, ports.receiptOf(row, settlement)),
      },
      body,
      cacheKey: Buffer.from(row.replyHash).toString('base64url'),
      onDelivery: (completed) => ports.deliveries.record({ network, asset, payer, nonce }, completed),
      about: () => ({ payer, paymentId: publicPaymentId(row), transaction: settlement.transaction }),
    };
  }

  return {
    charge,
    find: (payment) => ledger.find(payment.key).catch(throwToBuyer(payment)),
    resume: (row, payment) => resume(row, payment).catch(throwToBuyer(payment)),
    deliver,
  };
}

/** @throws ServiceError if the reply is not kept, or suppressed */
async function readBody(
  row: Sold,
  { ledger, deliveries }: Pick<MachinePorts, 'ledger' | 'deliveries'>,
): Promise<Bytes> {
  const body = await ledger.readReplyBody(row.replyHash);
  if (body === 'suppressed') {
    deliveries.record(row, false); // unless it arrived before, its buyer gets a refund
    throw replySuppressed();
  }
  if (body !== undefined) return wholeBytes(body);
  // A restored database has lost the payment with its reply.
  const current = await ledger.find(row);
  if (current?.state !== 'settled' || isRebuiltUnsold(current)) throw outcomeUnknown();
  throw alreadyUsed('The payment was used, and its reply is not kept any longer.');
}

/** Refuses a caller who may not have the reply, even of a payment that still settles. @throws ServiceError */
function assertEntitled(
  row: PaymentRow,
  payment: BoundPayment,
  match: PaymentMatch,
  deliveries: DeliveryRecorder,
): void {
  const isSettled = row.state === 'settled';
  if (row.binding === undefined) throw alreadyUsed('The payment was used, and its reply is not kept.');
  if (!isSame(row.binding, payment.binding))
    throw alreadyUsed('The payment was used for another request.', isSettled ? 'settled' : 'unknown');
  if (match === 'unidentified') throw isSettled ? unidentified() : inProgress();
  if (row.delivery === 'refunded' || (match === 'plain' && (isOver(row) || deliveries.isCompleted(row))))
    throw alreadyUsed(describeEnd(row));
}

function errorOfClaim(
  claimed: Exclude<ClaimResult, { readonly kind: 'claimed' | 'known' | 'stale' }>,
  { payerGas }: Pick<Claim, 'payerGas'>,
): ServiceError {
  if (claimed.kind === 'payer_failed') return payerFailed(claimed.until, payerGas !== undefined);
  if (claimed.kind === 'funds_in_flight') return inProgress();
  return claimed.kind === 'gas_burned' ? gasBurned() : idConflict();
}

function failureOf({ burnedGas: gas, burnedShared = false }: Failed): Burned | undefined {
  return gas === undefined ? undefined : { gas, burnedShared };
}

function errorOf(payment: BoundPayment, { reason, detail }: Failed, { by }: Settler): ServiceError {
  // The settler surely sent nothing: the payment is not at fault.
  return reason === 'unexpected_settle_error' ? cannotSettle(by) : settlementFailed(payment, reason, detail);
}

type Failed = SettleOutcome & { readonly outcome: 'failed' };

/** A name for each attempt: an overtaken one must not write for the next one of the same process. */
function createNames(owner: string): () => string {
  let attempts = 0;
  return () => `${owner} ${++attempts}`;
}

type Complain = (payment: BoundPayment, error: unknown) => false;

/** Logs a failed statement for the operator. */
function createComplaint(log: Log): Complain {
  return ({ key }, error) => {
    log.error({ err: error, paymentId: publicPaymentId(key) }, 'the ledger failed; the chain has the evidence');
    return false;
  };
}

/** The error for the buyer, who must not read a failure of the ledger as a refusal. */
function errorForBuyer(payment: BoundPayment, error: unknown, complain: Complain): ServiceError {
  const isMeant = error instanceof ServiceError;
  if (!isMeant) complain(payment, error);
  return namePayment(isMeant ? error : outcomeUnknown({ cause: error }), publicPaymentId(payment.key));
}

/** A row, or the claim of a new row. */
type Sold = SettledPayment & Pick<PaymentRow, keyof PaymentKey | 'replyHeaders' | 'replyHash'>;
/** A row under our lease, which lasts until `heldUntilMs` at least, by the monotonic clock. */
type LeasedRow = Sold & Pick<PaymentRow, 'leaseOwner'> & { readonly heldUntilMs: number };

function isOver({ delivery }: PaymentRow): boolean {
  return delivery === 'completed' || delivery === 'refunded';
}

function describeEnd({ delivery }: PaymentRow): string {
  return delivery === 'refunded' ? 'The payment was given back.' : 'The payment was used, and its reply was delivered.';
}

/** A settler's exception proves nothing about the payment. */
function toUnknown(error: unknown): SettleOutcome {
  return { outcome: 'unknown', detail: error instanceof Error ? error.message : 'no answer' };
}
