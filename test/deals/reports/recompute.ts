import { Decimal } from 'decimal.js';
import { isDoubted, scoredDscrOf, scoredReliability } from './doubts.js';
import type { Report, UnderwritingSide } from '../../../generated/types.gen.js';

/*
 * The figures of a report, recomputed from the report alone with independent arithmetic: payments by repeated
 * multiplication, statements written out. Null when an input is missing.
 */
const Plain = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });
type Plain = Decimal;
type Figure = string | null;

/** Rounded half up to `digits` digits. */
export function round(value: Plain | null, digits = 2): Figure {
  if (value === null) return null;
  const text = value.toFixed(digits, Decimal.ROUND_HALF_UP);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** Annual debt service per dollar: the growth of a loan of 1 over the growth of payments of 1. */
export function loanConstant(ratePct: string, years: number): Plain {
  const known = constants.get(`${ratePct} ${years}`);
  if (known !== undefined) return known;
  const rate = new Plain(ratePct).div(100).div(12);
  let [owed, paid] = [new Plain(1), new Plain(0)];
  for (let month = 0; month < years * 12; month++)
    [owed, paid] = [owed.times(rate.plus(1)), paid.times(rate.plus(1)).plus(1)];
  const constant = owed.div(paid).times(12);
  constants.set(`${ratePct} ${years}`, constant);
  return constant;
}

const constants = new Map<string, Plain>();

interface Scenario {
  readonly rentFactor?: string;
  readonly vacancyPoints?: string;
  readonly ratePoints?: string;
  readonly expenseFactor?: string;
  /** HUD's rent for one bedroom, where all units have one. */
  readonly oneBedroom?: string;
}

/** The HUD underwriting of a report's deal under its declared assumptions, optionally with one changed. */
export function underwriteAgain({ deal, underwriting }: Report, scenario: Scenario = {}) {
  const set = underwriting.assumption_set;
  const price = deal.list_price === null ? null : new Plain(deal.list_price);
  const income = incomeStatement(deal, underwriting, scenario);
  const noi = income && income.egi.minus(income.opex);
  const constant = loanConstant(
    new Plain(underwriting.rate_pct).plus(scenario.ratePoints ?? 0).toFixed(),
    set.amortisation_years,
  );
  // The report states whether there is a loan; its size is derived.
  const loan = price === null || underwriting.loan === null ? null : price.times(set.ltv_pct).div(100);
  const service = loan && loan.times(constant);
  const cashIn = price && loan && price.plus(price.times(set.closing_costs_pct).div(100)).minus(loan);
  return { price, income, noi, constant, loan, service, cashIn };
}

function incomeStatement(
  { market_rent_2br: rent, units, state, year_built: year, underwriting_inputs: given }: Report['deal'],
  underwriting: Report['underwriting'],
  scenario: Scenario,
) {
  const { assumption_set: set, unit_mix: unitMix, expenses } = underwriting;
  if (rent === null || units === null || expenses === null) return null;
  const factor = scenario.rentFactor ?? 1;
  // Where the owner pays the utilities, the tenants' allowance is 0, and its cost one of the owner's expenses.
  const isOwnerPaying = given?.unit_mix.every((kind) => Number(kind.utility_allowance) === 0) ?? false;
  const all = (bedrooms: number, market_rent: string) => [
    {
      bedrooms,
      units,
      market_rent,
      utility_allowance: isOwnerPaying ? '0' : (set.utility_allowances[bedrooms] ?? 'NaN'),
    },
  ];
  const kinds = scenario.oneBedroom === undefined ? (unitMix ?? all(2, rent)) : all(1, scenario.oneBedroom);
  const ofTenants = kinds.map((kind) =>
    new Plain(set.utility_allowances[kind.bedrooms] ?? 'NaN').times(12 * kind.units).times(isOwnerPaying ? 1 : 0),
  );
  const net = kinds.map((kind) => {
    const each = new Plain(kind.market_rent).times(factor).minus(kind.utility_allowance);
    return Plain.max(0, each).times(12 * kind.units);
  });
  const gpr = cents(sum(net));
  const vacancy = Plain.max(
    set.vacancy_min_pct,
    new Plain(underwriting.vacancy_pct ?? 'NaN').plus(scenario.vacancyPoints ?? 0),
  );
  const egi = cents(
    gpr.minus(gpr.times(Plain.min(100, vacancy)).div(100)).plus(new Plain(set.other_income_per_unit).times(units)),
  );
  const share = (pct: string): Plain => cents(egi.times(pct).div(100));
  const each = (amount: string | undefined): Plain => cents(new Plain(amount ?? 'NaN').times(units));
  const { taxes_pct: taxes, insurance_per_unit: insurance, repairs_per_unit: repairs } = set;
  const steps = Object.keys(repairs).filter((from) => year !== null && Number(from) <= year);
  const declared: Record<string, Plain> = {
    taxes: share(taxes.by_state[state] ?? taxes.elsewhere),
    insurance: each(insurance.by_state[state] ?? insurance.elsewhere),
    management: share(set.management_pct),
    repairs: each(repairs[steps.sort().at(-1) ?? 'earlier_or_unknown']),
    utilities: each(set.utilities_per_unit).plus(sum(ofTenants)),
    other: each(set.other_per_unit),
    reserves: each(set.reserves_per_unit),
  };
  const lines = expenses.map(({ line }) => {
    const [least, told] = [
      declared[line] ?? new Plain('NaN'),
      underwriting.stated_lines.find((each) => each.line === line),
    ];
    const isMore = told !== undefined && least.lt(told.amount);
    return { line, amount: round(isMore ? new Plain(told.amount) : least), basis: isMore ? 'stated' : 'declared' };
  });
  const counted = sum(lines.map(({ amount }) => new Plain(amount ?? 'NaN')));
  const opex = Plain.max(counted, underwriting.stated_operating_expenses ?? 0);
  const basis = opex.gt(counted) ? 'stated_total' : 'lines';
  return { gpr, egi, lines, basis, opex: cents(opex.times(scenario.expenseFactor ?? 1)) };
}

const cents = (value: Plain): Plain => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP);

const sum = (values: readonly Plain[]): Plain => values.reduce((total, each) => total.plus(each), new Plain(0));

/** One side of the comparison on a published NOI; `cap` when the side states its own. */
export function sideAgain(
  report: Report,
  noi: Figure,
  cap: Figure,
): Record<Exclude<keyof UnderwritingSide, 'absent'>, Figure> {
  const { loan, service, cashIn, constant } = underwriteAgain(report);
  const income = noi === null ? null : new Plain(noi);
  const { min_dscr: minDscr } = report.underwriting;
  const byDscr = income && loan && Plain.max(0, income.div(constant.times(minDscr)));
  return {
    noi,
    cap_rate: cap,
    dscr: round(income && service && income.div(service)),
    debt_yield_pct: round(income && loan && income.div(loan).times(100)),
    cash_on_cash_pct: round(income && service && cashIn && income.minus(service).div(cashIn).times(100)),
    max_loan_by_dscr: round(byDscr),
    max_loan: round(byDscr && loan && Plain.min(loan, byDscr)),
  };
}

/** The income for value, and the one at the declared vacancy. */
export function valueAgain(report: Report) {
  const { deal, underwriting } = report;
  const { assumption_set: set, vacancy_pct: vacancy } = underwriting;
  const declared = vacancy && new Plain(set.vacancy_pct).minus(vacancy).toFixed();
  const stabilized = declared && underwriteAgain(report, { vacancyPoints: declared }).noi;
  const { list_price: price, cap_rate: cap, noi, noi_source: source } = deal;
  const stated = [...(source === 'stated' && noi !== null ? [new Plain(noi)] : [])];
  const ofCap =
    price !== null && Number(price) > 0 && cap !== null && Number(cap) > 0 && !isDoubted(deal, 'list_price')
      ? [cents(new Plain(price).times(cap).div(100))]
      : [];
  const claims = isDoubted(deal, 'cap_rate') ? stated : [...stated, ...ofCap];
  const hud = scoredReliability(deal) === 'ok' ? deal.noi_underwritten : null;
  const lowest = (figures: readonly Plain[]): Plain | null => (figures.length > 0 ? Plain.min(...figures) : null);
  // A doubted cap claims nothing, but what it gives is a ceiling.
  const ceiling = lowest([...stated, ...ofCap]);
  const claim = hud !== null && ceiling?.lt(hud) ? ceiling : lowest(claims);
  const value =
    hud === null
      ? claim && Plain.min(claim, claim.times(set.unchecked_noi_share_pct).div(100))
      : Plain.min(hud, claim ?? hud);
  const basis = hud === null ? claim && 'claim_discounted' : claim ? 'lesser_of_claimed_and_hud' : 'hud';
  const positive = ceiling?.gt(0) ? ceiling : null;
  const arv = hud !== null && stabilized ? Plain.min(stabilized, positive ?? stabilized) : null;
  return { stabilized: round(stabilized || null), value: round(value), basis, arv: round(arv) };
}

/** The offer range; null when there is none. */
export function offerAgain({ deal, underwriting }: Report) {
  const { assumption_set: set, min_dscr: minDscr, noi_for_value: noi } = underwriting;
  if (noi === null || new Plain(noi).lt(set.offer_step)) return null;
  const constant = loanConstant(underwriting.rate_pct, set.amortisation_years);
  const isPriced = Number(deal.list_price) > 0 && !isDoubted(deal, 'list_price');
  const price = isPriced ? new Plain(deal.list_price ?? 0) : null;
  const limits: Record<string, Plain> = {
    target_cap: new Plain(noi).div(set.target_cap_pct).times(100),
    dscr: new Plain(noi).div(constant.times(minDscr).times(set.ltv_pct).div(100)),
  };
  const down = (value: Plain): Plain => value.div(set.offer_step).floor().times(set.offer_step);
  const walkAway = down(Plain.min(...Object.values(limits)));
  if (price) limits['list_price'] = price;
  const most = Plain.min(...Object.values(limits));
  const signals = Math.min(deal.motivation_score, set.offer_motivation_max);
  const discount = new Plain(set.offer_discount_per_motivation_pct).times(signals).plus(set.offer_opening_discount_pct);
  const [low, high] = [down(most.minus(most.times(discount).div(100))), down(most)];
  if (low.lte(0)) return null;
  const mid = down(low.plus(high).div(2));
  const toList = (difference: Plain): Figure => price && round(difference.div(price).times(100), 1);
  return {
    low: round(low),
    mid: round(mid),
    high: round(high),
    walk_away_price: round(walkAway),
    max_price_at_target_cap: round(down(limits['target_cap'] ?? most)),
    max_price_at_min_dscr: round(down(limits['dscr'] ?? most)),
    opening_discount_pct: discount.toFixed(),
    headroom_pct: toList(walkAway.minus(price ?? 0)),
    discount_to_list_pct: toList(mid.neg().plus(price ?? 0)),
    binding_constraint: ['target_cap', 'dscr', 'list_price'].find((name) => limits[name]?.eq(most)),
    target_met_at_list: price && down(limits['target_cap'] ?? most).gte(price),
    target_cap_pct: set.target_cap_pct,
    min_dscr: minDscr,
    noi_for_value: noi,
    basis: underwriting.noi_for_value_basis,
  };
}

/** The deal score from its breakdown. */
export function dealScoreAgain({ deal, scoring: { deal_score: score } }: Report) {
  const of = (name: string): Plain => new Plain(score.thresholds[name] ?? 'NaN');
  const between = (value: Plain): Plain => Plain.max(0, Plain.min(1, value));
  const ramp = (value: Figure, from: string, span: string): Plain =>
    value === null ? new Plain(0) : between(new Plain(value).minus(of(from)).div(of(span)));
  const yieldPoints = ramp(score.scored_yield_pct, 'yield_from_pct', 'yield_span_pct').times(of('yield_points'));
  const dscrPoints = ramp(score.scored_dscr, 'dscr_from', 'dscr_span').times(of('dscr_points'));
  const motivation = Plain.min(of('motivation_points_max'), of('motivation_points_each').times(score.motivation_count));
  const owed = new Plain(score.tax_amount ?? 0);
  const isLarge =
    deal.list_price !== null &&
    !isDoubted(deal, 'list_price') &&
    owed.times(100).gte(of('tax_amount_pct_of_price_min').times(deal.list_price));
  const tax = of('tax_match_points')
    .plus(isLarge ? of('tax_amount_points') : 0)
    .times(score.tax_match_confidence ?? 0);
  const sheriff = of('sheriff_match_points').times(score.sheriff_match_confidence ?? 0);
  const distress = Plain.min(of('distress_points_max'), tax.plus(sheriff));
  const total = yieldPoints.plus(dscrPoints).plus(motivation).plus(distress);
  return {
    total: Number(total.toFixed(0, Decimal.ROUND_HALF_UP)),
    yield_points: round(yieldPoints),
    dscr_points: round(dscrPoints),
    motivation_points: round(motivation),
    distress_points: round(distress),
  };
}

/** The scored yield and DSCR, from the two sides without what is doubted. */
export function scoredAgain({ deal, underwriting, scoring: { deal_score: score } }: Report) {
  const of = (name: string): Plain => new Plain(score.thresholds[name] ?? 'NaN');
  const isHudDoubted = isDoubted(deal, 'units', 'rent', 'list_price');
  const claimed = isDoubted(deal, 'cap_rate') ? null : underwriting.claimed.cap_rate;
  const [hud, hudDscr] = isHudDoubted ? [null, null] : [underwriting.hud.cap_rate, underwriting.hud.dscr];
  const reliable = scoredReliability(deal) === 'ok';
  const supported =
    claimed === null
      ? hud
      : reliable && hud !== null
        ? round(Plain.min(claimed, of('claim_allowance_pct').plus(hud)))
        : round(Plain.min(claimed, of('unchecked_cap_limit_pct')).minus(of('unchecked_haircut_pct')));
  const stated = statedYield(deal);
  const yieldPct = supported && stated && Number(stated) < Number(supported) ? stated : supported;
  const dscr = scoredDscrOf(deal, hudDscr);
  const scored = dscr !== null && reliable && hudDscr !== null ? round(Plain.min(dscr, hudDscr)) : dscr;
  return { scored_yield_pct: yieldPct, scored_dscr: scored };
}

/** The stated NOI over the asking price, percent; null without both, or where the price is doubted. */
export function statedYield(deal: Report['deal']): Figure {
  const { noi, noi_source: source, list_price: price } = deal;
  if (source !== 'stated' || noi === null || price === null || isDoubted(deal, 'list_price')) return null;
  return round(new Plain(noi).div(price).times(100));
}

/** The confidence from its ten inputs. */
export function confidenceAgain({ scoring: { confidence } }: Report): Figure {
  const sum = Object.values(confidence.inputs).reduce<Plain>((total, each) => total.plus(each), new Plain(0));
  return round(sum.div(10).times(confidence.factor));
}

export const minus = (a: Figure, b: Figure): Figure => (a === null || b === null ? null : round(new Plain(a).minus(b)));
export const divide = (a: Plain | null | undefined, b: Plain | number | null | undefined): Figure =>
  !a || !b ? null : round(a.div(b));
export const percentChange = (from: string, to: string): Figure =>
  round(new Plain(to).minus(from).div(from).times(100));
export const percentile = (below: number, equal: number, count: number): Figure =>
  round(new Plain(below).plus(new Plain(equal).div(2)).div(count).times(100), 1);
export const plain = (value: string): Plain => new Plain(value);
