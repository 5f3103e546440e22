import { absent, known, type Maybe } from '../../src/absence.js';
import type { Listing } from '../../src/listings/listing.js';
import type { HudRent } from '../../src/underwriting/rents/rent-types.js';
import { assumptionSet, type AssumptionSet } from '../../src/underwriting/assumption-set.js';
import type { MortgageRates } from '../../src/underwriting/mortgage-rates.js';
import type { DatedFigures, UnderwritingInputs } from '../../src/underwriting/underwriting-inputs.js';

const unstated = absent('not_stated_by_source');

/** A listing with only place and identity; a test adds the needed fields. */
export function buildListing(overrides: Partial<Listing> = {}): Listing {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    sourceKey: 'row-1',
    aliases: [],
    formerIds: [],
    sourceName: 'drop-1',
    sourceFirstSeenAt: new Date('2026-11-18T09:00:00.000Z'),
    otherWords: [],
    sourcesDisagree: false,
    marketplace: 'Example Marketplace',
    address: known('3456 E 71ST ST'),
    city: 'Cleveland',
    state: 'OH',
    zip: known('44105'),
    county: unstated,
    countyFips: known('39035'),
    parcelId: unstated,
    addressParsed: true,
    listingUrl: unstated,
    listPrice: unstated,
    units: unstated,
    unitMix: unstated,
    capRate: unstated,
    noi: unstated,
    operatingExpenses: unstated,
    expenseItems: unstated,
    taxes: unstated,
    utilitiesPaidBy: unstated,
    vacancyPct: unstated,
    assessedValue: unstated,
    propertyType: unstated,
    yearBuilt: unstated,
    condition: unstated,
    saleCondition: 'standard',
    terms: [],
    remarks: unstated,
    loanBalance: unstated,
    loanRatePct: unstated,
    firstSeenAt: new Date('2026-11-18T09:00:00.000Z'),
    lastSeenAt: new Date('2026-11-20T09:00:00.000Z'),
    relisted: false,
    prices: [],
    priceHistory: [],
    demonstration: false,
    ...overrides,
  };
}

/** A ZIP's rent of FY2025: stale in November 2026. */
export function buildRent(rent2br: string, overrides: Partial<HudRent> = {}): Maybe<HudRent> {
  return known({ rent2br, basis: 'safmr_zip', fiscalYear: 2025, stale: true, ...overrides });
}

/** Plain assumptions, for rules that do not depend on them: expenses are 45% of income, tenants pay no utilities. */
export const plainSet: AssumptionSet = {
  ...assumptionSet,
  utilityAllowances: ['0', '0', '0', '0', '0'],
  taxesPctOfEgi: { byState: {}, elsewhere: '45.0' },
  insurancePerUnit: { byState: {}, elsewhere: '0' },
  managementPctOfEgi: '0',
  repairsPerUnit: { builtFrom: [], earlierOrUnknown: '0' },
  utilitiesPerUnit: '0',
  otherPerUnit: '0',
  reservesPerUnit: '0',
};

/** The interest rates of the tests. */
export const rates: MortgageRates = { asOf: '2026-11-01', oneToFourUnitsPct: '7.00', fivePlusUnitsPct: '6.75' };

/** The figures of the day for a place, with a rent. */
export function dated(rent: Maybe<HudRent>): DatedFigures {
  return { rent, rates, nonmetropolitan: false, isZipElsewhere: false };
}

/** Underwriting inputs without any value; a test adds the needed ones. */
export function buildInputs(overrides: Partial<UnderwritingInputs> = {}): UnderwritingInputs {
  return {
    listPrice: unstated,
    units: unstated,
    capRate: unstated,
    noi: unstated,
    unitMix: unstated,
    operatingExpenses: unstated,
    expenseItems: unstated,
    taxes: unstated,
    vacancyPct: unstated,
    yearBuilt: unstated,
    state: 'OH',
    ownerPaysUtilities: false,
    rates,
    nonmetropolitan: false,
    isZipElsewhere: false,
    rent: absent('no_hud_rent'),
    flags: [],
    cashOnlyAuction: false,
    ...overrides,
  };
}

/** Six units in ZIP 44105 at its FY2025 SAFMR of $1,000 (HUD, `fy2025_safmrs_revised.xlsx`). */
export const cleveland = buildInputs({
  listPrice: known('420000'),
  units: known(6),
  capRate: known('9.2'),
  rent: buildRent('1000'),
});
