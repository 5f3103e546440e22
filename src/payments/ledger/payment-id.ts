import { createHash } from 'node:crypto';
import { paymentName } from './payment-row.js';
import type { Hex } from '../chain/eip3009.js';
import type { PaymentKey } from './ledger.js';

/**
 * The public id of a payment: SHA-256 over the text `network/asset/payer/nonce`, all in lower case, hex with 0x.
 * Whoever signed the authorization can compute it before anything is sent; it reveals neither reply nor signature.
 */
export function paymentIdOf(key: PaymentKey): Buffer {
  return createHash('sha256').update(paymentName(key)).digest();
}

/**
 * The id of a transfer that bought nothing: its payment's, where an authorization names one; else SHA-256 over
 * `network/asset/transaction/log index`.
 */
export function orphanIdOf(transfer: {
  readonly network: string;
  readonly asset: Hex;
  readonly payer: Hex;
  readonly nonce: Hex | undefined;
  readonly transaction: Hex;
  readonly logIndex: number;
}): Buffer {
  const { network, asset, payer, nonce, transaction, logIndex } = transfer;
  if (nonce !== undefined) return paymentIdOf({ network, asset, payer, nonce });
  return createHash('sha256').update(`${network}/${asset}/${transaction}/${logIndex}`).digest();
}

/** The public id as it is written: hex with 0x. */
export function publicPaymentId(key: PaymentKey): string {
  return `0x${paymentIdOf(key).toString('hex')}`;
}
