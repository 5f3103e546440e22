import {
  lowerHex,
  type Authorization,
  type AuthorizationVerifier,
  type Hex,
} from '../../src/payments/chain/eip3009.js';
import type { PaymentKey } from '../../src/payments/ledger/ledger.js';
import { networks } from '../../src/wire/networks.js';
import { paymentIdentifier } from '../../src/payments/gate/read-payment.js';
import { requirementsFor, type PaymentTerms } from '../../src/payments/terms.js';

/** The requested operation with its query. */
export interface Wanted {
  readonly operationId: string;
  readonly query: string;
}

/** A signed payment and its purchase. */
export interface Purchase {
  /** Its name in the story. */
  readonly name: string;
  readonly authorization: Authorization;
  /** The PAYMENT-SIGNATURE header. */
  readonly header: string;
  readonly wanted: Wanted;
  /** The buyer's own identifier of it, if any. */
  readonly identifier: string | undefined;
}

const network = networks.find(({ isLocal }) => isLocal) ?? missing();

/** The seller of the simulated service. */
export const terms: PaymentTerms = { network, payTo: hexOf(0x9a1d, 20) };

/** A receiver outside the service: the payer may spend a presented nonce there. */
export const stranger: Hex = hexOf(0xe15e, 20);

/** The accounts of the relayer keys, of which there is one more than instances. */
export const relayers: readonly Hex[] = [1, 2, 3, 4].map((number) => hexOf(0xf000 + number, 20));

const goodSignature = `0x${'5'.repeat(128)}1b` as const;
const forgedSignature = `0x${'6'.repeat(128)}1b` as const;

/** Replaces the signature verifier, which has its own tests: it knows the two signatures that exist here. */
export const verifier: AuthorizationVerifier = {
  digest: () => hexOf(1, 32),
  recover: ({ from, signature }) => (signature === goodSignature ? from : undefined),
  isSignedByPayer: ({ signature }) => signature === goodSignature,
};

/** Signs a payment of the price for a purchase. */
export function createPurchase(
  name: string,
  wanted: Wanted,
  paying: {
    readonly payer: number;
    readonly nonce: number;
    readonly amount: bigint;
    readonly validAfter: bigint;
    readonly validBefore: bigint;
    readonly identifier: string | undefined;
  },
): Purchase {
  const authorization: Authorization = {
    from: hexOf(0xa000 + paying.payer, 20),
    to: terms.payTo,
    value: paying.amount,
    validAfter: paying.validAfter,
    validBefore: paying.validBefore,
    nonce: hexOf(paying.nonce, 32),
    signature: goodSignature,
  };
  const { identifier } = paying;
  return { name, wanted, authorization, identifier, header: headerOf(authorization, identifier) };
}

/** The same payment under another identifier, or under none. */
export function identify(purchase: Purchase, identifier: string | undefined): Purchase {
  return { ...purchase, identifier, header: headerOf(purchase.authorization, identifier) };
}

/** Its key in the ledger. */
export function keyOf({ authorization: { from, nonce } }: Purchase): PaymentKey {
  return { network: network.id, asset: lowerHex(network.asset), payer: from, nonce };
}

/** The same payment with a signature that is not the payer's. */
export function forge({ authorization, identifier }: Purchase): string {
  return headerOf({ ...authorization, signature: forgedSignature }, identifier);
}

function headerOf({ signature, ...authorization }: Authorization, identifier: string | undefined): string {
  const { value, validAfter, validBefore } = authorization;
  const payload = {
    x402Version: 2,
    accepted: requirementsFor(terms, value),
    payload: {
      signature,
      authorization: {
        ...authorization,
        value: value.toString(),
        validAfter: validAfter.toString(),
        validBefore: validBefore.toString(),
      },
    },
    ...(identifier === undefined ? {} : { extensions: { [paymentIdentifier]: { info: { id: identifier } } } }),
  };
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}

/** A number as hexadecimal text of `bytes` bytes. */
export function hexOf(value: number, bytes: number): Hex {
  return `0x${value.toString(16).padStart(2 * bytes, '0')}`;
}

function missing(): never {
  throw new Error('There is no local network');
}
