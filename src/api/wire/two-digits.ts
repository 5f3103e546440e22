import { Decimal } from 'decimal.js';

/** A decimal amount as it is published: two digits, half-up. */
export function twoDigits(amount: string): string {
  return new Decimal(amount).toFixed(2, Decimal.ROUND_HALF_UP);
}
