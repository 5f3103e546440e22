import { Decimal } from 'decimal.js';

/**
 * The exact number of a record's decimal string, for calculation: `decimal(deal.list_price)?.div(deal.units ?? 1)`.
 * @returns undefined for null; `absence` gives the reason
 * @throws RangeError when the text is not a decimal number
 */
export function decimal(text: string | null | undefined): Decimal | undefined {
  if (text === null || text === undefined) return undefined;
  if (!/^-?[0-9]+(\.[0-9]+)?$/.test(text)) throw new RangeError(`"${text}" is no decimal number.`);
  return new Decimal(text);
}

/**
 * Orders decimal strings by value, with absent values last: `deals.sort((a, b) => compareDecimals(a.cap_rate,
 * b.cap_rate))`.
 */
export function compareDecimals(a: string | null | undefined, b: string | null | undefined): number {
  const [left, right] = [decimal(a), decimal(b)];
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return left.comparedTo(right);
}

/** Adds decimal strings exactly; absent values count as zero. */
export function sumDecimals(texts: Iterable<string | null | undefined>): Decimal {
  let sum = new Decimal(0);
  for (const text of texts) sum = sum.plus(decimal(text) ?? 0);
  return sum;
}

/** A record of the service. `absent` gives the reason for each null field. */
interface WithAbsences {
  readonly absent: object;
}

/**
 * The reason why a field of a record is null, typed by the contract: `absence(deal, 'dscr')?.reason`.
 * @returns undefined when the field has a value
 */
export function absence<Item extends WithAbsences, Field extends keyof Item['absent']>(
  record: Item,
  field: Field,
): Item['absent'][Field] | undefined {
  return (record.absent as Item['absent'])[field];
}
