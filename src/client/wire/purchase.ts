import { assertAffordable, defaultMaxPriceAtomic, chooseOffer, type Offer } from '../payments/choose-offer.js';
import { assertGoesOn } from './send-patiently.js';
import { ask } from './ask.js';
import { createPurchaseError } from '../error-classes.js';
import type { Network } from '../../wire/networks.js';
import type { SignedPayment } from '../payments/payment-journal.js';
import { present, type PresentPorts } from './present.js';
import { readReceipt, type Receipt } from '../payments/challenge.js';
import { redeem } from '../payments/redeem.js';
import type { Reply, SendRequest } from '../service-client.js';
import type { Payer } from '../payments/payer.js';
import { draftPayment, signPayment, type DraftPorts } from '../payments/sign-payment.js';

export interface PurchaseOptions extends DraftPorts, PresentPorts {
  /** Atomic units. Nothing above it is signed. Default $0.10. */
  readonly maxPriceAtomic?: bigint | undefined;
  /** Tokens that may be used to pay. Default: all that this client knows. */
  readonly tokens?: readonly Network[] | undefined;
  /** Called at most once, before anything is signed. Returns the payer, or throws to refuse. */
  readonly approve: (offer: Offer) => Payer | Promise<Payer>;
  readonly signal?: AbortSignal | undefined;
  /** ETag of a cached reply to the same request. */
  readonly etag?: string | undefined;
}

/** The result. */
export interface Purchase {
  /** The data, or a free 304 when `etag` is still current. */
  readonly reply: Reply;
  /** Undefined for a free reply. */
  readonly paid: PaidWith | undefined;
}

export interface PaidWith {
  readonly payment: SignedPayment;
  /** Undefined when the server sent no readable receipt. */
  readonly receipt: Receipt | undefined;
}

/**
 * Gets the reply of a path and pays for it at most once. An earlier payment for the same request with an open outcome
 * is presented again; no other is signed while it may be charged. Otherwise:
 * - asks without payment, and has the price approved
 * - reserves the amount, signs, and keeps the signature
 * - presents that payment, again and again while it may still succeed
 * @throws PurchaseError for every problem; `context.payment` gives the known state of the money.
 */
export async function purchase(send: SendRequest, path: string, options: PurchaseOptions): Promise<Purchase> {
  const { journal, patience, signal, etag, baseUrl, tokens } = options;
  assertGoesOn(signal);
  const earlier = await journal.adopt(baseUrl + path);
  const redeemed = earlier && (await redeem(send, path, earlier, options));
  if (earlier && redeemed) return toPurchase(redeemed, earlier);
  const asked = await ask(send, path, patience, etag === undefined ? {} : { 'If-None-Match': etag });
  if (asked.kind === 'free') return { reply: asked.reply, paid: undefined };
  const payment = await makePayment(chooseOffer(asked.challenge, tokens), path, options);
  return toPurchase(await present(send, path, payment, options), payment);
}

function toPurchase(reply: Reply, payment: SignedPayment): Purchase {
  return { reply, paid: { payment, receipt: readReceipt(reply.headers) } };
}

/**
 * Reserves the amount before the signature, and keeps the signature before it can be presented. Where the account may
 * sign later (`maySignLater` of its error), the amount counts until that signature would have expired.
 */
async function makePayment(offer: Offer, path: string, options: PurchaseOptions): Promise<SignedPayment> {
  const { journal, signal } = options;
  assertAffordable(offer, options.maxPriceAtomic ?? defaultMaxPriceAtomic);
  const payer = await options.approve(offer);
  assertGoesOn(signal);
  const draft = draftPayment(offer, payer.address, options);
  const { nonce, validBefore } = draft.authorization;
  const reservation = {
    url: options.baseUrl + path,
    network: offer.token.id,
    asset: offer.token.asset,
    payer: payer.address,
    nonce,
    amount: offer.priceAtomic.toString(),
    validBefore: Number(validBefore),
  };
  await journal.reserve(reservation);
  let [isKept, isLate] = [false, false];
  try {
    const header = await signPayment(draft, payer).catch((cause: unknown) => {
      isLate = cause instanceof Error && 'maySignLater' in cause && cause.maySignLater === true;
      throw createPurchaseError('not_signed', 'The account did not sign the payment.', { cause });
    });
    assertGoesOn(signal);
    isKept = await journal.keep(nonce, header);
    if (!isKept) throw createPurchaseError('not_signed', 'The payment was signed too late, so it was not presented.');
    return { ...reservation, header };
  } finally {
    if (!isKept && !isLate) await journal.close(nonce, 'void');
  }
}
