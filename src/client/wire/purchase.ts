import { assertAffordable, defaultMaxPriceAtomic } from '../payments/assert-affordable.js';
import { assertGoesOn } from './abortable-sleep.js';
import { ask } from './ask.js';
import { chooseOffer, type Offer } from '../payments/choose-offer.js';
import { createPurchaseError } from '../error-classes.js';
import type { KnownToken } from '../payments/known-tokens.js';
import type { PaymentJournal, SignedPayment } from '../payments/payment-journal.js';
import { present } from './present.js';
import { readReceipt, type Receipt } from '../payments/receipt.js';
import { redeem } from '../payments/redeem.js';
import type { Patience } from './send-patiently.js';
import type { Reply, SendRequest } from '../service-client.js';
import { draftPayment, signPayment, type DraftPorts, type Payer } from '../payments/sign-payment.js';

export interface PurchaseOptions extends DraftPorts {
  /** Address of the server, without a slash at its end. */
  readonly baseUrl: string;
  /** Atomic units; nothing dearer is signed. Default $0.10. */
  readonly maxPriceAtomic?: bigint | undefined;
  /** The tokens that may be paid with. Default: all that this client knows. */
  readonly tokens?: readonly KnownToken[] | undefined;
  /** Told the price before anything is signed; returns who pays it, or throws to refuse. Called once at most. */
  readonly approve: (offer: Offer) => Payer | Promise<Payer>;
  readonly journal: PaymentJournal;
  readonly patience: Patience;
  readonly signal?: AbortSignal | undefined;
  /** ETag of a reply to the same request that is here already. */
  readonly etag?: string | undefined;
}

/** What was got. */
export interface Purchase {
  /** The data; or a 304, free, where `etag` is still current. */
  readonly reply: Reply;
  /** Undefined for what is free. */
  readonly paid: PaidWith | undefined;
}

export interface PaidWith {
  readonly payment: SignedPayment;
  /** Undefined when the server sent none that can be read. */
  readonly receipt: Receipt | undefined;
}

/**
 * Gets what is at a path, and pays for it once at most. A payment that an earlier call has presented for the same
 * request without an answer is presented again, and no other is signed while it may be charged. Else it asks, has the
 * price approved, sets it aside, signs, keeps the signature, and pays; while the server says that the same payment may
 * still succeed, or gives no answer at all, the very same payment is presented again.
 *
 * @throws PurchaseError for every problem; `context.payment` says what is known of the money.
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

/** Nothing is signed whose amount is not set aside, and nothing presented that is not kept. */
async function makePayment(offer: Offer, path: string, options: PurchaseOptions): Promise<SignedPayment> {
  const { journal, signal } = options;
  assertAffordable(offer, options.maxPriceAtomic ?? defaultMaxPriceAtomic);
  const payer = await options.approve(offer);
  assertGoesOn(signal);
  const draft = draftPayment(offer, payer.address, options);
  const { nonce, validBefore } = draft.authorization;
  const reservation = {
    url: options.baseUrl + path,
    network: offer.token.network,
    asset: offer.token.address,
    payer: payer.address,
    nonce,
    amount: offer.priceAtomic.toString(),
    validBefore: Number(validBefore),
  };
  await journal.reserve(reservation);
  let isKept = false;
  try {
    const header = await signPayment(draft, payer).catch((cause: unknown) => {
      throw createPurchaseError('not_signed', 'The account did not sign the payment.', { cause });
    });
    assertGoesOn(signal);
    isKept = await journal.keep(nonce, header);
    if (!isKept) throw createPurchaseError('not_signed', 'The payment was signed too late to be of use.');
    return { ...reservation, header };
  } finally {
    if (!isKept) await journal.close(nonce, 'void');
  }
}
