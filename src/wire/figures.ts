/** What stands for a value that is absent. */
export const dash = '—';

/** Dollars of a decimal text: whole from $100, with cents below. */
export function dollars(text: string): string {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const cents = BigInt(whole + fraction.padEnd(2, '0').slice(0, 2));
  const isWhole = cents >= 10_000n || cents % 100n === 0n;
  const units = isWhole ? (cents + 50n) / 100n : cents / 100n;
  const grouped = String(units).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${minus(sign)}$${grouped}${isWhole ? '' : `.${String(cents % 100n).padStart(2, '0')}`}`;
}

export const percent = (text: string): string => `${minus(text)}%`;
export const times = (text: string): string => `${minus(text)}x`;

/** A difference of rates, with its sign. */
export function points(text: string): string {
  return `${text.startsWith('-') ? minus(text) : `+${text}`} points`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The day of a date or moment: `27 Nov 2026`. */
export function day(text: string): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? [];
  return year === undefined ? text : `${Number(date)} ${months[Number(month) - 1]} ${year}`;
}

/** A moment: `27 Nov 2026, 06:29 UTC`. */
export function moment(text: string): string {
  const [, time] = /^\d{4}-\d{2}-\d{2}T(\d{2}:\d{2})\S*Z$/.exec(text) ?? [];
  return time === undefined ? day(text) : `${day(text)}, ${time} UTC`;
}

function minus(text: string): string {
  return text.replace('-', '−');
}
