import { assertAffordable, chooseOffer, type Offer } from '../payments/choose-offer.js';
import { decodeBase64Json } from '../wire/base64-json.js';
import { findChallenge, readChallenge } from '../payments/challenge.js';
import { asksForProof, createProver, proofPath, proveWallet } from '../payments/prove-wallet.js';
import { createPurchaseError } from '../error-classes.js';
import { lastChargeMs } from '../payments/payment-journal.js';
import { paymentIdOf } from '../payments/payment-id.js';
import { isBeyondBounds, PurchaseError } from '../payments/purchase-error.js';
import { draftPayment, signPayment, type Draft, type DraftPorts } from '../payments/sign-payment.js';
import { formatUsd } from '../payments/usd.js';
import type { Account } from '../deals-client.js';
import { findOperation, requestPath } from '../wire/operation-paths.js';
import type { Reply } from '../service-client.js';
import type { Budget } from './budget.js';
import { paymentKey, type ToolLink } from './tool-link.js';

/** The payer and the limits. */
export interface Wallet extends DraftPorts {
  readonly payerOf: (offer: Offer) => Account;
  /** Atomic units. Nothing above it is signed. */
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

const firstPauseMs = 500;

/**
 * Calls a tool and pays when it asks for payment: signs once, and presents that payment until the outcome is clear. A
 * payment that somebody else has sent is proven over HTTP. Signs nothing above the price limit or the budget, nor for
 * faulty arguments. A possibly charged amount stays reserved.
 * @throws PurchaseError when nothing was signed, `outcome_unknown` when no clear answer to a payment arrived, and
 *   `reply_too_large` or `reply_stalled`, which name the payment.
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
      `The price is ${formatUsd(offer.priceAtomic)}; the budget has ${formatUsd(budget.left())} left. Nothing was paid.`,
    );
  }
  const draft = draftPayment(offer, payer.address, wallet);
  const header = await signPayment(draft, payer).catch((error: unknown) => {
    budget.giveBack(offer.priceAtomic, wallet.now());
    throw error;
  });
  const authorization = { payer: payer.address, nonce: draft.authorization.nonce };
  const { id: network, asset } = offer.token;
  const paymentId = paymentIdOf({ network, asset, ...authorization });
  const call = { ...params, _meta: { ...params._meta, [paymentKey]: decodeBase64Json(header) } };
  let presented = await present(link, call, patience);
  const proven = { given: params.arguments, header, paymentId, payer };
  if (presented.result !== undefined && (await proveOverHttp(link, proven, presented.result)))
    presented = { ...(await present(link, call, patience)), isUncertain: true };
  const { result, isUncertain, beyond } = presented;
  if (result === undefined) {
    const told = 'The payment was presented, and no clear answer came back.';
    throw createPurchaseError(beyond?.reason ?? 'outcome_unknown', beyond?.message ?? told, {
      payment: 'unknown',
      authorization,
      paymentId,
    });
  }
  // Not at once, because a budget does not trust the server.
  if (isRefused(result) && !isUncertain && isUnspent(result))
    budget.giveBack(offer.priceAtomic, overAt(draft.authorization));
  return result;
}

interface Presented {
  /** The arguments of the tool. */
  readonly given: CallParams['arguments'];
  /** As PAYMENT-SIGNATURE. */
  readonly header: string;
  readonly paymentId: string;
  readonly payer: Account;
}

/**
 * Buys the equal call over HTTP where a refusal asks for the payer's proof, for which a tool call has no place:
 * somebody else has sent the payment. The tool then shows what was bought. False when no proof is asked for, or none
 * can be given.
 */
async function proveOverHttp(
  { baseUrl, send }: Pick<ToolLink, 'baseUrl' | 'send'>,
  { given, header, paymentId, payer }: Presented,
  refusal: Result,
): Promise<boolean> {
  const challenge = isRefused(refusal) ? findChallenge(asReply(refusal)) : undefined;
  const prover = createProver(payer);
  if (challenge === undefined || !asksForProof(challenge) || prover === undefined) return false;
  const { next } = contentOf(refusal) as { readonly next?: readonly { readonly url: string }[] };
  const operationId = next?.map(({ url }) => findOperation(url)).find((id) => id !== undefined && id !== 'getPayment');
  const proof = await proveWallet(challenge, baseUrl + proofPath(paymentId), prover).catch(() => undefined);
  if (operationId === undefined || proof === undefined) return false;
  const headers = { 'PAYMENT-SIGNATURE': header, 'SIGN-IN-WITH-X': proof };
  // The tool tells next what came of it.
  await send(requestPath(operationId, given), headers).catch(() => undefined);
  return true;
}

/** Below one minute, after which MCP clients abandon a call. */
const firstPublicationSeconds = 45;

/** Calls the tool, and again after the server's Retry-After while the feed awaits its first publication. */
async function askWhenPublished(link: ToolLink, params: CallParams, { sleep }: CallPatience): Promise<Result> {
  for (let waitedSeconds = 0; ;) {
    const result = await link.ask('tools/call', { ...params });
    const seconds = isRefused(result) && contentOf(result)['reason'] === 'not_yet_published' && retryAfterOf(result);
    if (!seconds || waitedSeconds + seconds > firstPublicationSeconds) return result;
    waitedSeconds += seconds;
    await sleep(seconds * 1_000);
  }
}

/** Seconds; undefined when the result has none. */
function retryAfterOf({ _meta }: Result): number | undefined {
  const seconds = typeof _meta === 'object' && _meta !== null ? (_meta as Result)['retry-after'] : undefined;
  return typeof seconds === 'number' && seconds >= 1 ? seconds : undefined;
}

/** The moment from which an authorization can no longer be charged. */
function overAt({ validBefore }: Draft['authorization']): Date {
  return new Date(lastChargeMs({ validBefore: Number(validBefore) }));
}

/**
 * Presents one payment until the outcome is clear, or an answer is beyond the bounds. `isUncertain`: an earlier attempt
 * may have been charged.
 */
async function present(link: ToolLink, params: CallParams, { maxAttempts, sleep }: CallPatience) {
  let isUncertain = false;
  let beyond: PurchaseError | undefined;
  for (let attempt = 1; ; attempt++) {
    const result = await link.ask('tools/call', { ...params }).catch((error: unknown) => {
      // No PurchaseError tells the state of the payment.
      if (!(error instanceof PurchaseError)) throw error;
      if (isBeyondBounds(error)) beyond = error;
      return undefined;
    });
    const isEnd = attempt >= maxAttempts || (result === undefined ? beyond !== undefined : !mayEndOtherwise(result));
    if (isEnd) return { result, isUncertain, beyond };
    isUncertain ||= result === undefined || !isUnspent(result);
    await sleep(firstPauseMs * 2 ** (attempt - 1));
  }
}

/** The offer of a refusal; undefined when no payment is asked for, as for a mistake. */
function findOffer(result: Result): Offer | undefined {
  const { accepts } = contentOf(result);
  if (!isRefused(result) || !Array.isArray(accepts) || accepts.length === 0) return undefined;
  return chooseOffer(readChallenge(asReply(result)));
}

/** A refusal as HTTP has it. */
function asReply(refusal: Result): Reply {
  return { status: 402, headers: new Headers(), text: '', error: contentOf(refusal) };
}

function mayEndOtherwise(result: Result): boolean {
  const { retryable, retry_same_payment: retrySame, accepts } = contentOf(result);
  // What asks for a proof ends the same without one.
  return isRefused(result) && (retryable === true || (retrySame === true && accepts === undefined));
}

function isRefused({ isError }: Result): boolean {
  return isError === true;
}

/** The server's statement that this attempt was not charged. */
function isUnspent(result: Result): boolean {
  return ['none', 'not_settled'].includes(String(contentOf(result)['payment']));
}

function contentOf({ structuredContent }: Result): Result {
  return typeof structuredContent === 'object' && structuredContent !== null ? (structuredContent as Result) : {};
}
