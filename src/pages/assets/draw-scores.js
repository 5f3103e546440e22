/** @import { ConfidenceParts, DealScoreParts, Rationale, Report } from '../../../generated/types.gen.js' */
import { h, svg } from './dom.js';
import { figure, percent, table, terms, times, usd, words } from './figures.js';

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
          `${words(name)}: `,
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

/** @param {Rationale} rationale */
function rationale({ path, status, summary, checks, inputs, missing, state_notices: notices, rule_version: version }) {
  return h(
    'article',
    { class: 'card' },
    h(
      'h4',
      {},
      `${path[0]?.toUpperCase()}${path.slice(1)} `,
      h('span', { class: `chip ${status.toLowerCase()}` }, status),
    ),
    h('p', {}, summary),
    checks.length === 0
      ? undefined
      : h(
          'ul',
          { class: 'checks' },
          ...checks.map(({ code, actual, op, threshold, passed }) =>
            h(
              'li',
              { class: passed ? 'passed' : 'failed' },
              `${words(code)}: ${actual} ${op} ${threshold} `,
              h('b', {}, passed ? 'yes' : 'no'),
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
          words(name),
          `${value} ${words(unit)}, ${words(basis)}, ${asOf}`,
        ]),
      ),
    ),
  );
}
