import { privateKeyToAccount } from 'viem/accounts';
import type { Offer } from './choose-offer.js';
import type { Payer } from './sign-payment.js';
import { createPurchaseError } from '../error-classes.js';
import type { PurchaseError } from './purchase-error.js';

/** A private key as the environment holds it. */
export type PrivateKey = `0x${string}`;

/** Public knowledge: the first account of every local development chain. It has test dollars on the demonstration's. */
export const demonstrationKey: PrivateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** Keys are numbers below the order of the curve secp256k1. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** True for 0x and 64 hexadecimal digits that some account has for its key. */
export function isPrivateKey(text: string): text is PrivateKey {
  return /^0x[0-9a-fA-F]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < curveOrder;
}

/**
 * The account that pays an offer: of the given key; without one the demonstration's buyer, on its local chain only.
 *
 * @throws PurchaseError `key_needed` on every other network.
 */
export function choosePayer({ token }: Offer, privateKey: PrivateKey | undefined): Payer {
  if (privateKey !== undefined) return privateKeyToAccount(privateKey);
  if (token.isLocal) return privateKeyToAccount(demonstrationKey);
  throw createKeyNeededError(token);
}

/** The error that says which key is needed for a token, and where to put it. */
export function createKeyNeededError({ label, network }: Offer['token']): PurchaseError {
  return keyNeeded(
    `The price is in USDC on ${label} (${network}). Set PRIVATE_KEY to the key of an account that holds some there`,
  );
}

/** The error that says which key is needed for a reply that was paid for in a token. */
export function createProofKeyNeededError({ label, network }: Offer['token']): PurchaseError {
  return keyNeeded(
    `The reply is for the wallet that paid, on ${label} (${network}). Set PRIVATE_KEY to the key of that wallet`,
  );
}

function keyNeeded(what: string): PurchaseError {
  return createPurchaseError('key_needed', `${what}: 0x and 64 hexadecimal digits. Nothing was signed.`);
}
