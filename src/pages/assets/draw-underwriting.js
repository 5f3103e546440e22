/** @import { AssumptionSet, ExpenseLine, Report } from '../../../generated/types.gen.js' */
/** @import { RentBandSide, ReportUnderwriting, UnderwritingSide } from '../../../generated/types.gen.js' */
import { h, svg } from './dom.js';
import { capital, figure, percent, points, table, terms, times, usd, words } from './figures.js';

/** The format of each row and of its gap. */
const rows = /** @type {const} */ ([
  { field: 'noi', name: 'Net operating income, a year', show: usd, gap: usd },
  { field: 'cap_rate', name: 'Cap rate', show: percent, gap: points },
  { field: 'dscr', name: 'Debt-service coverage', show: times, gap: times },
  { field: 'debt_yield_pct', name: 'Debt yield', show: percent, gap: points },
  { field: 'cash_on_cash_pct', name: 'Cash on cash', show: percent, gap: points },
  { field: 'max_loan_by_dscr', name: 'Loan at the least coverage', show: usd, gap: usd },
  { field: 'max_loan', name: 'Largest loan, also by its share of the price', show: usd, gap: usd },
]);

/**
 * The listing's claims next to HUD rents, the calculation of HUD's side, the debt, and the assumptions.
 * @param {Report} report
 */
export function drawUnderwriting({ deal, underwriting }) {
  const { claimed, hud, gap, assumption_set: set, absent } = underwriting;
  /** @param {UnderwritingSide} side @param {typeof rows[number]} row @param {(text: string) => string} show */
  const cell = (side, { field }, show) => figure(side[field], show, side.absent, field);
  /**
   * @param {'gross_potential_rent' | 'effective_gross_income' | 'operating_expenses' | 'loan' | 'annual_debt_service' |
   * 'cash_invested' | 'price_per_unit'} field
   */
  const dollars = (field) => figure(underwriting[field], usd, absent, field);
  return h(
    'section',
    { 'aria-labelledby': 'underwriting' },
    h('h2', { id: 'underwriting' }, 'Underwriting: claimed against HUD'),
    h('p', {}, reliability[deal.underwrite_reliability]),
    capBars(claimed.cap_rate, hud.cap_rate, set.target_cap_pct),
    table(
      'Underwriting side by side',
      ['Figure', 'Claimed by the listing#', 'On HUD rents#', 'Gap#'],
      rows.map((row) => [row.name, cell(claimed, row, row.show), cell(hud, row, row.show), cell(gap, row, row.gap)]),
    ),
    rentBand(underwriting),
    h(
      'div',
      { class: 'columns' },
      h(
        'div',
        {},
        h('h3', {}, 'How HUD’s side comes about'),
        terms([
          ['HUD rent, two bedrooms, a month', figure(deal.market_rent_2br, usd, deal.absent, 'market_rent_2br')],
          ['Rent from', figure(underwriting.rent_basis, (basis) => rentBases[basis], absent, 'rent_basis')],
          [
            'HUD fiscal year',
            figure(
              underwriting.rent_fiscal_year,
              (year) => `FY${year}${underwriting.rent_is_stale ? ', a later year is in force' : ''}`,
              absent,
              'rent_fiscal_year',
            ),
          ],
          ['Published by HUD on', figure(underwriting.hud_published, (day) => day, absent, 'hud_published')],
          ['Potential rent of', unitsOf(underwriting)],
          ['Gross potential rent', dollars('gross_potential_rent')],
          ['Effective gross income', dollars('effective_gross_income')],
          ['Expenses by', expensesOf(underwriting)],
          ['Operating expenses', dollars('operating_expenses')],
          ['Net operating income', figure(hud.noi, usd, hud.absent, 'noi')],
        ]),
      ),
      h(
        'div',
        {},
        h('h3', {}, 'Price and debt'),
        terms([
          ['Price per unit', dollars('price_per_unit')],
          [
            'Price over potential rent',
            figure(underwriting.gross_rent_multiplier, times, absent, 'gross_rent_multiplier'),
          ],
          [`Loan, ${set.ltv_pct}% of the price`, dollars('loan')],
          ['Debt service, a year', dollars('annual_debt_service')],
          ['Cash invested', dollars('cash_invested')],
          [
            'Break-even occupancy',
            figure(underwriting.break_even_occupancy_pct, percent, absent, 'break_even_occupancy_pct'),
          ],
          ['Loan constant', underwriting.loan_constant],
        ]),
      ),
    ),
    assumptions(set),
  );
}

const reliability = {
  ok: 'The HUD rent proxy fits this property.',
  proxy_out_of_range: 'The price per unit is too high for the HUD rent proxy: do not trust the HUD side of this deal.',
  unknown: 'Rent, units or price is absent, so that there is nothing to check the claim with.',
};

const rentBases = {
  safmr_zip: 'Small Area FMR of the ZIP',
  safmr_zip_lowest: 'lowest Small Area FMR of the ZIP',
  fmr_county: 'FMR of the county',
  fmr_county_lowest: 'lowest FMR of the county',
};

/**
 * Between which figures the HUD side lies where the bedrooms are unknown.
 * @param {Partial<ReportUnderwriting>} underwriting an older report has no band
 */
function rentBand({ rent_band: band }) {
  if (!band) return undefined;
  const { words: told, one_bedroom: one, two_bedrooms: two } = band;
  /** @param {string} name @param {RentBandSide} side */
  const row = (name, { absent, ...side }) => [
    name,
    usd(side.market_rent),
    figure(side.noi, usd, absent, 'noi'),
    figure(side.cap_rate, percent, absent, 'cap_rate'),
    figure(side.dscr, times, absent, 'dscr'),
    figure(side.noi_for_value, usd, absent, 'noi_for_value'),
  ];
  return table(
    `HUD’s side, ${told}`,
    ['Units', 'Rent#', 'Net operating income#', 'Cap rate#', 'Debt-service coverage#', 'Income for value#'],
    [row('all with one bedroom', one), row('all with two bedrooms', two)],
  );
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

/**
 * Two bars and the target on one scale; undefined when both are absent.
 * @param {string | null} claimed
 * @param {string | null} hud
 * @param {string} target
 */
function capBars(claimed, hud, target) {
  const caps = [claimed, hud].filter((cap) => cap !== null).map(Number);
  if (caps.length === 0) return undefined;
  const widest = Math.max(...caps, Number(target)) * 1.15;
  const at = (/** @type {string} */ cap) => `${Math.max(0.5, (Number(cap) / widest) * 100).toFixed(2)}%`;
  const bar = (/** @type {string | null} */ cap, /** @type {string} */ kind, /** @type {number} */ y) =>
    cap === null
      ? undefined
      : svg('rect', { class: kind, x: '0', y: String(y), width: at(cap), height: '18', rx: '3' });
  const told = `Cap rate claimed ${claimed ?? 'absent'}, on HUD rents ${hud ?? 'absent'}, target ${target} percent`;
  return h(
    'figure',
    {},
    svg(
      'svg',
      { class: 'plot', width: '100%', height: '52', role: 'img', 'aria-label': told },
      bar(claimed, 'claimed', 4),
      bar(hud, 'hud', 28),
      svg('line', { class: 'target', x1: at(target), x2: at(target), y1: '0', y2: '52' }),
    ),
    h(
      'figcaption',
      { class: 'legend' },
      h('span', {}, h('span', { class: 'key claimed' }), ` claimed ${claimed === null ? 'absent' : percent(claimed)}`),
      h('span', {}, h('span', { class: 'key hud' }), ` on HUD rents ${hud === null ? 'absent' : percent(hud)}`),
      h('span', {}, h('span', { class: 'key target' }), ` target ${percent(target)}`),
    ),
  );
}

/** @param {AssumptionSet} set */
function assumptions(set) {
  const { version, effective_from: from, ...others } = set;
  return h(
    'details',
    {},
    h('summary', {}, `The declared assumptions, ${version}, in force since ${from}`),
    terms(
      Object.entries(others).map(([name, value]) => [
        capital(words(name)),
        typeof value === 'object'
          ? JSON.stringify(value)
              .replaceAll(/[{}"[\]]/g, '')
              .replaceAll(/[,:]/g, '$& ')
          : String(value),
      ]),
    ),
  );
}
