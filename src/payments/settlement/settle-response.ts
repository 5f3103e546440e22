/** The SettleResponse of x402 v2. */
export interface SettleResponse {
  readonly success: boolean;
  readonly errorReason?: string;
  readonly payer: string;
  /** Hash of the transaction; empty on failure. */
  readonly transaction: string;
  readonly network: string;
  /** Atomic units. */
  readonly amount?: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The value of the PAYMENT-RESPONSE header. */
export function encodeSettleResponse(response: SettleResponse): string {
  return Buffer.from(JSON.stringify(response)).toString('base64');
}
