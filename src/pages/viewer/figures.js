import { h } from '../assets/dom.js';
import { labels } from './labels.js';

/** @typedef {Readonly<Record<string, { reason: string } | undefined>>} Absences */

/**
 * Formats dollars: whole from $100 on, with cents below, in cents of a decimal text.
 * @param {string} amount
 */
export function usd(amount) {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const cents = BigInt(whole + fraction.padEnd(2, '0').slice(0, 2)) + (Number(fraction[2] ?? 0) >= 5 ? 1n : 0n);
  const isWhole = cents >= 10_000n || cents % 100n === 0n;
  const dollars = (cents + (isWhole ? 50n : 0n)) / 100n;
  const grouped = String(dollars).replace(/\B(?=(\d{3})+$)/g, ',');
  const rest = isWhole ? '' : `.${String(cents % 100n).padStart(2, '0')}`;
  return `${amount.startsWith('-') && cents > 0n ? '−' : ''}$${grouped}${rest}`;
}

/**
 * Dollars of an axis: "$1.2M", "−$40k".
 * @param {number} amount
 */
export const axisUsd = (amount) => {
  const size = Math.abs(amount);
  const text = size >= 1_000_000 ? `$${size / 1_000_000}M` : size >= 1_000 ? `$${size / 1_000}k` : `$${size}`;
  return amount < 0 ? `−${text}` : text;
};

/** @param {string} amount */
export const usdGap = (amount) => `${isAbove(amount) ? '+' : ''}${usd(amount)}`;

/** @param {string} rate */
export const percent = (rate) => `${signed(rate)}%`;

/** @param {string} points */
export const points = (points) => `${isAbove(points) ? '+' : ''}${signed(points)} points`;

/** @param {string} ratio */
export const times = (ratio) => `${signed(ratio)}x`;

/** @param {string} ratio */
export const timesGap = (ratio) => `${isAbove(ratio) ? '+' : ''}${times(ratio)}`;

const isAbove = (/** @type {string} */ figure) => Number(figure) > 0;

/** @param {string} figure */
const signed = (figure) => figure.replace('-', '−');

/**
 * A code of the contract as people read it. One of another version, which has no label, is its own words.
 * @param {string} code
 * @returns {string}
 */
export const words = (code) => (Object.hasOwn(labels, code) ? labels[code] : undefined) ?? code.replaceAll('_', ' ');

/** @param {string} text */
export const capital = (text) => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;

/**
 * A figure, or the reason why it is absent.
 * @template {string | number | boolean} T
 * @param {T | null} value
 * @param {(value: T) => string} show
 * @param {object} absent the record's `absent`
 * @param {string} field
 */
export function figure(value, show, absent, field) {
  if (value !== null) return h('span', {}, show(value));
  const reason = /** @type {Absences} */ (absent)[field]?.reason ?? 'unknown';
  return h('span', { class: 'absent' }, '— ', h('small', {}, reasonWords(reason)));
}

/**
 * Why a figure is absent, as the end of a sentence.
 * @param {string} reason
 */
export const reasonWords = (reason) => (reason === 'unknown' ? 'not known' : words(reason));

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The day of a UTC timestamp or date: "27 Nov 2026". "FY2027" stays itself.
 * @param {string} text
 */
export function day(text) {
  const [year, month, date] = text.slice(0, 10).split('-').map(Number);
  return month === undefined ? text : h('time', { datetime: text }, `${date} ${months[month - 1]} ${year}`);
}

/**
 * The moment of a UTC timestamp: "27 Nov 2026, 06:29 UTC".
 * @param {string} text
 */
export const moment = (text) => h('span', {}, day(text), `, ${text.slice(11, 16)} UTC`);

/**
 * A list of terms and their values.
 * @param {readonly (readonly [string, import('../assets/dom.js').Child])[]} entries
 */
export function terms(entries) {
  return h(
    'dl',
    { class: 'terms' },
    ...entries.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}

/**
 * A table with its caption, whose rows are cards on a narrow screen. A column whose name ends in "#" is numeric.
 * @param {string} caption
 * @param {readonly string[]} columns
 * @param {readonly (readonly import('../assets/dom.js').Child[])[]} rows the first cell of each is its head
 */
export function table(caption, columns, rows) {
  const isNumber = columns.map((column) => column.endsWith('#'));
  const names = columns.map((column) => column.replace('#', ''));
  const kind = (/** @type {number} */ index) => (isNumber[index] ? 'number' : undefined);
  const head = names.map((name, index) => h('th', { scope: 'col', class: kind(index) }, name));
  const body = rows.map(([first, ...others]) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, first),
      ...others.map((cell, index) =>
        h('td', { class: kind(index + 1), 'data-label': names[index + 1] }, h('span', {}, cell)),
      ),
    ),
  );
  return h(
    'table',
    { class: 'stacked' },
    h('caption', {}, caption),
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...body),
  );
}
