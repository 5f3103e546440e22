import { Decimal } from 'decimal.js';

/**
 * A USD price in atomic units of a dollar token with 6 decimals: "0.05" is 50000n.
 *
 * @throws RangeError when the text is no positive plain decimal, or when a digit would be lost.
 */
export function toAtomicUnits(usd: string): bigint {
  if (!/^[0-9]+(\.[0-9]+)?$/.test(usd)) throw new RangeError(`Not a plain decimal amount: ${usd}`);
  const atomic = new Decimal(usd).times(1_000_000);
  if (!atomic.isInteger() || atomic.lte(0)) throw new RangeError(`Not a positive amount of whole atomic units: ${usd}`);
  return BigInt(atomic.toFixed(0));
}

/** The amount as USD text without trailing zeros beyond cents: 50000n is "0.05", 1234567n is "1.234567". */
export function fromAtomicUnits(atomic: bigint): string {
  const usd = new Decimal(atomic.toString()).div(1_000_000);
  return usd.toFixed(Math.max(2, usd.decimalPlaces()));
}
