/** @import { AssumptionSet, ConfidenceParts, DealScoreParts } from '../../../generated/types.gen.js' */
/** @import { ExpenseLine, Report } from '../../../generated/types.gen.js' */
/** @import { ReportUnderwriting } from '../../../generated/types.gen.js' */
import { h, link, svg } from '../assets/dom.js';
import { priceTerms } from './draw-prices.js';
import { capital, day, figure, moment, percent, table, terms, times, usd, words } from './figures.js';

/**
 * How the report was computed, folded away: the HUD side, debt, prices, scores, assumptions, sources.
 * @param {Report} report
 */
export function drawComputed(report) {
  const { underwriting, scoring, feed_version: version, generated_at: at } = report;
  return h(
    'section',
    { class: 'computed', 'aria-labelledby': 'computed' },
    h('h2', { id: 'computed', class: 'wide' }, 'How it was computed'),
    part('The HUD side, line by line', hudSide(report)),
    part('Price and debt', priceAndDebt(underwriting)),
    part('What the prices rest on', priceTerms(report)),
    part(`Deal score: ${scoring.deal_score.total} of 100`, dealScore(scoring.deal_score)),
    part(`Confidence: ${scoring.confidence.score} of 1`, confidenceInputs(scoring.confidence)),
    part('The declared assumptions', assumptions(underwriting.assumption_set)),
    part('Where each figure is from', provenance(report), 'wide'),
    h('p', { class: 'hint' }, `Version ${version} of the feed, computed `, moment(at), '.'),
  );
}

/** @param {string} name @param {import('../assets/dom.js').Child} content */
const part = (name, content, kind = '') =>
  content === undefined ? undefined : h('details', { class: `part ${kind}`.trim() }, h('summary', {}, name), content);

const rentBases = {
  safmr_zip: 'HUD rent of the ZIP',
  safmr_zip_lowest: 'lowest HUD rent of the ZIP',
  fmr_county: 'HUD rent of the county',
  fmr_county_lowest: 'lowest HUD rent of the county',
};

/** @param {Report} report */
function hudSide({ deal, underwriting }) {
  const { hud, absent } = underwriting;
  /** @param {'gross_potential_rent' | 'effective_gross_income' | 'operating_expenses'} field */
  const dollars = (field) => figure(underwriting[field], usd, absent, field);
  return terms([
    ['HUD rent, two bedrooms, a month', figure(deal.market_rent_2br, usd, deal.absent, 'market_rent_2br')],
    ['Rent from', figure(underwriting.rent_basis, (basis) => rentBases[basis], absent, 'rent_basis')],
    [
      'HUD fiscal year',
      figure(
        underwriting.rent_fiscal_year,
        (year) => `${year}${underwriting.rent_is_stale ? ', a later year is in force' : ''}`,
        absent,
        'rent_fiscal_year',
      ),
    ],
    [
      'Published by HUD on',
      underwriting.hud_published === null
        ? figure(underwriting.hud_published, String, absent, 'hud_published')
        : day(underwriting.hud_published),
    ],
    ['Potential rent of', unitsOf(underwriting)],
    ['Potential rent, a year', dollars('gross_potential_rent')],
    ['After vacancy, a year', dollars('effective_gross_income')],
    ['Expenses by line', expensesOf(underwriting)],
    ['Operating expenses, a year', dollars('operating_expenses')],
    ['Net operating income, a year', figure(hud.noi, usd, hud.absent, 'noi')],
  ]);
}

/** @param {ReportUnderwriting} underwriting */
function priceAndDebt(underwriting) {
  const { assumption_set: set, absent } = underwriting;
  /** @param {'loan' | 'annual_debt_service' | 'cash_invested' | 'price_per_unit'} field */
  const dollars = (field) => figure(underwriting[field], usd, absent, field);
  return terms([
    ['Price per unit', dollars('price_per_unit')],
    ['Price over potential rent', figure(underwriting.gross_rent_multiplier, times, absent, 'gross_rent_multiplier')],
    ['Interest rate', [`${percent(underwriting.rate_pct ?? '')}, of `, day(underwriting.rate_as_of ?? '')]],
    [`Loan, ${set.ltv_pct}% of the price`, dollars('loan')],
    ['Debt service, a year', dollars('annual_debt_service')],
    ['Cash invested', dollars('cash_invested')],
    [
      'Break-even occupancy',
      figure(underwriting.break_even_occupancy_pct, percent, absent, 'break_even_occupancy_pct'),
    ],
    ['Debt service per dollar of loan', underwriting.loan_constant],
  ]);
}

/** @param {ReportUnderwriting} underwriting */
function unitsOf({ unit_mix: mix }) {
  if (mix === null) return 'two bedrooms in every unit';
  return mix
    .map(({ units, bedrooms, market_rent: rent }) => `${units} with ${bedrooms} bedrooms at ${usd(rent)}`)
    .join(', ');
}

/** @param {ReportUnderwriting} underwriting */
function expensesOf({ expenses: lines, absent }) {
  const tell = (/** @type {readonly ExpenseLine[]} */ all) =>
    all.map(({ line, amount, basis }) => `${line} ${usd(amount)}${basis === 'stated' ? ', stated' : ''}`).join('; ');
  return lines === null ? figure(lines, String, absent, 'expenses') : tell(lines);
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
  const drawn = parts.map(({ field }, index) => {
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
      ...drawn,
    ),
    table(
      'Points by part',
      ['Part', 'Points#', 'At most#'],
      parts.map(({ field, most, name }, index) => [
        [h('span', { class: `key part-${index + 1}` }), ` ${name}`],
        score[field],
        score.thresholds[most] ?? '',
      ]),
    ),
    terms([
      ['Scored yield', figure(score.scored_yield_pct, percent, score.absent, 'scored_yield_pct')],
      ['Scored DSCR', figure(score.scored_dscr, times, score.absent, 'scored_dscr')],
      ['Signs of a motivated seller', String(score.motivation_count)],
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

/** @param {AssumptionSet} set */
function assumptions({ version, effective_from: from, ...others }) {
  return h(
    'div',
    {},
    h('p', { class: 'hint' }, `${version}, in force since `, day(from), '.'),
    terms(
      Object.entries(others).map(([name, value]) => [
        capital(words(name)),
        typeof value === 'object'
          ? JSON.stringify(value)
              .replaceAll(/[{}"[\]]/g, '')
              .replaceAll(/[,:]/g, '$& ')
              .replaceAll(/[a-z]+(_[a-z]+)+/g, words)
          : String(value),
      ]),
    ),
  );
}

/** @param {Report} report */
function provenance({ provenance: all, deal }) {
  const { attribution, licence_class: licence, retrieved_at: at } = deal.provenance;
  return [
    table(
      'Sources of the figures',
      ['Source', 'Figures', 'How', 'As of', 'Page'],
      all.map(({ source, fields, basis, as_of: asOf, source_url: url, absent }) => [
        source,
        fields.map(words).join(', '),
        words(basis),
        day(asOf),
        url === null ? figure(url, String, absent, 'source_url') : link(url, 'source'),
      ]),
    ),
    h('p', { class: 'hint' }, `${attribution} (${words(licence)}, retrieved `, moment(at), ').'),
  ];
}
