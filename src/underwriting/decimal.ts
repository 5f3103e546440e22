import { Decimal } from 'decimal.js';
import type { DecimalText } from '../decimal-text.js';

/** Decimal arithmetic for underwriting and scoring: 40 digits, half-up, independent of global decimal.js settings. */
export const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP });
export type Exact = Decimal;

/** Caches values that repeat, such as thresholds and round prices. */
const readBefore = new Map<string, Exact>();
const mostRemembered = 5_000;

/** Parses a decimal; cached. */
export function exactOf(text: DecimalText): Exact {
  const known = readBefore.get(text);
  if (known !== undefined) return known;
  if (readBefore.size >= mostRemembered) readBefore.clear();
  const exact = new Exact(text);
  readBefore.set(text, exact);
  return exact;
}

const hundredth = new Exact('0.01');

/** So many percent of an amount: without a division, which takes ten times as long. */
export function shareOf(amount: Exact, pct: Decimal.Value): Exact {
  return amount.times(pct).times(hundredth);
}

/** A figure as published, two digits, half-up. Rules that build on a published figure use this. */
export function publishedExact(figure: Decimal.Value): Exact {
  const exact = typeof figure === 'string' ? exactOf(figure) : new Exact(figure);
  return exact.decimalPlaces() <= 2 ? exact : exact.toDecimalPlaces(2);
}

/** Formats a figure for publication: rounded half-up to its digits, plain notation, never "-0.00". */
export function publish(value: Exact, digits: number): string {
  const text = value.toFixed(digits, Decimal.ROUND_HALF_UP);
  return /^-[0.]+$/.test(text) ? text.slice(1) : text;
}
