import type { Authorization, Hex } from '../chain/eip3009.js';
import { ServiceError } from '../../errors.js';
import { decodeBase64Json } from './decode-base64-json.js';
import type { PaymentRequirements } from './terms.js';

/** A PaymentPayload of x402 v2, scheme exact, as its schema in the contract has it. */
export interface PaymentPayload {
  readonly x402Version: 2;
  readonly resource?: { readonly url: string };
  readonly accepted: PaymentRequirements;
  readonly payload: {
    readonly signature: Hex;
    readonly authorization: {
      readonly from: Hex;
      readonly to: Hex;
      readonly value: string;
      readonly validAfter: string;
      readonly validBefore: string;
      readonly nonce: Hex;
    };
  };
  /** What clients echo of the offer, and what they add to it; unknown extensions are none of our business. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/**
 * Reads the payment header.
 *
 * @returns undefined when the request carries none.
 * @throws ServiceError `payment_malformed` (400) when it is not one base64 text of a JSON object, and
 *   `payment_invalid` (402) when it is no PaymentPayload of x402 v2.
 */
export function readPaymentHeader(
  values: readonly string[],
  isPaymentPayload: (value: unknown) => value is PaymentPayload,
): PaymentPayload | undefined {
  const [value, ...others] = values;
  if (value === undefined) return undefined;
  if (others.length > 0) throw malformed('may be sent once');
  const payload = decodeBase64Json(value, malformed);
  if (isPaymentPayload(payload)) return payload;
  const version: unknown = Reflect.get(payload, 'x402Version');
  throw version === 2
    ? new ServiceError('payment_invalid', 'The payment is no PaymentPayload of x402 version 2, scheme exact.', {
        payment: 'not_settled',
        paymentError: 'invalid_payload',
      })
    : new ServiceError('payment_invalid', 'Only version 2 of x402 is accepted.', {
        payment: 'not_settled',
        paymentError: 'invalid_x402_version',
      });
}

/** The signed authorization inside a payload, numbers as integers and addresses in lower case. */
export function authorizationOf({ payload }: PaymentPayload): Authorization {
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  return {
    from: lower(from),
    to: lower(to),
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce: lower(nonce),
    signature: lower(payload.signature),
  };
}

function lower(hex: Hex): Hex {
  return `0x${hex.slice(2).toLowerCase()}`;
}

function malformed(fault: string): ServiceError {
  return new ServiceError('payment_malformed', `The PAYMENT-SIGNATURE header ${fault}.`, { payment: 'not_settled' });
}
