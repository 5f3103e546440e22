import { h } from './dom.js';
import { labels } from './labels.js';

/** @typedef {Readonly<Record<string, { reason: string } | undefined>>} Absences */

/**
 * Formats dollars: "$212,500", with cents only when they are not zero.
 * @param {string} amount a decimal text
 */
export function usd(amount) {
  const [whole = '0', cents = ''] = amount.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${amount.startsWith('-') ? '−' : ''}$${grouped}${/^0*$/.test(cents) ? '' : `.${cents}`}`;
}

/** @param {string} rate */
export const percent = (rate) => `${signed(rate)}%`;

/** @param {string} points */
export const points = (points) => `${signed(points)} pts`;

/** @param {string} ratio */
export const times = (ratio) => `${signed(ratio)}×`;

/** @param {string} figure */
const signed = (figure) => figure.replace('-', '−');

/**
 * A code of the contract as people read it; "not_stated_by_source", which has no label, is "not stated by source".
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
  return h('span', { class: 'absent' }, `absent: ${words(reason)}`);
}

/**
 * Formats a UTC timestamp or a date: "2026-11-20, 05:00 UTC".
 * @param {string} text
 */
export function moment(text) {
  return h('time', { datetime: text }, text.length > 10 ? `${text.slice(0, 10)}, ${text.slice(11, 16)} UTC` : text);
}

/**
 * A list of terms and their values.
 * @param {readonly (readonly [string, import('./dom.js').Child])[]} entries
 */
export function terms(entries) {
  return h(
    'dl',
    { class: 'terms' },
    ...entries.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}

/**
 * A table with its caption. A column whose name ends in "#" is numeric.
 * @param {string} caption
 * @param {readonly string[]} columns
 * @param {readonly (readonly import('./dom.js').Child[])[]} rows the first cell of each is its head
 */
export function table(caption, columns, rows) {
  const isNumber = columns.map((column) => column.endsWith('#'));
  const kind = (/** @type {number} */ index) => (isNumber[index] ? 'number' : undefined);
  const head = columns.map((column, index) => h('th', { scope: 'col', class: kind(index) }, column.replace('#', '')));
  const body = rows.map(([first, ...others]) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, first),
      ...others.map((cell, index) => h('td', { class: kind(index + 1) }, cell)),
    ),
  );
  return h(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0' },
    h('table', {}, h('caption', {}, caption), h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...body)),
  );
}
