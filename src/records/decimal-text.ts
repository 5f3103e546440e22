import { Decimal } from 'decimal.js';
import { isKnown, known, type Maybe } from '../absence.js';
import { hasTwoDigits, type DecimalText } from '../decimal-text.js';

/** Fewer than two digits behind the point: nothing is rounded. */
const short = /^[1-9]\d*(\.\d)?$/;

/** A stated amount as published: two digits, half-up. */
export function twoDigits(amount: DecimalText): DecimalText {
  if (hasTwoDigits(amount)) return amount;
  const [whole, tenth] = short.exec(amount) ?? [];
  if (whole !== undefined) return tenth === undefined ? `${whole}.00` : `${whole}0`;
  return new Decimal(amount).toFixed(2, Decimal.ROUND_HALF_UP);
}

/** The same for an amount that may be absent. */
export function maybeTwoDigits(amount: Maybe<DecimalText>): Maybe<DecimalText> {
  return isKnown(amount) ? known(twoDigits(amount.value)) : amount;
}

/** A published amount in whole hundredths. Exact. */
export function toHundredths(text: DecimalText): number {
  return hasTwoDigits(text) ? Number(text.replace('.', '')) : new Decimal(text).times(100).toNumber();
}
