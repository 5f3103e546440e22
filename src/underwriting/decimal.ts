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
  const exact = typeof figure === 'string' ? exactOf(figure) : figure instanceof Exact ? figure : new Exact(figure);
  return exact.decimalPlaces() <= 2 ? exact : exact.toDecimalPlaces(2);
}

/** Formats a figure for publication: rounded half-up to its digits, plain notation, never "-0.00". */
export function publish(value: Exact, digits: number): string {
  const text = (value.decimalPlaces() > digits ? value.toDecimalPlaces(digits) : value).toFixed();
  const point = text.indexOf('.');
  const lacking = point < 0 ? digits : digits - (text.length - point - 1);
  return lacking === 0 ? text : `${point < 0 ? `${text}.` : text}${'0'.repeat(lacking)}`;
}

/** Above this, and this near to a tie, a double may round another way than the exact quotient. */
const [mostScaled, nearTie] = [1e9, 1e-4];

/**
 * The same as `publish(numerator.times(factor).div(denominator), digits)`. Where a double tells how the quotient
 * rounds, it is not divided exactly, which takes ten times as long.
 */
export function publishRatio(numerator: Exact, denominator: Exact, digits: number, factor: 1 | 100 = 1): string {
  const scale = 10 ** digits;
  const scaled = (numerator.toNumber() / denominator.toNumber()) * factor * scale;
  const isTold = Math.abs(scaled) < mostScaled && Math.abs(scaled - Math.floor(scaled) - 0.5) > nearTie;
  return isTold
    ? (Math.round(scaled) / scale).toFixed(digits)
    : publish(numerator.times(factor).div(denominator), digits);
}
