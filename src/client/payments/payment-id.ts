import { sha256, stringToHex } from 'viem';

/** The unique key of a payment. */
export interface PaymentKey {
  /** CAIP-2 name. */
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
}

/** The public id of a payment, as the contract defines it: SHA-256 over `network/asset/payer/nonce` in lower case. */
export function paymentIdOf({ network, asset, payer, nonce }: PaymentKey): string {
  return sha256(stringToHex([network, asset, payer, nonce].join('/').toLowerCase()));
}
