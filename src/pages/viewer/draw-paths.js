/** @import { Rationale, Report } from '../../../generated/types.gen.js' */
import { h } from '../assets/dom.js';
import { capital, day, percent, points, terms, times, usd, words } from './figures.js';

/**
 * The rationale of each of the three paths.
 * @param {Report} report
 */
export function drawPaths({ scoring: { rationales } }) {
  return h(
    'section',
    { 'aria-labelledby': 'paths' },
    h('h2', { id: 'paths' }, 'Three paths'),
    h('div', { class: 'cards' }, ...[rationales.rental, rationales.wholesale, rationales.creative].map(rationale)),
  );
}

/**
 * How a value is shown, by its unit.
 * @type {Readonly<Record<string, (value: string) => string>>}
 */
const formats = {
  usd,
  usd_per_month: (rent) => `${usd(rent)} a month`,
  percent,
  percentage_points: points,
  ratio: times,
  days: (days) => `${days} days`,
  code: words,
  flag: (flag) => (flag === 'true' ? 'yes' : 'no'),
};

/**
 * The units of what checks compare; others compare counts or codes.
 * @type {Readonly<Record<string, keyof typeof formats>>}
 */
const unitsOfChecks = {
  hot_cap_rate: 'percent',
  hot_cap_gap: 'percentage_points',
  hot_scored_dscr: 'ratio',
  warm_scored_yield: 'percent',
  warm_scored_dscr: 'ratio',
  list_price_at_mao: 'usd',
  list_price_near_mao: 'usd',
  list_price_far_mao: 'usd',
  hot_carry_dscr: 'ratio',
  warm_carry_dscr: 'ratio',
  warm_equity: 'percent',
};

/** @type {Readonly<Record<string, string>>} */
const needs = {
  '>=': 'needs at least',
  '<=': 'needs at most',
  '>': 'needs more than',
  '<': 'needs less than',
};

/** @param {Rationale['checks'][number]} check */
function checkText({ code, actual, op, threshold }) {
  const show = formats[unitsOfChecks[code] ?? ''] ?? words;
  const [name = '', level] = words(code).split(', for ');
  const aim = level === undefined ? '' : ` for ${level}`;
  const need = op === '==' ? aim : `: ${needs[op] ?? op} ${show(threshold)}${aim}`;
  return `${capital(name)} ${show(actual)}${need}. `;
}

/** @param {Rationale} rationale */
function rationale({ path, status, summary, checks, inputs, missing, state_notices: notices, rule_version: version }) {
  return h(
    'article',
    { class: 'card' },
    h('h3', {}, `${capital(path)} `, h('span', { class: `chip ${status.toLowerCase()}` }, status)),
    h('p', {}, summary),
    checks.length === 0
      ? undefined
      : h(
          'ul',
          { class: 'checks' },
          ...checks.map((check) =>
            h(
              'li',
              { class: check.passed ? 'passed' : 'failed' },
              checkText(check),
              h('b', {}, check.passed ? 'met' : 'not met'),
            ),
          ),
        ),
    missing.length === 0 ? undefined : h('p', { class: 'hint' }, `Not known: ${missing.map(words).join(', ')}.`),
    notices.map((notice) => h('p', { class: 'hint' }, notice)),
    h(
      'details',
      {},
      h('summary', {}, 'What it rests on'),
      terms(
        Object.entries(inputs).map(([name, { value, unit, basis, as_of: asOf }]) => [
          capital(words(name)),
          [`${(formats[unit] ?? String)(value)}, ${words(basis)}, `, day(asOf)],
        ]),
      ),
      h('p', { class: 'hint' }, `Rule ${version}.`),
    ),
  );
}
