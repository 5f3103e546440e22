/** How many transfers surely fit into one transaction. */
export const maxBatchSize = 100;

/** How this service settles payments itself. */
export interface SettlementSettings {
  /**
   * How long a payment waits for others to share its transaction while those before it are mined; 0: each goes alone.
   */
  readonly windowMs: number;
  /** How many payments share a transaction at most. */
  readonly maxItems: number;
  /** How many blocks deep a receipt must be, its own block counted. */
  readonly confirmations: number;
  /** How long a transaction may wait to be mined before it is replaced by one that offers more. */
  readonly bumpAfterMs: number;
  /** No transaction offers more for a unit of gas. */
  readonly maxFeeWei: bigint;
  /** Below gas money for this many payments the log warns. */
  readonly lowSettlements: number;
  /** What failed transfers may burn in an hour, in units of gas, before newcomers and payers with code must wait. */
  readonly failedGasPerHour: bigint;
}
