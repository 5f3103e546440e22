import fc from 'fast-check';
import { dealFilters } from './deal-filters.js';
import {
  amount,
  counties,
  dollars,
  isAmong,
  isAtLeast,
  isAtMost,
  isWithin,
  moments,
  placeFilters,
  type Filter,
} from './filter-values.js';
import { countyOfLead } from '../support/county-of-lead.js';
import type { Auction, Deal, ExclusiveLead, Lead, Signal } from '../../generated/types.gen.js';
import { compareDeals, type DealQuery } from './reference-order.js';
import { standing } from './figures-of-deals.js';
import {
  auctionSorts,
  dealSorts,
  leadSorts,
  saleDayOf,
  signalSorts,
  sortedBy,
  viewed,
  type Sorts,
} from './sorted-lists.js';

/** The query's parameters by name. */
export type Query = Readonly<Record<string, string>>;

/** The day of all requests. */
export const today = '2026-11-22';

/** A paid operation with filters, and its reference filter. `limit` keeps that many first records. */
export interface FilteredList {
  /** The query for all records. */
  readonly whole: Query;
  /** A random value of each parameter, at or one step beyond some records. */
  readonly values: Readonly<Record<string, fc.Arbitrary<string>>>;
  /** What must be asked for with a parameter. */
  readonly needs: Readonly<Record<string, Query>>;
  /** The operation that returns all records, if this one does not. */
  readonly listedBy?: string;
  /** The maximum number of records per reply. */
  readonly most?: number;
  /** The orders that may be asked for, by their own values; the first is that of the list. */
  readonly sorts?: Sorts<never>;
  /** The order of sold records, by their own values. */
  compare(one: never, other: never): number;
  /** The records of a reply, in its order. */
  read(reply: unknown): readonly { readonly id: string }[];
  /** True when a record meets every given condition. */
  matches(record: never, query: Query): boolean;
}

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => (one.id < other.id ? -1 : 1);

/** The limit is no condition of a record. */
const limited = { limit: { values: amount('1', '2', '7', '100', '1000', '1.0', '1e2'), meets: () => true } };

const firstSeenSince = {
  values: moments,
  meets: ({ first_seen: seen }: { readonly first_seen: string }, since: string) =>
    Date.parse(seen) >= Date.parse(since),
};

const signalFilters: Readonly<Record<string, Filter<Signal>>> = {
  ...placeFilters((signal: Signal) => signal),
  first_seen_since: firstSeenSince,
  signal_type: {
    values: amount('tax_delinquent'),
    meets: ({ signal_type: type }, asked) => type === asked,
  },
  min_amount: { values: dollars, meets: (signal, least) => isAtLeast(signal.amount, least) },
  has_address: {
    values: amount('true', 'false'),
    meets: ({ address }, isRequired) => isRequired === 'false' || address !== null,
  },
};

const auctionFilters: Readonly<Record<string, Filter<Auction>>> = {
  ...placeFilters((sale: Auction) => sale),
  first_seen_since: firstSeenSince,
  max_opening_bid: {
    values: amount('59999.99', '60000', '6e4'),
    meets: ({ opening_bid: bid }, most) => isAtMost(bid, most),
  },
  sale_status: {
    values: amount('scheduled', 'adjourned,scheduled', 'unknown', 'scheduled,sold'),
    needs: { include_past: 'true' },
    meets: ({ sale_status: status }, list) => isAmong(status, list),
  },
  from_date: { values: anyDay(), meets: ({ sale_date: day }, first) => day >= first },
  to_date: { values: anyDay(), meets: ({ sale_date: day }, last) => day <= last },
  min_appraised: { values: dollars, meets: ({ appraised_value: value }, least) => isAtLeast(value, least) },
  include_past: { values: amount('true', 'false'), meets: (sale, asked) => asked === 'true' || isToCome(sale) },
};

const leadFilters: Readonly<Record<string, Filter<Lead>>> = {
  ...placeFilters((lead: Lead) =>
    lead.lead_type === 'motivated_listing'
      ? { ...lead, zip: standing(lead.zip, lead, 'zip'), county: standing(countyOfLead(lead), lead, 'zip') }
      : lead,
  ),
  county: { values: counties, meets: isLeadWithin },
  lead_type: {
    values: amount('sheriff_sale_auction', 'tax_delinquent_owner', 'motivated_listing'),
    meets: ({ lead_type: type }, asked) => type === asked,
  },
  min_score: {
    values: amount('0', '30', '40', '5e1', '65', '80', '100'),
    meets: ({ lead_score: score }, least) => isAtLeast(score, least),
  },
  from_date: { values: anyDay(), meets: (lead, first) => (saleDayOf(lead) ?? '') >= first },
  to_date: { values: anyDay(), meets: (lead, last) => (saleDayOf(lead) ?? '9999') <= last },
};

/** The values of all filters, and the reference: a record that meets each that is asked for. */
function filtersOf<Item>(filters: Readonly<Record<string, Filter<Item>>>) {
  return {
    values: Object.fromEntries(Object.entries(filters).map(([name, { values }]) => [name, values])),
    needs: Object.fromEntries(Object.entries(filters).map(([name, { needs = {} }]) => [name, needs])),
    matches: (record: Item, query: Query) =>
      Object.entries(query).every(([name, asked]) => filters[name]?.meets(record, asked, query)),
  };
}

const ofDeals = filtersOf({ ...dealFilters, ...limited, ...sortedBy(dealSorts) });

/** True when a deal meets every given condition; an absent value never does. */
export const matchesDeal = (deal: Deal, query: DealQuery): boolean =>
  ofDeals.matches(deal, Object.fromEntries(Object.entries(query).map(([name, asked]) => [name, String(asked)])));

const deals: FilteredList = {
  ...filtersOf({ ...dealFilters, ...limited, ...sortedBy(dealSorts), ...viewed }),
  whole: {},
  sorts: dealSorts,
  compare: compareDeals,
  read: (reply) => reply as Deal[],
};

const leads = {
  whole: {},
  sorts: leadSorts,
  compare: (one: Lead, other: Lead) => other.lead_score - one.lead_score || byId(one, other),
};

const auctions = filtersOf({ ...auctionFilters, ...limited, ...sortedBy(auctionSorts) });

/** By operation: every paid one with filters, except the lookup, which takes an address. */
export const filteredLists: Readonly<Record<string, FilteredList>> = {
  listDeals: deals,
  listHotDeals: { ...deals, listedBy: 'listHotDeals' },
  listBasicDeals: { ...deals, ...ofDeals, listedBy: 'listDeals' },
  listSignals: {
    ...filtersOf({ ...signalFilters, ...limited, ...sortedBy(signalSorts) }),
    whole: {},
    sorts: signalSorts,
    compare: (one: Signal, other: Signal) => Number(other.amount) - Number(one.amount) || byId(one, other),
    read: (reply) => (reply as { signals: Signal[] }).signals,
  },
  listAuctions: {
    ...auctions,
    matches: (sale: Auction, query) => auctions.matches(sale, { include_past: 'false', ...query }),
    whole: { include_past: 'true' },
    sorts: auctionSorts,
    compare: (one: Auction, other: Auction) =>
      Date.parse(one.sale_date) - Date.parse(other.sale_date) || byId(one, other),
    read: (reply) => reply as Auction[],
  },
  listLeads: {
    ...leads,
    ...filtersOf({ ...leadFilters, ...limited, ...sortedBy(leadSorts) }),
    read: (reply) => reply as Lead[],
  },
  buyExclusiveLead: {
    ...leads,
    ...filtersOf(leadFilters),
    listedBy: 'listLeads',
    most: 1,
    read: (reply) => [(reply as ExclusiveLead).lead],
  },
};

function isToCome({ sale_date: day, sale_status: status }: Auction): boolean {
  return day >= today && ['scheduled', 'adjourned', 'unknown'].includes(status);
}

function anyDay(): fc.Arbitrary<string> {
  return fc
    .integer({ min: -4, max: 4 })
    .map((days) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10));
}

/** By the county as it is stated; by FIPS code only where it is not doubted. */
function isLeadWithin(lead: Lead, part: string): boolean {
  const label = countyOfLead(lead);
  const isDoubted = lead.lead_type === 'motivated_listing' && standing('', lead, 'zip') === null;
  return isWithin(/^\d{5}/.test(part) && isDoubted ? null : label, part);
}
