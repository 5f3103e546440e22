const atomicDigits = 6;

/** Formats atomic units of a dollar token with 6 decimals: 50000n is "0.05", 1234567n is "1.234567". */
export function formatDollars(atomic: bigint): string {
  const digits = atomic.toString().padStart(atomicDigits + 1, '0');
  const cents = digits.slice(-atomicDigits).replace(/0{1,4}$/, '');
  return `${digits.slice(0, -atomicDigits)}.${cents}`;
}

/** Formats for display: 50000n is "$0.05". */
export function formatUsd(atomic: bigint): string {
  return `$${formatDollars(atomic)}`;
}

/**
 * Parses dollars to atomic units: "0.50" and "$0.50" are 500000n.
 * @returns undefined when the text is no plain amount or has more than 6 decimals.
 */
export function parseUsd(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^\$?([0-9]{1,12})(?:\.([0-9]{1,6}))?$/.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(atomicDigits, '0'));
}
