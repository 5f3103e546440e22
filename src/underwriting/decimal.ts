import { Decimal } from 'decimal.js';
import type { DecimalText } from '../decimal-text.js';

/** Decimal arithmetic of underwriting and scoring: 34 digits, half-up, apart from any global setting of decimal.js. */
export const Exact = Decimal.clone({ precision: 34, rounding: Decimal.ROUND_HALF_UP });
export type Exact = Decimal;

/** Such as thresholds, and prices that are round. */
const readBefore = new Map<string, Exact>();
const mostRemembered = 5_000;

/** The decimal that a text is; what is read again and again is read once. */
export function exactOf(text: DecimalText): Exact {
  const known = readBefore.get(text);
  if (known !== undefined) return known;
  if (readBefore.size >= mostRemembered) readBefore.clear();
  const exact = new Exact(text);
  readBefore.set(text, exact);
  return exact;
}

/**
 * A figure as its buyer reads it, with two digits, half-up: rules that build on a published figure reckon with this.
 */
export function publishedExact(figure: Decimal.Value): Exact {
  return new Exact(figure).toDecimalPlaces(2);
}

/** A figure as it is published: rounded half-up to its digits, plain notation, never "-0.00". */
export function publish(value: Exact, digits: number): string {
  const text = value.toFixed(digits, Decimal.ROUND_HALF_UP);
  return /^-[0.]+$/.test(text) ? text.slice(1) : text;
}
