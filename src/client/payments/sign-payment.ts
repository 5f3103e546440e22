import { bytesToHex, type Hex } from 'viem';
import { encodeBase64Json } from '../wire/base64-json.js';
import type { Offer } from './choose-offer.js';
import type { Payer } from './payer.js';

/** A payment before its signature: the EIP-3009 authorization of exactly the price. */
export interface Draft {
  readonly offer: Offer;
  readonly authorization: {
    readonly from: Hex;
    readonly to: Hex;
    readonly value: bigint;
    /** Unix seconds. */
    readonly validAfter: bigint;
    readonly validBefore: bigint;
    readonly nonce: Hex;
  };
  /** The buyer's secret: presented with the payment, it returns the reply again. */
  readonly identifier: string;
}

export interface DraftPorts {
  readonly now: () => Date;
  /** Returns `length` unpredictable bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
}

/** Keeps an authorization valid when the buyer's clock is slow. */
const clockSlackSeconds = 600;
/** Caps the server's requested lifetime, because an unused signature must expire soon. */
const maxLifetimeSeconds = 600;

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** Drafts the payment of an offer, with a unique nonce. */
export function draftPayment(offer: Offer, payer: Hex, { now, randomBytes }: DraftPorts): Draft {
  const { requirement, priceAtomic } = offer;
  const nowSeconds = Math.floor(now().getTime() / 1000);
  return {
    offer,
    authorization: {
      from: payer,
      to: `0x${requirement.payTo.slice(2)}`,
      value: priceAtomic,
      validAfter: BigInt(nowSeconds - clockSlackSeconds),
      validBefore: BigInt(nowSeconds + Math.floor(Math.min(requirement.maxTimeoutSeconds, maxLifetimeSeconds))),
      nonce: bytesToHex(randomBytes(32)),
    },
    identifier: `pay_${bytesToHex(randomBytes(16)).slice(2)}`,
  };
}

/**
 * Signs a draft. The EIP-712 domain comes from this client's table, not from the server.
 * @returns the PAYMENT-SIGNATURE header: the PaymentPayload of x402 v2. Presenting it repeatedly charges at most once.
 */
export async function signPayment({ offer, authorization, identifier }: Draft, payer: Payer): Promise<string> {
  const { challenge, requirement, token } = offer;
  const signature = await payer.signTypedData({
    domain: { ...token.domain, chainId: token.chainId, verifyingContract: token.asset },
    types,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  });
  const { value, validAfter, validBefore } = authorization;
  return encodeBase64Json({
    x402Version: 2,
    resource: challenge.resource,
    accepted: requirement,
    payload: {
      signature,
      authorization: {
        ...authorization,
        value: value.toString(),
        validAfter: validAfter.toString(),
        validBefore: validBefore.toString(),
      },
    },
    ...(challenge.extensions?.[paymentIdentifier] !== undefined && {
      extensions: { [paymentIdentifier]: { info: { required: false, id: identifier } } },
    }),
  });
}

/** The x402 extension that returns a paid reply again. */
const paymentIdentifier = 'payment-identifier';
