/** @import { ConfidenceParts, DealScoreParts, Rationale, Report } from '../../../generated/types.gen.js' */
import { h, svg } from './dom.js';
import { capital, figure, percent, points, table, terms, times, usd, words } from './figures.js';

/**
 * The parts of the deal score and the confidence, and the rationale of each of the three paths.
 * @param {Report} report
 */
export function drawScores({ scoring }) {
  const { deal_score: score, confidence, rationales } = scoring;
  return h(
    'section',
    { 'aria-labelledby': 'scores' },
    h('h2', { id: 'scores' }, 'Scores'),
    h(
      'div',
      { class: 'columns' },
      h('div', {}, h('h3', {}, `Deal score ${score.total} of 100`), dealScore(score)),
      h('div', {}, h('h3', {}, `Confidence ${confidence.score} of 1`), confidenceInputs(confidence)),
    ),
    h('h3', {}, 'The three paths'),
    h('div', { class: 'cards' }, ...[rationales.rental, rationales.wholesale, rationales.creative].map(rationale)),
  );
}

/** The parts of the score, each with the threshold that is its maximum. */
const parts = /** @type {const} */ ([
  { field: 'yield_points', most: 'yield_points', name: 'Yield' },
  { field: 'dscr_points', most: 'dscr_points', name: 'Debt coverage' },
  { field: 'motivation_points', most: 'motivation_points_max', name: 'Motivation' },
  { field: 'distress_points', most: 'distress_points_max', name: 'Distress' },
]);

/** @param {DealScoreParts} score */
function dealScore(score) {
  let start = 0;
  const bars = parts.map(({ field }, index) => {
    const bar = svg('rect', { class: `part-${index + 1}`, x: `${start}%`, width: `${score[field]}%`, height: '22' });
    start += Number(score[field]);
    return bar;
  });
  const told = parts.map(({ field, name }) => `${name} ${score[field]}`).join(', ');
  return h(
    'div',
    {},
    svg(
      'svg',
      { class: 'plot', width: '100%', height: '22', role: 'img', 'aria-label': `Deal score: ${told}` },
      svg('rect', { class: 'track', width: '100%', height: '22' }),
      ...bars,
    ),
    table(
      'Deal score by component',
      ['Component', 'Points#', 'At most#'],
      parts.map(({ field, most, name }, index) => [
        [h('span', { class: `key part-${index + 1}` }), ` ${name}`],
        score[field],
        score.thresholds[most] ?? '',
      ]),
    ),
    terms([
      ['Scored yield', figure(score.scored_yield_pct, percent, score.absent, 'scored_yield_pct')],
      ['Scored DSCR', figure(score.scored_dscr, times, score.absent, 'scored_dscr')],
      ['Motivation signals', String(score.motivation_count)],
      ['Matched tax debt', figure(score.tax_amount, usd, score.absent, 'tax_amount')],
      ['Confidence of that match', figure(score.tax_match_confidence, String, score.absent, 'tax_match_confidence')],
      [
        'Confidence of a matched sale',
        figure(score.sheriff_match_confidence, String, score.absent, 'sheriff_match_confidence'),
      ],
      ['Rule', score.rule_version],
    ]),
  );
}

const grounds = { 1: 'verified or computed', 0.5: 'derived', 0: 'assumed or absent' };

/** @param {ConfidenceParts} confidence */
function confidenceInputs({ inputs, factor, rule_version: version }) {
  return h(
    'div',
    {},
    h(
      'ul',
      { class: 'grounds' },
      ...Object.entries(inputs).map(([name, value]) =>
        h(
          'li',
          { class: `ground-${value.replace('.', '')}` },
          `${capital(words(name))}: `,
          h('b', {}, `${value}, ${grounds[value]}`),
        ),
      ),
    ),
    terms([
      ['Factor of the rent proxy', factor],
      ['Rule', version],
    ]),
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
const signs = { '>=': '≥', '<=': '≤' };

/** @param {Rationale['checks'][number]} check */
function comparison({ code, actual, op, threshold }) {
  const show = formats[unitsOfChecks[code] ?? ''] ?? words;
  return op === '==' ? show(actual) : `${show(actual)} ${signs[op] ?? op} ${show(threshold)}`;
}

/** @param {Rationale} rationale */
function rationale({ path, status, summary, checks, inputs, missing, state_notices: notices, rule_version: version }) {
  return h(
    'article',
    { class: 'card' },
    h('h4', {}, `${capital(path)} `, h('span', { class: `chip ${status.toLowerCase()}` }, status)),
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
              `${words(check.code)}: ${comparison(check)} `,
              h('b', {}, check.passed ? 'met' : 'not met'),
            ),
          ),
        ),
    missing.length === 0 ? undefined : h('p', { class: 'absent' }, `Missing: ${missing.map(words).join(', ')}`),
    notices.map((notice) => h('p', { class: 'hint' }, notice)),
    h(
      'details',
      {},
      h('summary', {}, `Inputs of ${version}`),
      terms(
        Object.entries(inputs).map(([name, { value, unit, basis, as_of: asOf }]) => [
          capital(words(name)),
          `${(formats[unit] ?? String)(value)}, ${words(basis)}, ${asOf}`,
        ]),
      ),
    ),
  );
}
