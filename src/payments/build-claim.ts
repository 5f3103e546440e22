import { contentDigest, type Bytes } from '../contract/rendered.js';
import { reorgMs, type Claim, type ClaimResult, type ShownLead } from './ledger/ledger.js';
import type { Attempt } from './settlement/settler.js';
import type { VerifiedPayment } from './verified-payment.js';

/** A reply that was checked against the contract, before its sale. */
export interface ProvenReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Bytes;
  readonly feed: { readonly name: string; readonly version: number };
  /** The leads in the reply; the claim holds the exclusive ones. */
  readonly leads?: readonly ShownLead[] | undefined;
}

interface ClaimPorts {
  readonly owner: string;
  readonly chainInstance: string;
}

/** The claim on an authorization, with the reply that it buys. */
export function toClaim(payment: VerifiedPayment, reply: ProvenReply, { owner, chainInstance }: ClaimPorts): Claim {
  const { from, to, value, validAfter, validBefore, nonce, signature } = payment.authorization;
  return {
    network: payment.key.network,
    asset: payment.key.asset,
    payer: from,
    nonce,
    operationId: payment.operationId,
    resource: payment.resource,
    binding: payment.binding,
    amount: value,
    payTo: to,
    validAfter,
    validBefore,
    signature,
    leaseOwner: owner,
    searchFrom: new Date(payment.unusedUntil.getTime() - reorgMs),
    clientIdHash: payment.clientIdHash,
    chainInstance,
    replyHash: contentDigest(reply.body),
    replyHeaders: reply.headers,
    replyBody: reply.body,
    isPaid: payment.wasSubmittedByThirdParty === true,
    payerGas: payment.payerCode?.kind === 'some' ? payment.payerCode.gas : undefined,
    funds: payment.funds,
    feed: reply.feed,
    ...(reply.leads === undefined ? {} : { leads: reply.leads }),
  };
}

/** During a slower claim another process may have claimed the payment, sent it, and released it after a failure. */
const slowClaimMs = 2_000;

/**
 * How a claimed payment is settled. Only known payers without code share a transaction: the gas of one transfer inside
 * a shared one cannot be limited.
 *
 * @param tookMs how long it took to win the claim
 */
export function toAttempt(
  { payerCode }: VerifiedPayment,
  { operationId, resource, leaseOwner, payerGas }: Claim,
  { mayShare }: ClaimResult & { readonly kind: 'claimed' },
  tookMs: number,
): Attempt {
  const isBounded = mayShare && payerCode?.kind === 'none';
  return { operationId, resource, leaseOwner, isTakenOver: tookMs > slowClaimMs, mayShare: isBounded, gas: payerGas };
}
