/** @import { Report } from '../../../generated/types.gen.js' */
/** @import { Numbers, Outcome } from '../browser/your-numbers.js' */
import { h } from '../assets/dom.js';
import { percent, times, usd } from './figures.js';
import { verdictOf } from './verdict.js';

/**
 * @typedef {object} Field
 * @property {keyof Numbers} name
 * @property {string} label
 * @property {number} min
 * @property {number} max
 * @property {number} step
 * @property {(figure: string) => string} show
 */

/** @type {readonly Field[]} */
const fields = [
  { name: 'rent', label: 'Rent, two bedrooms, $ a month', min: 1, max: 20_000, step: 5, show: usd },
  { name: 'rate', label: 'Interest, %', min: 0, max: 20, step: 0.05, show: percent },
  { name: 'down', label: 'Down payment, %', min: 0, max: 100, step: 1, show: percent },
  { name: 'targetCap', label: 'Target cap, %', min: 1, max: 25, step: 0.05, show: percent },
  { name: 'vacancy', label: 'Vacancy, %', min: 0, max: 60, step: 0.5, show: percent },
];

// The rules of underwriting are loaded with the first report.
export const rulesUrl = '/assets/your-numbers.js';
const loadRules = () => /** @type {Promise<typeof import('../browser/your-numbers.js')>} */ (import(rulesUrl));

/**
 * The report's prices and HUD side with numbers of the reader, by the rules of the server. Kept in this browser alone.
 * @param {Report} report
 */
export function drawNumbers(report) {
  const section = h(
    'section',
    { class: 'numbers', 'aria-labelledby': 'numbers' },
    h('h2', { id: 'numbers' }, 'Your numbers'),
  );
  loadRules()
    .then((rules) =>
      section.append(
        ...(rules.isReproduced(report)
          ? panel(report, rules)
          : [
              h(
                'p',
                {},
                'This report was computed with other rules than those of this page, so they are not offered here.',
              ),
            ]),
      ),
    )
    .catch(() => section.append(h('p', { class: 'hint' }, 'The rules could not be loaded.')));
  return section;
}

/**
 * @param {Report} report
 * @param {typeof import('../browser/your-numbers.js')} rules
 */
function panel(report, rules) {
  const declared = rules.declaredNumbers(report);
  const key = `deals-feed-numbers-${report.deal.id}`;
  const kept = readKept(key);
  const inputs = /** @type {Record<keyof Numbers, HTMLInputElement>} */ ({});
  const result = h('div', { class: 'outcome', role: 'status' });
  const reset = h('button', { class: 'button quiet screen-only', type: 'button' }, 'Reset');

  function update() {
    const numbers = /** @type {Record<keyof Numbers, string>} */ (
      Object.fromEntries(fields.map((field) => [field.name, within(field, inputs[field.name].value)]))
    );
    const isDeclared = fields.every(({ name }) => Number(numbers[name]) === Number(declared[name]));
    keep(key, isDeclared ? undefined : numbers);
    result.replaceChildren(...outcome(report, rules.computeWith(report, isDeclared ? declared : numbers), isDeclared));
    reset.hidden = isDeclared;
    result.closest('.numbers')?.classList.toggle('changed', !isDeclared);
  }
  const rows = fields.map((field) => {
    const { name, label, min, max, step, show } = field;
    const limits = { min: String(min), max: String(max), step: String(step) };
    const value = kept?.[name] ?? declared[name];
    const number = /** @type {HTMLInputElement} */ (
      h('input', { ...limits, type: 'number', step: 'any', inputmode: 'decimal', id: `n-${name}`, value })
    );
    // The whole range of rents would make a slider too coarse.
    const most = name === 'rent' && Number(value) > 0 ? String(Math.ceil(Number(value) / 500) * 1_000) : limits.max;
    const slider = /** @type {HTMLInputElement} */ (
      h('input', {
        ...limits,
        max: most,
        type: 'range',
        'aria-label': label,
        class: 'screen-only',
        value: value || '1',
      })
    );
    inputs[name] = number;
    number.addEventListener('input', () => {
      slider.value = number.value;
      update();
    });
    slider.addEventListener('input', () => {
      number.value = slider.value;
      update();
    });
    reset.addEventListener('click', () => {
      number.value = declared[name];
      slider.value = declared[name] || '1';
    });
    const told = declared[name] === '' ? 'HUD has no rent here' : `declared ${show(declared[name])}`;
    return h(
      'div',
      { class: 'number-row' },
      h('label', { for: `n-${name}` }, label),
      number,
      slider,
      h('small', {}, told),
    );
  });
  reset.addEventListener('click', update);
  queueMicrotask(update);
  return [
    h(
      'p',
      {},
      'What would change with your own rent, loan and target. Computed in this browser by the rules of the report.',
    ),
    h('div', { class: 'columns' }, h('div', {}, ...rows, reset), result),
  ];
}

/**
 * A number within its limits; a rent that is not stated stays so.
 * @param {Field} field
 * @param {string} text
 */
function within({ min, max, name }, text) {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return name === 'rent' ? '' : String(min);
  return String(Math.min(max, Math.max(min, number)));
}

/**
 * @param {Report} report
 * @param {Outcome} outcome
 * @param {boolean} isDeclared
 */
function outcome(report, { offer, ...figures }, isDeclared) {
  const known = (/** @type {string | null} */ figure, /** @type {(text: string) => string} */ show) =>
    figure === null ? '—' : show(figure);
  const price = (/** @type {string | undefined} */ figure) => (figure === undefined ? '—' : usd(figure));
  const facts = [
    ['Opening offer', price(offer?.low)],
    ['Walk away above', price(offer?.walk_away_price)],
    ['Net income, a year', known(figures.noi, usd)],
    ['Cap on HUD rents', known(figures.capRate, percent)],
    ['DSCR', figures.hasDebt ? known(figures.dscr, times) : 'no debt'],
    ['Cash flow, a year', known(figures.cashFlow, usd)],
    ['Cash on cash', known(figures.cashOnCash, percent)],
  ];
  const changed = /** @type {Report} */ ({
    ...report,
    offer_range: offer && { ...report.offer_range, ...offer },
    absent: offer === null ? { offer_range: { reason: 'insufficient_inputs' } } : {},
    deal: { ...report.deal, cap_gap_pct: figures.gap, underwrite_reliability: figures.reliability },
  });
  return [
    h('p', { class: 'chip' }, isDeclared ? 'As declared' : 'With your numbers'),
    h('p', { class: 'own-verdict' }, verdictOf(changed)),
    h('dl', { class: 'figures' }, ...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
  ];
}

/** @param {string} key @returns {Numbers | undefined} */
function readKept(key) {
  try {
    return /** @type {Numbers | undefined} */ (JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined);
  } catch {
    return undefined;
  }
}

/** @param {string} key @param {Numbers | undefined} numbers */
function keep(key, numbers) {
  try {
    if (numbers === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(numbers));
  } catch {
    // A browser that keeps nothing still computes.
  }
}
