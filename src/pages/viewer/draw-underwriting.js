/** @import { Report, RentBandSide, ReportUnderwriting, UnderwritingSide } from '../../../generated/types.gen.js' */
import { h } from '../assets/dom.js';
import { bars } from './charts.js';
import { figure, percent, points, reasonWords, table, times, timesGap, usd, usdGap } from './figures.js';

/** The format of each row and of its gap. */
const rows = /** @type {const} */ ([
  { field: 'noi', name: 'Net operating income, a year', show: usd, gap: usdGap },
  { field: 'cap_rate', name: 'Cap rate', show: percent, gap: points },
  { field: 'dscr', name: 'Debt coverage (DSCR)', show: times, gap: timesGap },
  { field: 'debt_yield_pct', name: 'Debt yield', show: percent, gap: points },
  { field: 'cash_on_cash_pct', name: 'Cash on cash', show: percent, gap: points },
  { field: 'max_loan_by_dscr', name: 'Loan at the least coverage', show: usd, gap: usdGap },
  { field: 'max_loan', name: 'Largest loan, also by its share of the price', show: usd, gap: usdGap },
]);

/**
 * The listing's claims next to HUD rents.
 * @param {Report} report
 */
export function drawUnderwriting({ underwriting }) {
  const { claimed, hud, gap, assumption_set: set, min_dscr: least } = underwriting;
  /** @param {UnderwritingSide} side @param {typeof rows[number]} row @param {(text: string) => string} show */
  const cell = (side, { field }, show) => figure(side[field], show, side.absent, field);
  const pair = (/** @type {'cap_rate' | 'dscr'} */ field) => [
    { name: 'Claimed', kind: 'claimed', value: claimed[field] },
    { name: 'HUD rents', kind: 'hud', value: hud[field] },
  ];
  const side = hud.noi === null ? hud : undefined;
  return h(
    'section',
    { 'aria-labelledby': 'underwriting' },
    h('h2', { id: 'underwriting' }, 'Claimed against HUD rents'),
    side && h('p', {}, `There is no HUD side: ${reasonWords(side.absent.noi?.reason ?? 'unknown')}.`),
    h(
      'div',
      { class: 'columns' },
      bars({
        name: 'Cap rate',
        bars: pair('cap_rate'),
        show: percent,
        target: { value: set.target_cap_pct, name: 'your target' },
      }),
      bars({
        name: 'Debt coverage (DSCR)',
        bars: pair('dscr'),
        show: times,
        target: { value: least, name: 'lenders want' },
      }),
    ),
    table(
      'Side by side',
      ['Figure', 'Claimed#', 'On HUD rents#', 'Gap#'],
      rows.map((row) => [row.name, cell(claimed, row, row.show), cell(hud, row, row.show), cell(gap, row, row.gap)]),
    ),
    rentBand(underwriting),
  );
}

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
    ['Units', 'Rent#', 'Net income#', 'Cap rate#', 'DSCR#', 'Income for value#'],
    [row('all with one bedroom', one), row('all with two bedrooms', two)],
  );
}
