import { privateKeyToAccount } from 'viem/accounts';
import type { Offer } from './choose-offer.js';
import type { Account } from '../deals-client.js';
import { createPurchaseError } from '../error-classes.js';
import type { PurchaseError } from './purchase-error.js';

/** A private key in the environment's format. */
export type PrivateKey = `0x${string}`;

/** Publicly known: the first account of every local development chain. The demonstration gives it test dollars. */
export const demonstrationKey: PrivateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** Keys are below the order of the curve secp256k1. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The account of play money, which anybody may use. */
export function demonstrationAccount(): Account {
  return privateKeyToAccount(demonstrationKey);
}

/** True for a valid private key: 0x and 64 hexadecimal digits, between 0 and the curve order. */
export function isPrivateKey(text: string): text is PrivateKey {
  return /^0x[0-9a-fA-F]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < curveOrder;
}

/**
 * The account that pays an offer: the given key's, or the demonstration's buyer on its local chain only.
 * @throws PurchaseError `key_needed` for a real network without a key.
 */
export function choosePayer({ token }: Offer, privateKey: PrivateKey | undefined): Account {
  if (privateKey !== undefined) return privateKeyToAccount(privateKey);
  if (token.isLocal) return demonstrationAccount();
  throw createKeyNeededError(token);
}

/** The error that names the needed key for a payment in a token, and the variable for it. */
export function createKeyNeededError({ label, id }: Offer['token']): PurchaseError {
  return keyNeeded(
    `The price is in USDC on ${label} (${id}). Set PRIVATE_KEY to the key of an account that holds some there`,
  );
}

/** The error that names the needed key for a reply that was paid for in a token. */
export function createProofKeyNeededError({ label, id }: Offer['token']): PurchaseError {
  return keyNeeded(
    `The reply is for the wallet that paid, on ${label} (${id}). Set PRIVATE_KEY to the key of that wallet`,
  );
}

function keyNeeded(what: string): PurchaseError {
  return createPurchaseError('key_needed', `${what}: 0x and 64 hexadecimal digits. Nothing was paid.`);
}
