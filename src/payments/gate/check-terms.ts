import type { Decoded } from '../../contract/paths.js';
import type { Authorization } from '../chain/eip3009.js';
import { ServiceError, type Reason } from '../../errors.js';
import type { ResourceMatch } from './resource-match.js';
import type { PaymentPayload } from './read-payment.js';
import type { PaymentRequirements } from '../terms.js';

/** A shorter remaining window leaves no time to settle. */
const minRemainingSeconds = 10;
/** Some official clients set `validBefore` an hour ahead, although the offer announces less. */
const maxRemainingSeconds = 3_660;

/** Longest resource URL that a refusal repeats. */
const maxNamedLength = 1_000;

/** The request and the terms that a payment must match. */
export interface AskedProduct {
  readonly requirements: PaymentRequirements;
  readonly asked: Decoded;
  readonly publicBaseUrl: string;
  readonly isResource: ResourceMatch;
}

/**
 * Checks the terms, which need no signature and no chain: this product, its price, and a valid window.
 *
 * @returns the refusal, or undefined when all holds. Codes are those of x402.
 */
export function checkTerms(
  payload: PaymentPayload,
  authorization: Authorization,
  product: AskedProduct,
  now: Date,
): ServiceError | undefined {
  const { accepted } = payload;
  const { requirements } = product;
  if (accepted.network !== requirements.network)
    return refusal('payment_invalid', 'invalid_network', `Pay on ${requirements.network}.`);
  const payTo = requirements.payTo.toLowerCase();
  const isOurAsset = accepted.asset.toLowerCase() === requirements.asset.toLowerCase();
  if (!isOurAsset || accepted.payTo.toLowerCase() !== payTo) {
    return refusal(
      'payment_invalid',
      'invalid_payment_requirements',
      'The payment is not for the asset and the receiver that this server asks for.',
    );
  }
  if (authorization.to !== payTo) {
    return refusal(
      'payment_invalid',
      'invalid_exact_evm_payload_recipient_mismatch',
      `The authorization must pay ${requirements.payTo}.`,
    );
  }
  const named = payload.resource?.url;
  if (named !== undefined && !product.isResource(named, product.asked)) {
    const asked = product.publicBaseUrl + product.asked.resource;
    return refusal(
      'payment_wrong_resource',
      'invalid_payment_requirements',
      `The payment names ${named.slice(0, maxNamedLength)}; this request is ${asked}. Nothing was used.`,
    );
  }
  if (accepted.amount !== requirements.amount || authorization.value !== BigInt(requirements.amount)) {
    return refusal(
      'payment_amount_mismatch',
      'invalid_exact_evm_payload_authorization_value',
      `The price is ${requirements.amount} atomic units, exactly.`,
    );
  }
  return checkWindow(authorization, BigInt(Math.floor(now.getTime() / 1000)));
}

function checkWindow({ validAfter, validBefore }: Authorization, nowSeconds: bigint): ServiceError | undefined {
  if (validAfter > nowSeconds) {
    return refusal(
      'payment_invalid',
      'invalid_exact_evm_payload_authorization_valid_after',
      'The authorization is not valid yet.',
    );
  }
  if (validBefore < nowSeconds + BigInt(minRemainingSeconds)) {
    return refusal(
      'payment_expired',
      'invalid_exact_evm_payload_authorization_valid_before',
      `The authorization must be valid for ${minRemainingSeconds} more seconds.`,
    );
  }
  if (validBefore > nowSeconds + BigInt(maxRemainingSeconds)) {
    // Not the code of validBefore, which clients read as expired.
    const longest = maxRemainingSeconds.toLocaleString('en-US');
    return refusal(
      'payment_invalid',
      'invalid_payload',
      `The authorization may end ${longest} seconds from now at most.`,
    );
  }
  return undefined;
}

function refusal(reason: Reason, paymentError: string, detail: string): ServiceError {
  return new ServiceError(reason, detail, { payment: 'not_settled', paymentError });
}
