import { Decimal } from 'decimal.js';
import type { Operations } from '../../../generated/operations.gen.js';
import type { AuctionFilter } from '../../feeds/query/auction-kind.js';
import type { DealFilter } from '../../feeds/query/deal-kind.js';
import type { LeadFilter } from '../../feeds/query/lead-kind.js';
import type { SignalFilter } from '../../feeds/query/signal-kind.js';
import type { Query } from '../handler.js';
import { placeFromQuery, type PlaceQuery } from './place-from-query.js';
import { readMoment } from './query-faults.js';
import { todaysAt } from '../../places/metros/local-date-of.js';

/** Each converts the query of some operations to the filter of their feed. Thresholds become exact integers. */
export const dealFilterFromQuery = createFilterConverter<'listDeals' | 'listBasicDeals' | 'listHotDeals', DealFilter>({
  ...placeFromQuery,
  city: (city) => ({ city }),
  min_price: (price) => ({ minPriceCents: hundredthsAtLeast(price) }),
  max_price: (price) => ({ maxPriceCents: hundredthsAtMost(price) }),
  min_cap: (cap) => ({ minCapHundredths: hundredthsAtLeast(cap) }),
  min_units: (minUnits) => ({ minUnits }),
  max_units: (maxUnits) => ({ maxUnits }),
  min_score: (minScore) => ({ minScore }),
  status: (status) => ({ status }),
  wholesale_status: (wholesaleStatus) => ({ wholesaleStatus }),
  creative_status: (creativeStatus) => ({ creativeStatus }),
  reliability: (reliability) => ({ reliability }),
  property_type: (propertyType) => ({ propertyType }),
  min_price_per_unit: (price) => ({ minCentsPerUnit: hundredths(price) }),
  max_price_per_unit: (price) => ({ maxCentsPerUnit: hundredths(price) }),
  min_dscr: (dscr) => ({ minDscrHundredths: hundredthsAtLeast(dscr) }),
  min_confidence: (confidence) => ({ minConfidenceHundredths: hundredthsAtLeast(confidence) }),
  min_cap_underwritten: (cap) => ({ minCapUnderwrittenHundredths: hundredthsAtLeast(cap) }),
  max_cap_gap: (points) => ({ maxCapGapHundredths: hundredthsAtMost(points) }),
  min_year_built: (minYearBuilt) => ({ minYearBuilt }),
  max_year_built: (maxYearBuilt) => ({ maxYearBuilt }),
  min_days_on_feed: (minDaysOnFeed) => ({ minDaysOnFeed }),
  max_days_on_feed: (maxDaysOnFeed) => ({ maxDaysOnFeed }),
  min_price_cut_pct: (percent) => ({ minPriceCutTenths: new Decimal(percent).times(10).ceil().toNumber() }),
  min_price_cut: (usd) => ({ minPriceCutCents: hundredthsAtLeast(usd) }),
  price_cut_since: (moment) => ({ priceCutSinceMs: momentOf(moment) }),
  first_seen_since: (moment) => ({ firstSeenSinceMs: momentOf(moment) }),
});

export const signalFilterFromQuery = createFilterConverter<'listSignals', SignalFilter>({
  ...placeFromQuery,
  signal_type: (signalType) => ({ signalType }),
  min_amount: (amount) => ({ minAmountCents: hundredthsAtLeast(amount) }),
  first_seen_since: (moment) => ({ firstSeenSinceMs: momentOf(moment) }),
  // `false` means no filter: the parameter works in one direction only.
  has_address: (isRequired) => (isRequired ? { hasAddress: true } : {}),
});

const auctionFilter = createFilterConverter<'listAuctions', AuctionFilter>({
  ...placeFromQuery,
  from_date: (fromDate) => ({ fromDate }),
  to_date: (toDate) => ({ toDate }),
  min_appraised: (value) => ({ minAppraisedCents: hundredthsAtLeast(value) }),
  max_opening_bid: (value) => ({ maxOpeningBidCents: hundredthsAtMost(value) }),
  sale_status: (saleStatus) => ({ saleStatus }),
  first_seen_since: (moment) => ({ firstSeenSinceMs: momentOf(moment) }),
  include_past: () => ({}),
});

/** Past sales match on request only. */
export function auctionFilterFromQuery(query: Query<'listAuctions'>, now: Date): AuctionFilter {
  return { ...auctionFilter(query), ...(query.include_past === true ? {} : { todays: todaysAt(now) }) };
}

export const leadFilterFromQuery = createFilterConverter<'listLeads' | 'buyExclusiveLead', LeadFilter>({
  ...placeFromQuery,
  lead_type: (leadType) => ({ leadType }),
  min_score: (minScore) => ({ minScore }),
  from_date: (fromDate) => ({ fromDate }),
  to_date: (toDate) => ({ toDate }),
});

type FilterName<AnyQuery> = AnyQuery extends unknown
  ? Exclude<keyof AnyQuery, 'limit' | 'sort' | 'order' | 'view'>
  : never;
type ValueOf<AnyQuery, Name> = AnyQuery extends { [N in keyof AnyQuery]: unknown }
  ? Name extends keyof AnyQuery
    ? NonNullable<AnyQuery[Name]>
    : never
  : never;

/** A filter for each parameter of the operations. A parameter that is left out does not compile. */
type Converters<AnyQuery, Filter> = {
  readonly [Name in FilterName<AnyQuery>]: (value: ValueOf<AnyQuery, Name>, query: PlaceQuery) => Filter;
};

function createFilterConverter<Operation extends keyof Operations, Filter extends object>(
  converters: Converters<Query<Operation>, Filter>,
): (query: Query<Operation>) => Filter {
  const each = Object.entries<(value: never, query: PlaceQuery) => Filter>(converters);
  return (query) => {
    const given = query as Readonly<Record<string, never>> & PlaceQuery;
    const filters = each.map(([name, convert]) => (given[name] === undefined ? {} : convert(given[name], given)));
    return Object.assign({}, ...filters) as Filter;
  };
}

/** For what is no whole number of hundredths itself. */
function hundredths(value: number): number {
  return new Decimal(value).times(100).toNumber();
}

/** The smallest whole number of hundredths that is not below the value. Exact. */
export function hundredthsAtLeast(value: number): number {
  return new Decimal(value).times(100).ceil().toNumber();
}

/** The largest whole number of hundredths that is not above the value. Exact. */
export function hundredthsAtMost(value: number): number {
  return new Decimal(value).times(100).floor().toNumber();
}

function momentOf(text: string): number {
  return readMoment(text) ?? Infinity;
}
