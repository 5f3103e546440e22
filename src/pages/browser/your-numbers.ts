import type * as Wire from '../../../generated/types.gen.js';
import { absent, isKnown, known, type AbsenceReason, type Maybe } from '../../absence.js';
import { compareSides } from '../../deals/reports/underwriting-sides.js';
import type { AssumptionSet, ByState } from '../../underwriting/assumption-set.js';
import { suggestOffer } from '../../underwriting/offer-range.js';
import type { DataQualityFlag } from '../../underwriting/plausibility.js';
import type { HudRent } from '../../underwriting/rents/rent-types.js';
import { createUnderwrite } from '../../underwriting/underwrite.js';
import type { UnderwritingInputs } from '../../underwriting/underwriting-inputs.js';

/** What a person may put in the place of the declared assumptions, as decimal texts. */
export interface Numbers {
  /** Interest, percent a year. */
  readonly rate: string;
  /** Percent of the price. */
  readonly down: string;
  /** Percent. */
  readonly targetCap: string;
  /** Percent of the rent. */
  readonly vacancy: string;
  /** Of two bedrooms, USD a month; those of a unit mix follow in proportion. Empty where HUD has none. */
  readonly rent: string;
}

/** What comes out, as decimal texts; null is absent. */
export interface Outcome {
  readonly noi: string | null;
  readonly capRate: string | null;
  readonly dscr: string | null;
  readonly cashFlow: string | null;
  readonly cashOnCash: string | null;
  readonly hasDebt: boolean;
  readonly gap: string | null;
  readonly reliability: Wire.UnderwriteReliability;
  readonly offer: Pick<
    Wire.OfferRange,
    'low' | 'walk_away_price' | 'max_price_at_target_cap' | 'max_price_at_min_dscr' | 'target_cap_pct' | 'min_dscr'
  > | null;
}

/** The numbers that a report was computed with. */
export function declaredNumbers({ underwriting, deal }: Wire.Report): Numbers {
  const { assumption_set: set, rate_pct: rate, vacancy_pct: vacancy } = underwriting;
  return {
    rate,
    down: trimmed(String(100 - Number(set.ltv_pct))),
    targetCap: set.target_cap_pct,
    vacancy: vacancy ?? set.vacancy_pct,
    rent: trimmed(deal.market_rent_2br ?? ''),
  };
}

const trimmed = (decimal: string): string => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);

/**
 * Computes a report's HUD side and prices with other numbers, by the rules of the server.
 * @throws nothing for numbers within their limits
 */
export function computeWith(report: Wire.Report, numbers: Numbers): Outcome {
  const set = { ...setOf(report.underwriting.assumption_set), ...chosenSet(numbers) };
  const inputs = inputsOf(report, numbers);
  const underwriting = createUnderwrite(set)(inputs);
  const { hud } = compareSides(underwriting, inputs, set);
  const { noi, service } = { noi: textOf(hud.noi), service: textOf(underwriting.annualDebtService) };
  const offer = suggestOffer(underwriting, inputs.listPrice, report.scoring.deal_score.motivation_count, set);
  return {
    noi,
    capRate: textOf(hud.capRate),
    dscr: textOf(hud.dscr),
    cashFlow: noi === null ? null : (Number(noi) - Number(service ?? 0)).toFixed(2),
    cashOnCash: textOf(hud.cashOnCashPct),
    hasDebt: service !== null,
    gap: textOf(underwriting.capGapPct),
    reliability: underwriting.reliability,
    offer: isKnown(offer)
      ? {
          low: offer.value.low,
          walk_away_price: offer.value.walkAwayPrice,
          max_price_at_target_cap: offer.value.maxPriceAtTargetCap,
          max_price_at_min_dscr: offer.value.maxPriceAtMinDscr,
          target_cap_pct: offer.value.targetCapPct,
          min_dscr: offer.value.minDscr,
        }
      : null,
  };
}

/** True where the rules of this page give the report's own figures: not for one of other rules. */
export function isReproduced(report: Wire.Report): boolean {
  try {
    return agrees(report, computeWith(report, declaredNumbers(report)));
  } catch {
    return false; // an assumption set of another form
  }
}

function agrees(report: Wire.Report, ours: Outcome): boolean {
  const { hud } = report.underwriting;
  const { offer_range: offer } = report;
  const pairs = [
    [ours.noi, hud.noi],
    [ours.capRate, hud.cap_rate],
    [ours.dscr, hud.dscr],
    [ours.cashOnCash, hud.cash_on_cash_pct],
    [ours.offer?.low, offer?.low],
    [ours.offer?.walk_away_price, offer?.walk_away_price],
    [ours.offer?.max_price_at_target_cap, offer?.max_price_at_target_cap],
    [ours.offer?.max_price_at_min_dscr, offer?.max_price_at_min_dscr],
  ];
  const cents = (figure: string | null | undefined) =>
    typeof figure === 'string' ? Number(figure).toFixed(2) : undefined;
  return (ours.offer === null) === (offer === null) && pairs.every(([our, theirs]) => cents(our) === cents(theirs));
}

const textOf = (figure: Maybe<string>): string | null => (isKnown(figure) ? figure.value : null);

const maybe = <T>(value: T | null | undefined, reason: AbsenceReason = 'insufficient_inputs'): Maybe<T> =>
  value === null || value === undefined ? absent(reason) : known(value);

function chosenSet({ down, targetCap, vacancy }: Numbers): Partial<AssumptionSet> {
  // A vacancy that a person chose counts, whatever is declared or stated.
  return {
    ltvPct: trimmed(String(100 - Number(down))),
    targetCapPct: targetCap,
    vacancyPct: vacancy,
    vacancyMinPct: vacancy,
  };
}

function inputsOf(report: Wire.Report, { rate, rent }: Numbers): UnderwritingInputs {
  const { deal, underwriting } = report;
  const mix = deal.underwriting_inputs?.unit_mix ?? [];
  const isMixStated = underwriting.unit_mix !== null;
  return {
    listPrice: maybe(deal.list_price),
    units: maybe(deal.units),
    unitMix: isMixStated
      ? known(mix.map(({ bedrooms, units }) => ({ bedrooms, units })))
      : absent('not_stated_by_source'),
    capRate: maybe(deal.cap_rate),
    noi: deal.noi_source === 'stated' ? maybe(deal.noi) : absent('not_stated_by_source'),
    operatingExpenses: maybe(underwriting.stated_operating_expenses),
    expenseItems: known(underwriting.stated_lines.map(({ line, amount }) => ({ name: line, amount }))),
    taxes: absent('not_stated_by_source'),
    vacancyPct: absent('not_stated_by_source'),
    yearBuilt: maybe(deal.year_built),
    state: deal.state,
    // Told by the allowances; where HUD has no rent there are none, and tenants are taken to pay.
    ownerPaysUtilities: mix.length > 0 && mix.every(({ utility_allowance: each }) => Number(each) === 0),
    flags: deal.data_quality as DataQualityFlag[],
    cashOnlyAuction: 'cash_only_auction' in deal.rationales.creative.inputs,
    rent: rent === '' ? absent(rentAbsence(report)) : known(rentOf(report, rent)),
    rates: { asOf: underwriting.rate_as_of, oneToFourUnitsPct: rate, fivePlusUnitsPct: rate },
    nonmetropolitan: deal.score_inputs.nonmetropolitan,
    isZipElsewhere: false,
  };
}

const rentAbsence = ({ deal }: Wire.Report) => deal.absent.market_rent_2br?.reason ?? 'no_hud_rent';

function rentOf({ deal, underwriting }: Wire.Report, rent2br: string): HudRent {
  const declared = Number(deal.market_rent_2br ?? rent2br);
  const isSame = Number(rent2br) === declared;
  const byBedrooms = Array.from({ length: 5 }, () => rent2br);
  for (const { bedrooms, market_rent: rent } of underwriting.unit_mix ?? [])
    byBedrooms[bedrooms] = isSame ? rent : ((Number(rent) * Number(rent2br)) / declared).toFixed(2);
  return { rent2br, byBedrooms, basis: underwriting.rent_basis ?? 'fmr_county', fiscalYear: 0, stale: false };
}

/** The assumption set of a report. Limits that only raise doubts are left out: the report's own doubts count. */
function setOf(set: Wire.AssumptionSet): AssumptionSet {
  const { earlier_or_unknown: earlierOrUnknown = '0', ...years } = set.repairs_per_unit;
  const builtFrom = Object.entries(years).map(([year, amount]) => ({ builtFrom: Number(year), amount }));
  return {
    version: set.version,
    effectiveFrom: set.effective_from,
    vacancyPct: set.vacancy_pct,
    vacancyMinPct: set.vacancy_min_pct,
    utilityAllowances: set.utility_allowances,
    otherIncomePerUnit: set.other_income_per_unit,
    taxesPctOfEgi: byState(set.taxes_pct),
    insurancePerUnit: byState(set.insurance_per_unit),
    managementPctOfEgi: set.management_pct,
    repairsPerUnit: { builtFrom: builtFrom.sort((one, other) => other.builtFrom - one.builtFrom), earlierOrUnknown },
    utilitiesPerUnit: set.utilities_per_unit,
    otherPerUnit: set.other_per_unit,
    reservesPerUnit: set.reserves_per_unit,
    ltvPct: set.ltv_pct,
    amortizationYears: set.amortisation_years,
    minDscr: set.min_dscr,
    minDscrNonmetropolitan: set.min_dscr_nonmetropolitan,
    targetCapPct: set.target_cap_pct,
    minLoan: set.min_loan,
    closingCostsPct: set.closing_costs_pct,
    maxRentMultiple: set.max_rent_multiple,
    suspectRentMultiple: '0',
    capNoiTolerancePct: '1000000',
    uncheckedNoiSharePct: set.unchecked_noi_share_pct,
    offer: {
      openingDiscountPct: set.offer_opening_discount_pct,
      discountPerMotivationPct: set.offer_discount_per_motivation_pct,
      motivationMax: set.offer_motivation_max,
      step: set.offer_step,
    },
  };
}

const byState = (table: Wire.StateTable): ByState => ({ byState: table.by_state, elsewhere: table.elsewhere });
