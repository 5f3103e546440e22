import { createHash } from 'node:crypto';
import { wholeBytes, type Bytes } from '../contract/rendered.js';
import { ServiceError } from '../errors.js';
import type { Log } from '../log.js';
import type { DeliveryRecorder } from './delivery-recorder.js';
import type { Ticket } from './gate.js';
import type { Claim, Ledger, PaymentRow } from './ledger.js';
import { resolveOpenPayment, type Evidence } from './resolve-open-payment.js';
import { encodeSettleResponse } from './settle-response.js';
import type { SettleOutcome, Settler } from './settler.js';

/** A reply that was held against the contract and is about to be sold. */
export interface ProvenReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
  readonly feed: { readonly name: string; readonly version: number };
}

/** A reply that is paid for. */
export interface PaidReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
  /** To be told once: whether the reply was handed over whole. */
  readonly onDelivery: (completed: boolean) => void;
}

/** Turns a verified payment and a proven reply into a paid reply: claim, settle, finish. */
export interface PaymentMachine {
  charge(ticket: Ticket, reply: ProvenReply): Promise<PaidReply | 'feed_moved'>;
  /** What the buyer of a known authorization gets now: the stored reply, or the error that says why not. */
  resume(row: PaymentRow, ticket: Ticket): Promise<PaidReply>;
}

export interface MachinePorts {
  readonly ledger: Ledger;
  readonly settler: Settler;
  readonly evidence: Evidence;
  readonly deliveries: DeliveryRecorder;
  /** Names this process's leases. */
  readonly owner: string;
  readonly now: () => Date;
  readonly log: Log;
}

/** Longer than a settlement takes; after it another instance may take the payment over. */
export const leaseMs = 60_000;

/** Creates the payment machine over its ports; it holds no state of its own, so that a crash loses nothing. */
export function createPaymentMachine(ports: MachinePorts): PaymentMachine {
  const { ledger, owner, now } = ports;
  const leaseEnd = () => new Date(now().getTime() + leaseMs);

  async function charge(ticket: Ticket, reply: ProvenReply): Promise<PaidReply | 'feed_moved'> {
    const claim = toClaim(ticket, reply, owner, now(), leaseEnd());
    const result = await ledger.claim(claim);
    if (result.kind === 'feed_moved') return 'feed_moved';
    if (result.kind === 'known') return resume(result.row, ticket);
    const outcome = await ports.settler.settle(ticket.authorization).catch((error: unknown): SettleOutcome => ({
      outcome: 'unknown',
      detail: error instanceof Error ? error.message : 'no answer',
    }));
    return conclude(ticket, claim, outcome, reply.body);
  }

  async function conclude(
    ticket: Ticket,
    row: Pick<PaymentRow, 'replyHeaders' | 'replyHash'>,
    outcome: SettleOutcome,
    body?: Bytes,
  ): Promise<PaidReply> {
    if (outcome.outcome === 'failed') {
      await ledger.release(ticket.key, owner, outcome.reason);
      // The settler's word that surely nothing was sent: no fault of the payment's.
      if (outcome.reason === 'unexpected_settle_error') throw cannotSettle();
      throw settlementFailed(ticket, outcome.reason, outcome.detail);
    }
    if (outcome.outcome === 'unknown') {
      ports.log.warn(
        { payer: ticket.key.payer, nonce: ticket.key.nonce, detail: outcome.detail },
        'settlement unknown',
      );
      await ledger.endLease(ticket.key, owner, now());
      throw settlementUnknown();
    }
    // The money has moved: whatever the ledger's connection does now, the buyer gets the data, and an unfinished row is
    // settled by reconciliation from the chain's evidence.
    await ledger.finish(ticket.key, owner, outcome.transaction, leaseEnd()).catch((error: unknown) => {
      ports.log.error(
        { err: error, nonce: ticket.key.nonce },
        'settled but not finished; reconciliation will finish it',
      );
    });
    return paidReply(ticket, row.replyHeaders, body ?? (await readBody(row.replyHash)), outcome.transaction);
  }

  async function resume(row: PaymentRow, ticket: Ticket): Promise<PaidReply> {
    if (!Buffer.from(row.binding).equals(ticket.binding))
      throw alreadyUsed('The payment was used for another request.');
    if (row.state === 'settled') return redeliver(row, ticket);
    if (row.leaseUntil > now() || !(await ledger.takeOver(ticket.key, owner, now(), leaseEnd()))) throw inProgress();
    const outcome = await resolveOpenPayment(row, ports.evidence, ports.settler, now());
    return conclude(ticket, row, outcome);
  }

  async function redeliver(row: PaymentRow, ticket: Ticket): Promise<PaidReply> {
    const delivered = row.delivery === 'completed' || ports.deliveries.isCompleted(ticket.key);
    if (!delivered && row.delivery === 'pending' && row.leaseUntil > now()) throw inProgress();
    const taken = !delivered && (await ledger.takeRedelivery(ticket.key, owner, now(), leaseEnd()));
    if (!taken || row.transaction === undefined)
      throw alreadyUsed('The payment was used, and its reply was delivered.');
    return paidReply(ticket, row.replyHeaders, await readBody(row.replyHash), row.transaction);
  }

  async function readBody(hash: Uint8Array): Promise<Bytes> {
    const body = await ledger.readReplyBody(hash);
    if (body === undefined) throw new Error(`The stored reply ${Buffer.from(hash).toString('hex')} is missing`);
    return wholeBytes(body);
  }

  function paidReply(
    ticket: Ticket,
    headers: Readonly<Record<string, string>>,
    body: Bytes,
    transaction: string,
  ): PaidReply {
    const response = encodeSettleResponse({
      success: true,
      payer: ticket.authorization.from,
      transaction,
      network: ticket.requirements.network,
      amount: ticket.requirements.amount,
    });
    return {
      headers: { ...headers, 'PAYMENT-RESPONSE': response },
      body,
      onDelivery: (completed) => ports.deliveries.record(ticket.key, completed),
    };
  }

  return { charge, resume };
}

/** Hashes of pieces by identity: a record that sells often is hashed once. Pieces are never changed. */
const knownHashes = new WeakMap<Uint8Array, Buffer>();

/** A content hash: SHA-256 over the SHA-256 of each piece. */
function hashOf({ chunks }: Bytes): Buffer {
  const whole = createHash('sha256');
  for (const chunk of chunks) {
    const hash = knownHashes.get(chunk) ?? createHash('sha256').update(chunk).digest();
    knownHashes.set(chunk, hash);
    whole.update(hash);
  }
  return whole.digest();
}

function toClaim(ticket: Ticket, reply: ProvenReply, owner: string, claimedAt: Date, leaseUntil: Date): Claim {
  const { from, to, value, validAfter, validBefore, nonce, signature } = ticket.authorization;
  return {
    network: ticket.key.network,
    asset: ticket.key.asset,
    payer: from,
    nonce,
    operationId: ticket.operationId,
    binding: ticket.binding,
    amount: value,
    payTo: to,
    validAfter,
    validBefore,
    signature,
    claimedAt,
    leaseOwner: owner,
    leaseUntil,
    fromBlock: ticket.fromBlock,
    replyHash: hashOf(reply.body),
    replyHeaders: reply.headers,
    replyBody: reply.body,
    feed: reply.feed,
  };
}

function settlementFailed(ticket: Ticket, reason: string, detail: string): ServiceError {
  const response = encodeSettleResponse({
    success: false,
    errorReason: reason,
    payer: ticket.authorization.from,
    transaction: '',
    network: ticket.requirements.network,
  });
  return new ServiceError('settlement_failed', `The payment did not settle: ${detail}`, {
    payment: 'not_settled',
    paymentError: reason,
    headers: { 'PAYMENT-RESPONSE': response },
  });
}

function settlementUnknown(): ServiceError {
  return new ServiceError(
    'settlement_unknown',
    'The payment was sent and its outcome is not known yet. Send the very same PAYMENT-SIGNATURE again; it is charged at most once.',
    { payment: 'unknown', retryAfterSeconds: 3 },
  );
}

/** Nothing was sent: the same payment is as good as before. */
export function cannotSettle(): ServiceError {
  return new ServiceError(
    'facilitator_unavailable',
    'Payments cannot settle now. Nothing was sent and the payment was not used; send the same request again later.',
    { payment: 'not_settled', retryAfterSeconds: 5 },
  );
}

function inProgress(): ServiceError {
  return new ServiceError(
    'payment_in_progress',
    'This payment is being worked on. Send the very same request again after Retry-After.',
    {
      payment: 'unknown',
      retryAfterSeconds: 2,
    },
  );
}

function alreadyUsed(detail: string): ServiceError {
  return new ServiceError('payment_already_used', `${detail} Sign a new payment for a new call.`, {
    payment: 'settled',
    paymentError: 'invalid_transaction_state',
  });
}
