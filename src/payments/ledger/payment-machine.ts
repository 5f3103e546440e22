import { contentDigest } from '../../contract/content-digest.js';
import { wholeBytes, type Bytes } from '../../contract/rendered.js';
import { ServiceError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { DeliveryRecorder } from './delivery-recorder.js';
import type { VerifiedPayment } from '../gate/verified-payment.js';
import { comparePayment, isSame, type Standing } from './compare-payment.js';
import type { Claim, Ledger, PaymentKey, PaymentRow, Settlement, ShownLead } from './ledger.js';
import {
  alreadyUsed,
  cannotSettle,
  idConflict,
  inProgress,
  namePayment,
  outcomeUnknown,
  settlementFailed,
  unidentified,
} from '../payment-errors.js';
import type { PaymentResponses, SettledPayment } from '../status/payment-response.js';
import { publicPaymentId } from './payment-id.js';
import { resolveOpenPayment, type Evidence } from '../settlement/resolve-open-payment.js';
import type { SettleOutcome, Settler } from '../settlement/settler.js';

/** A reply that was held against the contract and is about to be sold. */
export interface ProvenReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
  readonly feed: { readonly name: string; readonly version: number };
  /** The leads that it shows; those that are exclusive are held by the claim. */
  readonly leads?: readonly ShownLead[] | undefined;
}

/** A reply that is paid for. */
export interface PaidReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
  /** Names the body by its content. */
  readonly contentKey: string;
  /** To be told once: whether the reply was handed over whole. */
  readonly onDelivery: (completed: boolean) => void;
}

/** Turns a verified payment and a proven reply into a paid reply: claim, settle, finish. */
export interface PaymentMachine {
  /** What the ledger knows of the authorization. */
  find(verified: VerifiedPayment): Promise<PaymentRow | undefined>;
  charge(verified: VerifiedPayment, reply: ProvenReply): Promise<PaidReply | 'feed_moved'>;
  /** What the buyer of a known authorization gets now: the stored reply, or the error that says why not. */
  resume(row: PaymentRow, verified: VerifiedPayment): Promise<PaidReply>;
  /** The reply of a settled payment as it was sold, for whoever has proven to be its buyer. */
  deliver(row: PaymentRow): Promise<PaidReply>;
}

export interface MachinePorts {
  readonly ledger: Ledger;
  readonly settler: Settler;
  readonly evidence: Evidence;
  readonly deliveries: DeliveryRecorder;
  readonly responses: PaymentResponses;
  /** Names this process's leases. */
  readonly owner: string;
  /** Names a local chain's history on the rows; empty on public networks. */
  readonly chainInstance: string;
  readonly now: () => Date;
  readonly log: Log;
}

/** Longer than a settlement takes; after it another instance may take the payment over. */
export const leaseMs = 60_000;

/** Creates the payment machine over its ports; it holds no state that a crash could lose. */
export function createPaymentMachine(ports: MachinePorts): PaymentMachine {
  const { ledger, now } = ports;
  const leaseEnd = () => new Date(now().getTime() + leaseMs);
  const complain = createComplaint(ports.log);
  const nextOwner = createNames(ports.owner);

  async function charge(verified: VerifiedPayment, reply: ProvenReply): Promise<PaidReply | 'feed_moved'> {
    const claim = toClaim(verified, reply, { ...ports, owner: nextOwner() }, leaseEnd());
    const result = await ledger.claim(claim);
    if (result.kind === 'feed_moved') return 'feed_moved';
    if (result.kind === 'id_conflict') throw idConflict();
    if (result.kind === 'known') return resume(result.row, verified);
    // What the chain showed before the claim may be undone, or have been sold and let go meanwhile: it is asked again.
    const outcome = verified.isSentElsewhere
      ? await resolveOpenPayment(claim, ports.evidence, ports.settler, now())
      : await settle(ports.settler, verified);
    return conclude(verified, claim, outcome, reply.body);
  }

  async function conclude(verified: VerifiedPayment, row: Held, outcome: SettleOutcome, body?: Bytes) {
    const { leaseOwner: owner } = row;
    const { key } = verified;
    const orComplain = (error: unknown) => complain(verified, error);
    if (outcome.outcome === 'unknown') {
      ports.log.warn({ payer: key.payer, nonce: key.nonce, detail: outcome.detail }, 'settlement unknown');
      await ledger.endLease(key, owner, now()).catch(orComplain);
      throw outcomeUnknown({ refusal: outcome.reason });
    }
    if (outcome.outcome === 'failed') {
      // Only whoever let the claim go may say so: a claim that is still held, or another's by now, may yet be settled.
      const released = await ledger.release(key, owner, outcome.reason).catch(orComplain);
      if (!released) throw outcomeUnknown();
      // The settler's word that surely nothing was sent: no fault of the payment's.
      throw outcome.reason === 'unexpected_settle_error'
        ? cannotSettle()
        : settlementFailed(verified, outcome.reason, outcome.detail);
    }
    const settlement = { transaction: outcome.transaction, blockNumber: outcome.blockNumber, settledAt: now() };
    if (await finish(verified, owner, settlement))
      return paidReply(row, body ?? (await readBody(row.replyHash)), settlement);
    // Whoever has taken the payment over may be serving it: the buyer gets what that leaves to get.
    const current = await ledger.find(key);
    if (current === undefined) throw new Error('A payment that was claimed has its row');
    return resume(current, verified);
  }

  /**
   * False when the lease was lost. Otherwise the buyer gets the data, whatever the ledger's connection does now: the
   * money has moved, and an unfinished row is settled by reconciliation from the chain's evidence.
   */
  async function finish(verified: VerifiedPayment, owner: string, settlement: Settlement): Promise<boolean> {
    try {
      return await ledger.finish(verified.key, owner, settlement, leaseEnd());
    } catch (error) {
      complain(verified, error);
      return true;
    }
  }

  async function resume(row: PaymentRow, verified: VerifiedPayment): Promise<PaidReply> {
    const standing = comparePayment(row, verified);
    const isOther = standing === 'conflict' || (standing !== 'repetition' && (await ledger.isClientIdTaken(verified)));
    if (isOther) throw idConflict();
    assertEntitled(row, verified, standing, ports.deliveries);
    if (standing === 'repetition' && row.state === 'settled') return deliver(row);
    if (row.state === 'settled') return redeliver(row, verified);
    const leaseOwner = nextOwner();
    const isTaken = row.leaseUntil <= now() && (await ledger.takeOver(verified.key, leaseOwner, now(), leaseEnd()));
    if (!isTaken) throw inProgress();
    const outcome = await resolveOpenPayment(row, ports.evidence, ports.settler, now());
    return conclude(verified, { ...row, leaseOwner }, outcome);
  }

  async function redeliver(row: PaymentRow, verified: VerifiedPayment): Promise<PaidReply> {
    // While its lease lasts, or when another copy was faster: whether that delivery completes is not known yet.
    if (!(await ledger.takeRedelivery(verified.key, nextOwner(), now(), leaseEnd()))) throw inProgress();
    return deliver(row);
  }

  async function deliver(row: PaymentRow): Promise<PaidReply> {
    if (row.settlement === undefined) throw new Error('A settled payment has its settlement');
    return paidReply(row, await readBody(row.replyHash), row.settlement);
  }

  async function readBody(hash: Uint8Array): Promise<Bytes> {
    const body = await ledger.readReplyBody(hash);
    if (body === undefined) throw alreadyUsed('The payment was used, and its reply is not kept any longer.');
    return wholeBytes(body);
  }

  /** Whatever the ledger fails with, its buyer must not take it for a refusal. */
  async function orUnknown<T>(verified: VerifiedPayment, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const id = publicPaymentId(verified.key);
      if (error instanceof ServiceError) throw namePayment(error, id);
      complain(verified, error);
      throw namePayment(outcomeUnknown({ cause: error }), id);
    }
  }

  function paidReply(row: Sold, body: Bytes, settlement: Settlement): PaidReply {
    const { network, asset, payer, nonce } = row;
    return {
      headers: { ...row.replyHeaders, 'PAYMENT-RESPONSE': ports.responses.headerOf(row, settlement) },
      body,
      contentKey: Buffer.from(row.replyHash).toString('base64url'),
      onDelivery: (completed) => ports.deliveries.record({ network, asset, payer, nonce }, completed),
    };
  }

  return {
    find: (verified) => orUnknown(verified, ledger.find(verified.key)),
    charge: (verified, reply) => orUnknown(verified, charge(verified, reply)),
    resume: (row, verified) => orUnknown(verified, resume(row, verified)),
    deliver,
  };
}

/** Refuses whoever may not have the reply of a payment, whatever becomes of it. @throws ServiceError */
function assertEntitled(
  row: PaymentRow,
  verified: VerifiedPayment,
  standing: Standing,
  deliveries: DeliveryRecorder,
): void {
  const isSettled = row.state === 'settled';
  if (!isSame(row.binding, verified.binding))
    throw alreadyUsed('The payment was used for another request.', isSettled ? 'settled' : 'unknown');
  if (standing === 'unidentified') throw isSettled ? unidentified() : inProgress();
  if (row.delivery === 'refunded' || (standing === 'plain' && (isOver(row) || deliveries.isCompleted(row))))
    throw alreadyUsed(describeEnd(row));
}

/** A name for each attempt: one that was overtaken must not write for the next of the same process. */
function createNames(owner: string): () => string {
  let attempts = 0;
  return () => `${owner} ${++attempts}`;
}

/** Tells the operator that a statement failed: it did not do what it should have done. */
function createComplaint(log: Log): (verified: VerifiedPayment, error: unknown) => false {
  return ({ key: { payer, nonce } }, error) => {
    log.error({ err: error, payer, nonce }, 'the ledger failed; the chain has the evidence');
    return false;
  };
}

/** A row, or the claim that became one. */
type Sold = SettledPayment & Pick<PaymentRow, keyof PaymentKey | 'replyHeaders' | 'replyHash'>;
type Held = Sold & Pick<PaymentRow, 'leaseOwner'>;

/** What a settler throws says nothing of the payment. */
function settle(settler: Settler, { authorization, operationId }: VerifiedPayment): Promise<SettleOutcome> {
  return settler.settle(authorization, operationId).catch(toUnknown);
}

function isOver({ delivery }: PaymentRow): boolean {
  return delivery === 'completed' || delivery === 'refunded';
}

function describeEnd({ delivery }: PaymentRow): string {
  return delivery === 'refunded' ? 'The payment was given back.' : 'The payment was used, and its reply was delivered.';
}

function toUnknown(error: unknown): SettleOutcome {
  return { outcome: 'unknown', detail: error instanceof Error ? error.message : 'no answer' };
}

function toClaim(
  verified: VerifiedPayment,
  reply: ProvenReply,
  { owner, chainInstance, now }: Pick<MachinePorts, 'owner' | 'chainInstance' | 'now'>,
  leaseUntil: Date,
): Claim {
  const { from, to, value, validAfter, validBefore, nonce, signature } = verified.authorization;
  return {
    network: verified.key.network,
    asset: verified.key.asset,
    payer: from,
    nonce,
    operationId: verified.operationId,
    binding: verified.binding,
    amount: value,
    payTo: to,
    validAfter,
    validBefore,
    signature,
    claimedAt: now(),
    leaseOwner: owner,
    leaseUntil,
    fromBlock: verified.fromBlock,
    clientIdHash: verified.clientIdHash,
    chainInstance,
    replyHash: contentDigest(reply.body),
    replyHeaders: reply.headers,
    replyBody: reply.body,
    feed: reply.feed,
    ...(reply.leads === undefined ? {} : { leads: reply.leads }),
  };
}
