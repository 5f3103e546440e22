/** A plain decimal number as text, such as "8.50". Never a float. */
export type DecimalText = string;

/** True for a number in plain notation with two digits behind the point, as money is published; not for "-0.00". */
export function hasTwoDigits(text: DecimalText): boolean {
  return /^(?!-0\.00$)-?(?:0|[1-9]\d*)\.\d\d$/.test(text);
}
