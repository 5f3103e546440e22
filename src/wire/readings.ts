import { stateNames } from './state-names.js';

/** A parameter, as far as its words depend on it. */
export interface AskedParameter {
  readonly name: string;
  /** `array`: texts, separated by commas. */
  readonly type: string;
  /** How it is written, where type and values do not tell. */
  readonly kind?: string | undefined;
  /** The allowed values, if they are few. */
  readonly values?: readonly string[] | undefined;
  readonly example?: string | undefined;
}

/** What a text of a person may mean, each as the parameter takes it: none, one, or several that are equally likely. */
export type Read = (text: string, parameter: AskedParameter, today: Date) => readonly string[];

const factors: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['m', 1e6],
]);

/** `$150,000`, `150k` and `1.2m`; `1,50` may be 1.50 as well as 150. */
export const readUsd: Read = (text) => {
  const [, sign = '', digits, unit = ''] = /^(-?)\s*\$?\s*([\d,.]+)\s*([km]?)$/i.exec(text.trim()) ?? [];
  return scaled(sign, digits, factors.get(unit.toLowerCase()));
};

/** `8.5%`. */
export const readPercent: Read = (text) => {
  const [, sign = '', digits] = /^(-?)\s*([\d,.]+)\s*%?$/.exec(text.trim()) ?? [];
  return scaled(sign, digits);
};

export const readNumber: Read = (text) => {
  const [, sign = '', digits] = /^([+-]?)\s*([\d,.]+)$/.exec(text.trim()) ?? [];
  return scaled(sign.replace('+', ''), digits);
};

export const readWhole: Read = (...given) => readNumber(...given).filter((read) => !read.includes('.'));

/** At most 15 digits, which a number keeps exactly. */
function scaled(sign: string, digits = '', factor = 1): string[] {
  return plainNumbers(digits)
    .filter((plain) => plain.replace('.', '').length <= 15)
    .map((plain) => sign + String(Number((Number(plain) * factor).toPrecision(15))));
}

function plainNumbers(digits: string): string[] {
  if (/^(\d+\.?\d*|\.\d+)$/.test(digits)) return [digits];
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)) return [digits.replaceAll(',', '')];
  return /^\d+,\d{1,2}$/.test(digits) ? [digits.replace(',', '.'), digits.replace(',', '')] : [];
}

/** A name of a state, or what several begin or end with. */
export const readState: Read = (text) => {
  const written = text.trim().toLowerCase();
  const codesOf = (isMeant: (name: string) => boolean): string[] =>
    [...stateNames].filter(([, name]) => isMeant(name.toLowerCase())).map(([code]) => code);
  const exact = codesOf((name) => name === written);
  return exact.length > 0 || written === '' ? exact : codesOf((name) => name.endsWith(` ${written}`));
};

/** A ZIP with its four further digits. */
export const readZip: Read = (text) => /^(\d{5})-\d{4}$/.exec(text.trim())?.slice(1) ?? [];

/** Another case, and other signs between words. */
export const readChoice: Read = (text, { values = [] }) => {
  const fold = (each: string): string => each.trim().toLowerCase().replaceAll(/[\s-]/g, '_');
  return values.filter((value) => fold(value) === fold(text));
};

const daysFromToday: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
]);

/** `12/01/2026`, month first; today and its like, `+7d`, `-30d`, by UTC. */
export const readDate: Read = (text, _, today) => {
  const written = text.trim().toLowerCase();
  const [, days] = /^([+-]\d{1,4})d$/.exec(written) ?? [];
  const away = daysFromToday.get(written) ?? (days === undefined ? undefined : Number(days));
  if (away !== undefined) return dateOf(today.getUTCFullYear(), today.getUTCMonth() + 1, today.getUTCDate() + away);
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(written) ?? [];
  const [read] = year === undefined ? [] : dateOf(Number(year), Number(month), Number(day));
  return read !== undefined && Number(read.slice(5, 7)) === Number(month) ? [read] : [];
};

/** As `readDate`, where no day alone is taken: its begin, UTC. */
export const readTimestamp: Read = (text, ...rest) =>
  (/^\d{4}-\d{2}-\d{2}$/.test(text) ? [text] : readDate(text, ...rest)).map((date) => `${date}T00:00:00Z`);

/** Nothing where the month does not exist; days that are too many or too few count on into other months. */
function dateOf(year: number, month: number, day: number): string[] {
  return month >= 1 && month <= 12 ? [new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)] : [];
}
