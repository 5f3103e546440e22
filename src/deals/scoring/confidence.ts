import { isKnown, type Maybe } from '../../absence.js';
import type { Listing } from '../../listings/listing.js';
import { findCountyOfZip } from '../../places/metros/zip-counties.js';
import { findMetroByCounty } from '../../places/metros/metros.js';
import { findStatesOfZip } from '../../places/metros/states.js';
import { Exact, publishRatio } from '../../underwriting/decimal.js';
import type { Underwriting } from '../../underwriting/underwriting.js';
import { confidenceRules } from './rule-sets.js';
import type { Score } from './score.js';
import type { ScoredValues } from './scored-values.js';

/** How well an input is grounded: 1 computed or verified, 0.5 derived, 0 assumed or absent. */
type Grounding = '1' | '0.5' | '0';

/**
 * The share of a record that is computed or verified rather than assumed: the mean of ten inputs, "0.00" to "1.00".
 * Lowered when the HUD rent proxy does not fit the price. Rounded once, half-up.
 */
export function rateConfidence(
  listing: Listing,
  underwriting: Underwriting,
  values: ScoredValues,
  now: Date,
  rules: typeof confidenceRules = confidenceRules,
): Pick<Score, 'confidenceScore' | 'confidenceInputs'> {
  const { thresholds } = rules;
  const isDisputed = listing.sourcesDisagree;
  const inputs = {
    address_parsed_and_zip_agrees: values.doubted.has('zip') ? '0' : rateAddress(listing),
    county_or_parcel_linked: rateCounty(listing, values),
    list_price: rateStated(values.listPrice, isDisputed),
    units: rateStated(values.units, isDisputed),
    noi: rateNoi(values, underwriting),
    rent: rateRent(values),
    taxes_actual: verified(isKnown(listing.taxes)),
    vacancy_and_expenses_actual: rateActuals(listing),
    seen_within_48h: verified(isSeenWithin(listing.lastSeenAt, now, Number(thresholds.seen_within_hours))),
    cross_source_agreement: rateAgreement(
      listing.otherWords,
      { ...values, noi: listing.noi },
      thresholds.income_tolerance_pct,
    ),
  } satisfies Record<string, Grounding>;
  const groundings = Object.values(inputs);
  const halves = groundings.reduce((sum, each) => sum + halvesOf[each], 0);
  const factor = underwriting.reliability === 'proxy_out_of_range' ? thresholds.out_of_range_factor : 1;
  const most = new Exact(2 * groundings.length);
  return { confidenceScore: publishRatio(new Exact(factor).times(halves), most, 2), confidenceInputs: inputs };
}

const halvesOf: Readonly<Record<Grounding, number>> = { '1': 2, '0.5': 1, '0': 0 };

function verified(is: boolean): Grounding {
  return is ? '1' : '0';
}

/**
 * Verified when the ZIP lies in the listing's county, derived when ZIP and county cannot be compared. Zero when they
 * disagree, or when either is of another state.
 */
function rateAddress({ addressParsed, zip, countyFips, state }: Listing): Grounding {
  if (!addressParsed || !isKnown(zip)) return '0';
  const statesOfZip = findStatesOfZip(zip.value);
  const stateOfCounty = isKnown(countyFips) ? findMetroByCounty(countyFips.value)?.state : undefined;
  if ((statesOfZip.length > 0 && !statesOfZip.includes(state)) || (stateOfCounty ?? state) !== state) return '0';
  const countyOfZip = findCountyOfZip(zip.value);
  if (countyOfZip === undefined || !isKnown(countyFips)) return '0.5';
  return verified(countyOfZip === countyFips.value);
}

/** A price or number of units that another source states otherwise counts half, a doubted one not at all. */
function rateStated(value: Maybe<unknown>, isDisputed: boolean): Grounding {
  return !isKnown(value) ? '0' : isDisputed ? '0.5' : '1';
}

function rateCounty({ countyFips, parcelId, county }: Listing, { doubted }: ScoredValues): Grounding {
  if (isKnown(parcelId)) return '1';
  if (doubted.has('county') || (doubted.has('zip') && !isKnown(county))) return '0';
  if (isKnown(countyFips)) return '1';
  return isKnown(county) ? '0.5' : '0';
}

/** A stated NOI counts in full, one from the advertised cap or from declared assumptions half. */
function rateNoi({ noi }: ScoredValues, { noiSource }: Underwriting): Grounding {
  if (!isKnown(noi) || !isKnown(noiSource)) return '0';
  return noiSource.value === 'stated' ? '1' : '0.5';
}

/** The ZIP's rent for the current fiscal year counts in full, an older one or the county's half. */
function rateRent({ rent }: ScoredValues): Grounding {
  if (!isKnown(rent)) return '0';
  return rent.value.basis === 'safmr_zip' && !rent.value.stale ? '1' : '0.5';
}

/** Expenses count as stated by total or by item. */
function rateActuals({ vacancyPct, operatingExpenses, expenseItems }: Listing): Grounding {
  const both = Number(isKnown(vacancyPct)) + Number(isKnown(operatingExpenses) || isKnown(expenseItems));
  return both === 2 ? '1' : both === 1 ? '0.5' : '0';
}

/**
 * Compares the listing with the other sources that show the property.
 * - Verified: all state the same price and units, and no income figure differs.
 * - Half: no figure differs, but not all sources state both price and units.
 * - Zero: any two figures differ, or none can be compared.
 */
function rateAgreement(
  otherWords: Listing['otherWords'],
  own: Pick<Listing, 'listPrice' | 'units' | 'capRate' | 'noi'>,
  tolerancePct: string,
): Grounding {
  const isSame = (one: number | string, other: number | string) => new Exact(one).eq(other);
  const isNear = (one: string, other: string) => differenceOf(one, other).lte(new Exact(tolerancePct).div(100));
  const agreements = otherWords.map((other) => ({
    listPrice: compare(own.listPrice, other.listPrice, isSame),
    units: compare(own.units, other.units, isSame),
    capRate: compare(own.capRate, other.capRate, isNear),
    noi: compare(own.noi, other.noi, isNear),
  }));
  const all = agreements.flatMap((each) => Object.values(each));
  if (all.includes('differ') || !all.includes('agree')) return '0';
  return agreements.every(({ listPrice, units }) => listPrice === 'agree' && units === 'agree') ? '1' : '0.5';
}

function compare<T>(one: Maybe<T>, other: Maybe<T>, isSame: (one: T, other: T) => boolean) {
  if (!isKnown(one) || !isKnown(other)) return 'unknown';
  return isSame(one.value, other.value) ? 'agree' : 'differ';
}

/** As a share of the larger one. */
function differenceOf(one: string, other: string): Exact {
  const [a, b] = [new Exact(one), new Exact(other)];
  return a.eq(b) ? new Exact(0) : a.minus(b).abs().div(Exact.max(a.abs(), b.abs()));
}

function isSeenWithin(lastSeenAt: Date, now: Date, hours: number): boolean {
  return now.getTime() - lastSeenAt.getTime() <= hours * 3_600_000;
}
