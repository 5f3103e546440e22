import { assertAffordable } from '../payments/assert-affordable.js';
import { decodeBase64Json } from '../wire/base64-json.js';
import { readChallenge } from '../payments/challenge.js';
import { chooseOffer, type Offer } from '../payments/choose-offer.js';
import { createPurchaseError } from '../error-classes.js';
import { lastChargeMs } from '../payments/payment-journal.js';
import { PurchaseError } from '../payments/purchase-error.js';
import { draftPayment, signPayment, type Draft, type DraftPorts, type Payer } from '../payments/sign-payment.js';
import { formatUsd } from '../payments/usd.js';
import type { Budget } from './budget.js';
import type { ToolLink } from './tool-link.js';

/** Who pays, and how much at most. */
export interface Wallet extends DraftPorts {
  readonly payerOf: (offer: Offer) => Payer;
  /** Atomic units; nothing dearer is signed. */
  readonly maxPriceAtomic: bigint;
  readonly budget: Budget;
}

export interface CallPatience {
  readonly maxAttempts: number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The parameters of `tools/call`. */
export interface CallParams {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

type Result = Record<string, unknown>;

/** Where x402 has its payments in MCP. */
const paymentKey = 'x402/payment';
const firstPauseMs = 500;

/**
 * Calls a tool, and pays where it asks to: signs once, and presents that same payment until the outcome is clear.
 * Nothing is signed beyond the price limit and the budget, nor for a call with faulty arguments. What may have been
 * paid stays set aside.
 *
 * @throws PurchaseError where nothing was signed, and `outcome_unknown` where no clear answer came to a payment.
 */
export async function payForCall(
  link: ToolLink,
  params: CallParams,
  wallet: Wallet,
  patience: CallPatience,
): Promise<Result> {
  const asked = await askWhenPublished(link, params, patience);
  const offer = params._meta?.[paymentKey] === undefined ? findOffer(asked) : undefined;
  if (offer === undefined) return asked;
  const { budget } = wallet;
  assertAffordable(offer, wallet.maxPriceAtomic);
  const payer = wallet.payerOf(offer);
  if (!budget.take(offer.priceAtomic)) {
    throw createPurchaseError(
      'budget_exceeded',
      `The price is ${formatUsd(offer.priceAtomic)}; of the budget ${formatUsd(budget.left())} are left. Nothing was signed.`,
    );
  }
  const draft = draftPayment(offer, payer.address, wallet);
  const header = await signPayment(draft, payer).catch((error: unknown) => {
    budget.giveBack(offer.priceAtomic, wallet.now());
    throw error;
  });
  const _meta = { ...params._meta, [paymentKey]: decodeBase64Json(header) };
  const { result, isUncertain } = await present(link, { ...params, _meta }, patience);
  if (result === undefined) {
    throw createPurchaseError('outcome_unknown', 'The payment was presented, and no clear answer came back.', {
      payment: 'unknown',
      authorization: { payer: payer.address, nonce: draft.authorization.nonce },
    });
  }
  // Not at once: a budget does not rest on the server's word.
  if (isRefused(result) && !isUncertain && isUnspent(result))
    budget.giveBack(offer.priceAtomic, overAt(draft.authorization));
  return result;
}

/** Below the minute after which clients of the protocol give a call up. */
const firstPublicationSeconds = 45;

/** Asks, and asks again as the server says while the feed is published for the first time. */
async function askWhenPublished(link: ToolLink, params: CallParams, { sleep }: CallPatience): Promise<Result> {
  for (let waitedSeconds = 0; ;) {
    const result = await link.ask('tools/call', { ...params });
    const seconds = isRefused(result) && contentOf(result)['reason'] === 'not_yet_published' && retryAfterOf(result);
    if (!seconds || waitedSeconds + seconds > firstPublicationSeconds) return result;
    waitedSeconds += seconds;
    await sleep(seconds * 1_000);
  }
}

/** Seconds; undefined where the result names none. */
function retryAfterOf({ _meta }: Result): number | undefined {
  const seconds = typeof _meta === 'object' && _meta !== null ? (_meta as Result)['retry-after'] : undefined;
  return typeof seconds === 'number' && seconds >= 1 ? seconds : undefined;
}

/** From when on an authorization can surely not be charged any more. */
function overAt({ validBefore }: Draft['authorization']): Date {
  return new Date(lastChargeMs({ validBefore: Number(validBefore) }));
}

/** Presents one payment until the outcome is clear. `isUncertain`: an attempt may have been paid for all the same. */
async function present(link: ToolLink, params: CallParams, { maxAttempts, sleep }: CallPatience) {
  let isUncertain = false;
  for (let attempt = 1; ; attempt++) {
    const result = await link.ask('tools/call', { ...params }).catch((error: unknown) => {
      // Whatever it is, it does not say what became of the payment.
      if (error instanceof PurchaseError) return undefined;
      throw error;
    });
    const isEnd = attempt >= maxAttempts || (result !== undefined && !mayEndOtherwise(result));
    if (isEnd) return { result, isUncertain };
    isUncertain ||= result === undefined || !isUnspent(result);
    await sleep(firstPauseMs * 2 ** (attempt - 1));
  }
}

/** The offer of a refusal; undefined where nothing is asked for, or where the arguments are to be corrected first. */
function findOffer(result: Result): Offer | undefined {
  const { accepts, errors } = contentOf(result);
  if (!isRefused(result) || !Array.isArray(accepts) || accepts.length === 0) return undefined;
  if (Array.isArray(errors) && errors.length > 0) return undefined;
  return chooseOffer(readChallenge({ status: 402, headers: new Headers(), text: '', error: contentOf(result) }));
}

function mayEndOtherwise(result: Result): boolean {
  const { retryable, retry_same_payment: retrySame } = contentOf(result);
  return isRefused(result) && (retryable === true || retrySame === true);
}

function isRefused({ isError }: Result): boolean {
  return isError === true;
}

/** The server's word that this attempt has cost nothing. */
function isUnspent(result: Result): boolean {
  return ['none', 'not_settled'].includes(String(contentOf(result)['payment']));
}

function contentOf({ structuredContent }: Result): Result {
  return typeof structuredContent === 'object' && structuredContent !== null ? (structuredContent as Result) : {};
}
