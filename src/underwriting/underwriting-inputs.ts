import { hash } from 'node:crypto';
import { valueOf } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import type { AssumptionSet } from './assumption-set.js';
import type { MortgageRates } from './mortgage-rates.js';
import { flagStated, type DataQualityFlag } from './plausibility.js';
import type { PlaceFigures } from './rents/hud-rent.js';

/** The inputs of underwriting: what a listing states, and the figures of the day. */
export interface UnderwritingInputs
  extends
    DatedFigures,
    Pick<
      Listing,
      | 'listPrice'
      | 'units'
      | 'unitMix'
      | 'capRate'
      | 'noi'
      | 'operatingExpenses'
      | 'expenseItems'
      | 'taxes'
      | 'vacancyPct'
      | 'yearBuilt'
      | 'state'
    > {
  readonly ownerPaysUtilities: boolean;
  /** What the listing's own words already say against it. */
  readonly flags: readonly DataQualityFlag[];
  /** A cash-only auction has no financed DSCR. */
  readonly cashOnlyAuction: boolean;
}

/** The inputs that no listing states. */
export interface DatedFigures extends PlaceFigures {
  readonly rates: MortgageRates;
}

/** The inputs of underwriting from a listing, with the figures of the day for its place. */
export function underwritingInputs(
  listing: Listing,
  { rent, rates, nonmetropolitan, isZipElsewhere }: DatedFigures,
): UnderwritingInputs {
  return {
    listPrice: listing.listPrice,
    units: listing.units,
    unitMix: listing.unitMix,
    capRate: listing.capRate,
    noi: listing.noi,
    operatingExpenses: listing.operatingExpenses,
    expenseItems: listing.expenseItems,
    taxes: listing.taxes,
    vacancyPct: listing.vacancyPct,
    yearBuilt: listing.yearBuilt,
    state: listing.state,
    ownerPaysUtilities: valueOf(listing.utilitiesPaidBy) === 'owner',
    flags: [...flagStated(listing), ...(isZipElsewhere ? (['zip_county_disagree'] as const) : [])],
    cashOnlyAuction: listing.saleCondition === 'auction' && listing.terms.includes('cash_only'),
    rent,
    rates,
    nonmetropolitan,
    isZipElsewhere,
  };
}

/** The name of an assumption set with the rates of the day: when it changes, everything must be underwritten again. */
export function nameOfAssumptions(
  version: string,
  { asOf, oneToFourUnitsPct, fivePlusUnitsPct }: MortgageRates,
): string {
  return [version, asOf, oneToFourUnitsPct, fivePlusUnitsPct].join(' ');
}

/** A hash of inputs and assumption set: when it changes, the listing must be underwritten again. */
export function hashInputs(inputs: UnderwritingInputs, { version }: AssumptionSet): string {
  const { rent, ...others } = inputs;
  const rentParts = 'value' in rent ? Object.entries(rent.value).sort(byName) : rent.absent;
  return hash('sha256', JSON.stringify([version, others, rentParts]));
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
