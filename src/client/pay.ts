import { randomBytes } from 'node:crypto';
import type { Hex, LocalAccount } from 'viem';
import type { Offer } from './choose-offer.js';
import { PurchaseError } from './purchase-error.js';
import { formatUsd } from './usd.js';

/** Whoever signs: an account of viem, or anything else with these two. */
export type Payer = Pick<LocalAccount, 'address' | 'signTypedData'>;

export interface PayOptions {
  /** Atomic units; nothing dearer is signed. Default $0.10. */
  readonly maxPriceAtomic?: bigint;
  readonly now?: () => Date;
  /** 32 bytes that no other authorization of the payer has. */
  readonly nonce?: () => Hex;
}

/** A signed payment. Presenting it any number of times charges once at most. */
export interface Payment {
  /** The value of the PAYMENT-SIGNATURE header. */
  readonly header: string;
  readonly payer: Hex;
  readonly nonce: Hex;
}

export const defaultMaxPriceAtomic = 100_000n;

/** A clock that is behind the chain's must not make an authorization invalid. */
const clockSlackSeconds = 600;
/** However long a server would like it to be: an unused signature must die soon. */
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

/**
 * Signs an offer: the EIP-3009 authorization of exactly the price, in the PaymentPayload of x402 v2. The domain is the
 * token's as this client knows it, not as the server calls it.
 *
 * @throws PurchaseError `price_above_limit`, before anything is signed.
 */
export async function pay(offer: Offer, payer: Payer, options: PayOptions = {}): Promise<Payment> {
  const { maxPriceAtomic = defaultMaxPriceAtomic, now = () => new Date(), nonce: drawNonce = randomNonce } = options;
  const { challenge, requirement, token, priceAtomic } = offer;
  if (priceAtomic > maxPriceAtomic) {
    throw new PurchaseError(
      'price_above_limit',
      `The price is ${formatUsd(priceAtomic)}, above the limit of ${formatUsd(maxPriceAtomic)}. Nothing was signed.`,
    );
  }
  const nowSeconds = Math.floor(now().getTime() / 1000);
  const authorization = {
    from: payer.address,
    to: toHex(requirement.payTo),
    value: priceAtomic,
    validAfter: BigInt(nowSeconds - clockSlackSeconds),
    validBefore: BigInt(nowSeconds + Math.floor(Math.min(requirement.maxTimeoutSeconds, maxLifetimeSeconds))),
    nonce: drawNonce(),
  };
  const signature = await payer.signTypedData({
    domain: { name: token.name, version: token.version, chainId: token.chainId, verifyingContract: token.address },
    types,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  });
  const payload = {
    x402Version: 2,
    resource: challenge.resource,
    accepted: requirement,
    payload: {
      signature,
      authorization: {
        ...authorization,
        value: authorization.value.toString(),
        validAfter: authorization.validAfter.toString(),
        validBefore: authorization.validBefore.toString(),
      },
    },
  };
  return {
    header: Buffer.from(JSON.stringify(payload)).toString('base64'),
    payer: payer.address,
    nonce: authorization.nonce,
  };
}

function randomNonce(): Hex {
  return `0x${randomBytes(32).toString('hex')}`;
}

function toHex(address: string): Hex {
  return `0x${address.slice(2)}`;
}
