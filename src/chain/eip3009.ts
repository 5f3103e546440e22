export type Hex = `0x${string}`;

/** A signed EIP-3009 transferWithAuthorization, as the payment payload carries it. Amounts in atomic units. */
export interface Authorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
  /** Unix seconds. */
  readonly validAfter: bigint;
  /** Unix seconds. */
  readonly validBefore: bigint;
  /** 32 bytes. */
  readonly nonce: Hex;
  readonly signature: Hex;
}
