import { Decimal } from 'decimal.js';

/** Decimal arithmetic of underwriting and scoring: 34 digits, half-up, apart from any global setting of decimal.js. */
export const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });
export type Exact = Decimal;

/** A figure as it is published: rounded half-up to its digits, plain notation, never "-0.00". */
export function publish(value: Exact, digits: number): string {
  const text = value.toFixed(digits, Decimal.ROUND_HALF_UP);
  return /^-[0.]+$/.test(text) ? text.slice(1) : text;
}
