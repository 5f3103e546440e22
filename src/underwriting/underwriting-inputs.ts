import { valueOf } from '../absence.js';
import type { Listing } from '../listings/listing.js';
import type { MortgageRates } from './mortgage-rates.js';
import { flagStated } from './flag-stated.js';
import type { DataQualityFlag } from './plausibility.js';
import type { HudRents, PlaceFigures } from './rents/rent-types.js';

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

export type FiguresOf = (listing: Listing) => DatedFigures;

/** Finds the figures for the places of listings, on one day. */
export function createFiguresOf(
  rents: HudRents,
  { asOf, oneToFourUnitsPct, fivePlusUnitsPct }: MortgageRates,
  on: Date,
): FiguresOf {
  // Without their source, which would be kept with the inputs of every report.
  const rates = { asOf, oneToFourUnitsPct, fivePlusUnitsPct };
  return (listing) => ({ ...rents.at(listing, on), rates });
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
