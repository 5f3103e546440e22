import { createHash, createHmac } from 'node:crypto';
import type { ContractOperation } from '../../contract/contract.js';
import type { Decoded } from '../../contract/paths.js';
import { ServiceError } from '../../errors.js';
import { lowerHex, type Authorization, type Hex } from '../chain/eip3009.js';
import { decodeJsonHeader } from '../json-header.js';
import type { BoundPayment } from '../verified-payment.js';
import type { PaymentRequirements } from '../terms.js';

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
  /** Clients echo the offer here, and add their own; unknown extensions are ignored. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Name of the x402 extension by which a buyer gives a payment an identifier of its own. */
export const paymentIdentifier = 'payment-identifier';

/** Hashes the buyer's identifier, which is secret: the stored hash reveals nothing without the key. */
export type HashClientId = (payer: Hex, id: string) => Uint8Array;

/** Creates the keyed hash of identifiers. `key`: the one of the database's hashes. */
export function createClientIdHash(key: string): HashClientId {
  return (payer, id) => createHmac('sha256', key).update(`${paymentIdentifier}\n${payer}\n${id}`).digest();
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
  const payload = decodeJsonHeader(value, malformed);
  if (isPaymentPayload(payload)) return payload;
  const version: unknown = Reflect.get(payload, 'x402Version');
  throw version === 2
    ? invalid('The payment is no PaymentPayload of x402 version 2, scheme exact.')
    : invalid('Only version 2 of x402 is accepted.', 'invalid_x402_version');
}

/**
 * Binds a payment to the operation, the canonical parameters and the price: with these a retry is the same purchase.
 * Nothing is checked here but the form of the buyer's own identifier.
 *
 * @throws ServiceError `payment_invalid`
 */
export function bindPayment(
  operation: ContractOperation,
  requirements: PaymentRequirements,
  payload: PaymentPayload,
  { canonical, resource }: Pick<Decoded, 'canonical' | 'resource'>,
  hashClientId: HashClientId,
): BoundPayment {
  const authorization = authorizationOf(payload);
  const clientId = readPaymentIdentifier(payload);
  // The price that was signed, not today's: a retry after a change of prices is still the same purchase.
  const bound = `${operation.method} ${operation.path}\n${canonical}\n${authorization.value}`;
  return {
    key: {
      network: requirements.network,
      asset: `0x${requirements.asset.slice(2).toLowerCase()}`,
      payer: authorization.from,
      nonce: authorization.nonce,
    },
    authorization,
    binding: createHash('sha256').update(bound).digest(),
    operationId: operation.operationId,
    resource,
    clientIdHash: clientId === undefined ? undefined : hashClientId(authorization.from, clientId),
  };
}

/** The signed authorization inside a payload, numbers as integers and addresses in lower case. */
export function authorizationOf({ payload }: PaymentPayload): Authorization {
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  return {
    from: lowerHex(from),
    to: lowerHex(to),
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce: lowerHex(nonce),
    signature: lowerHex(payload.signature),
  };
}

/**
 * The buyer's identifier in a payload (x402 extension payment-identifier); undefined where the extension is missing or
 * merely echoed.
 *
 * @throws ServiceError `payment_invalid` when it is no identifier that the extension allows; the identifier itself is
 *   a secret and not repeated.
 */
export function readPaymentIdentifier({ extensions }: PaymentPayload): string | undefined {
  const extension = extensions?.[paymentIdentifier] as { readonly info?: { readonly id?: unknown } | null } | null;
  const id = extension?.info?.id;
  if (id === undefined) return undefined;
  if (typeof id === 'string' && /^[A-Za-z0-9_-]{16,128}$/.test(id)) return id;
  throw invalid(
    'The id of the payment-identifier extension must be a text of 16 to 128 letters, digits, hyphens and underscores. ' +
      'The payment was not used: send it again with such an id, or without one.',
  );
}

function malformed(fault: string): ServiceError {
  return new ServiceError('payment_malformed', `The PAYMENT-SIGNATURE header ${fault}.`, { payment: 'not_settled' });
}

function invalid(detail: string, paymentError = 'invalid_payload'): ServiceError {
  return new ServiceError('payment_invalid', detail, { payment: 'not_settled', paymentError });
}
