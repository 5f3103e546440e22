import type { Authorization, Hex } from '../chain/eip3009.js';
import { ServiceError } from '../errors.js';
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

/** Longest PAYMENT-SIGNATURE that is read, in bytes. */
export const maxPaymentHeaderBytes = 16_384;

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
  if (others.length > 0) throw malformed('The PAYMENT-SIGNATURE header may be sent once.');
  if (value.length > maxPaymentHeaderBytes) throw malformed('The PAYMENT-SIGNATURE header is longer than 16 KB.');
  const payload = parseJson(decodeBase64(value));
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

function decodeBase64(text: string): string {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw malformed('The PAYMENT-SIGNATURE header is not base64 (standard alphabet with padding).');
  }
  return Buffer.from(text, 'base64').toString('utf8');
}

function parseJson(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('The PAYMENT-SIGNATURE header does not hold JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('The PAYMENT-SIGNATURE header does not hold a JSON object.');
  }
  return value;
}

function malformed(detail: string): ServiceError {
  return new ServiceError('payment_malformed', detail, { payment: 'not_settled' });
}
