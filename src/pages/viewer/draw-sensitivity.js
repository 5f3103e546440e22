/** @import { Report, SensitivityRow } from '../../../generated/types.gen.js' */
import { h } from '../assets/dom.js';
import { bars } from './charts.js';
import { axisUsd, figure, percent, times, usd } from './figures.js';

/** @typedef {Report['underwriting']} Underwriting */

/**
 * A heat map's measure: its figure, the figure of the unchanged underwriting, and the four bounds of its five shades.
 * @typedef {object} Measure
 * @property {'dscr' | 'cap_rate' | 'cash_flow' | 'noi'} field
 * @property {string} name
 * @property {(text: string) => string} show
 * @property {(underwriting: Underwriting) => string | null} base
 * @property {(underwriting: Underwriting) => readonly number[]} bounds
 */

/** @type {readonly Measure[]} */
const measures = [
  {
    field: 'dscr',
    name: 'Debt-service coverage',
    show: times,
    base: ({ hud }) => hud.dscr,
    bounds: ({ min_dscr: least }) => [1, (1 + Number(least)) / 2, Number(least), Number(least) + 0.25],
  },
  {
    field: 'cap_rate',
    name: 'Cap rate',
    show: percent,
    base: ({ hud }) => hud.cap_rate,
    bounds: ({ assumption_set: set }) => [-2, -1, 0, 1].map((spread) => Number(set.target_cap_pct) + spread),
  },
  {
    field: 'cash_flow',
    name: 'Cash flow, a year',
    show: usd,
    base: ({ hud, annual_debt_service: debtService }) =>
      hud.noi === null || debtService === null ? null : (Number(hud.noi) - Number(debtService)).toFixed(2),
    bounds: ({ cash_invested: cash }) => [0, 0.03, 0.06, 0.09].map((share) => share * Number(cash ?? 0)),
  },
  {
    field: 'noi',
    name: 'Net operating income, a year',
    show: usd,
    base: ({ hud }) => hud.noi,
    bounds: ({ hud }) => [0.9, 0.97, 1.03, 1.1].map((share) => share * Number(hud.noi ?? 0)),
  },
];

const drivers = /** @type {const} */ (['rent', 'vacancy', 'rate', 'expenses']);
const driverNames = { rent: 'Market rent', vacancy: 'Vacancy', rate: 'Interest rate', expenses: 'Operating expenses' };

/**
 * How HUD's side changes with each assumption: a heat map for each measure. The screen shows one at a time, paper all.
 * @param {Report} report
 */
export function drawSensitivity({ underwriting }) {
  const { sensitivity, absent } = underwriting;
  const heading = h('h2', { id: 'sensitivity' }, 'Cash flow and sensitivity');
  if (sensitivity === null) {
    const why = figure(/** @type {null} */ (null), String, absent, 'sensitivity');
    return h(
      'section',
      { 'aria-labelledby': 'sensitivity' },
      heading,
      h('p', {}, 'There is no HUD side to change: ', why, '.'),
    );
  }
  const maps = measures.map((measure) => ({ measure, map: heatMap(measure, sensitivity, underwriting) }));
  const choices = maps.map(({ measure, map }, index) => {
    const choice = /** @type {HTMLInputElement} */ (
      h('input', { type: 'radio', name: 'measure', checked: index === 0 ? '' : undefined })
    );
    map.hidden = index > 0;
    choice.addEventListener('change', () => maps.forEach((other) => (other.map.hidden = other.map !== map)));
    return h('label', {}, choice, ` ${measure.name}`);
  });
  return h(
    'section',
    { 'aria-labelledby': 'sensitivity' },
    heading,
    cashFlow(underwriting),
    h('h3', {}, 'What if one assumption is wrong'),
    h('p', {}, 'One changed at a time on the HUD side, all others as declared.'),
    h('fieldset', { class: 'choice' }, h('legend', {}, 'Show'), ...choices),
    h('div', { class: 'heats' }, ...maps.map(({ map }) => map)),
  );
}

/**
 * From the rent to what is left after the debt, a year.
 * @param {Underwriting} underwriting
 */
function cashFlow({ hud, gross_potential_rent: rent, effective_gross_income: income, ...underwriting }) {
  const { operating_expenses: expenses, annual_debt_service: debt } = underwriting;
  if (rent === null || income === null || expenses === null || hud.noi === null) return undefined;
  const left = debt === null ? hud.noi : (Number(hud.noi) - Number(debt)).toFixed(2);
  const lines = [
    { name: 'Potential rent', value: rent, kind: 'hud' },
    { name: 'After vacancy', value: income, kind: 'hud' },
    { name: 'Expenses', value: `-${expenses}`, kind: 'claimed' },
    { name: 'Net income', value: hud.noi, kind: 'hud' },
    ...(debt === null ? [] : [{ name: 'Debt service', value: `-${debt}`, kind: 'claimed' }]),
    { name: 'Cash flow', value: left, kind: 'hud' },
  ];
  return bars({ name: 'On HUD rents, dollars a year', bars: lines, show: usd, showMark: axisUsd });
}

/**
 * @param {Measure} measure
 * @param {readonly SensitivityRow[]} sensitivity
 * @param {Underwriting} underwriting
 */
function heatMap({ field, name, show, base, bounds }, sensitivity, underwriting) {
  const limits = bounds(underwriting);
  const shade = (/** @type {string | null} */ value) =>
    value === null ? 'none' : String(1 + limits.filter((limit) => Number(value) >= limit).length);
  const unchanged = base(underwriting);
  /**
   * @param {string} label
   * @param {import('../assets/dom.js').Child} shown
   * @param {string | null} value
   * @param {string} kind
   */
  const cell = (label, shown, value, kind) =>
    h('td', { class: `heat-${shade(value)} ${kind}` }, h('small', {}, label), shown);
  const rows = drivers.map((driver) => {
    const changes = sensitivity.filter((row) => row.driver === driver);
    const cells = [...changes]
      .sort((a, b) => Number(a.change) - Number(b.change))
      .map((row) => ({ at: Number(row.change), row }));
    const drawn = (/** @type {typeof cells} */ some) =>
      some.map(({ row }) => cell(changeOf(row), figure(row[field], show, row.absent, field), row[field], ''));
    const middle = unchanged === null ? '—' : show(unchanged);
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, driverNames[driver]),
      ...drawn(cells.filter(({ at }) => at < 0)),
      cell('as declared', middle, unchanged, 'base'),
      ...drawn(cells.filter(({ at }) => at >= 0)),
    );
  });
  return h(
    'div',
    { class: 'heat' },
    h('table', { class: 'heat-map' }, h('caption', {}, name), h('tbody', {}, ...rows)),
    legend(limits, field),
  );
}

/** @param {SensitivityRow} row */
function changeOf({ change, change_unit: unit }) {
  const size = change.replace('-', '').replace(/\.?0+$/, '');
  return `${change.startsWith('-') ? '−' : '+'}${size}${unit === 'percent' ? '%' : ' points'}`;
}

/** @param {readonly number[]} limits @param {Measure['field']} field */
function legend(limits, field) {
  const show = (/** @type {number} */ limit) =>
    field === 'dscr' ? `${limit.toFixed(2)}x` : field === 'cap_rate' ? `${limit.toFixed(2)}%` : usd(limit.toFixed(0));
  const shown = limits.map(show);
  const texts = [
    `below ${shown[0]}`,
    ...shown.map((from, index) => (index < 3 ? `${from} to ${shown[index + 1]}` : `${from} and more`)),
  ];
  return h(
    'p',
    { class: 'legend' },
    ...texts.map((text, index) => h('span', {}, h('span', { class: `key heat-${index + 1}` }), ` ${text}`)),
  );
}
