import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { countyOfLead } from '../support/county-of-lead.js';
import type { Auction, Deal, ExclusiveLead, Lead, Signal } from '../../generated/types.gen.js';
import { compareDeals, fold, foldCity, type DealQuery } from './reference-order.js';
import { capGapOf, capUnderwrittenOf, cutOf, dscrOf, pricePerUnitOf, standing } from './figures-of-deals.js';
import { cities } from './generated-records.js';
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

/** Any notation of one number. */
const amount = (...values: string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
const anyCase = (...names: string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...names), fc.nat(3))
    .map(
      ([name, style]) =>
        [name, name.toLowerCase(), name.toUpperCase(), `  ${name.replaceAll(' ', '   ')} `][style] ?? name,
    );
const whole = amount('0', '1', '2', '3', '4', '4.0', '5e0', '60', '61', '100000');
const perUnit = amount('0', '4999.99', '50000', '62499.99', '62500', '62500.0001', '83333.33', '250000', '1e12');
const years = amount('1700', '1925', '1926', '1926.0', '1990', '2100');
const days = amount('0', '1', '2', '3', '30', '36500');
const dollars = amount(
  '0',
  '0.01',
  '4999.99',
  '5000',
  '5000.00',
  '5e3',
  '5000.005',
  '5000.01',
  '123456.78',
  '1000000000000',
);
const prices = amount('0', '74999', '249999.99', '250000', '25e4', '250000.005', '250000.01', '1200000', '1e12');
const counties = anyCase(
  'cuyahoga',
  'Cook County',
  'county, oh',
  ', TX',
  'St. Louis city',
  'Cuyahoga, OH',
  'cook county il',
  'st. louis,mo',
  '01001',
  "'; drop table--",
  '%',
  '_',
);

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => (one.id < other.id ? -1 : 1);

/** A filter: some of its values, and its meaning for a record as it is sold. */
interface Filter<Item> {
  readonly values: fc.Arbitrary<string>;
  meets(record: Item, asked: string): boolean;
}

/** The limit is no condition of a record. */
const limited = { limit: { values: amount('1', '2', '7', '100', '1000', '1.0', '1e2'), meets: () => true } };

const dealFilters: Readonly<Record<string, Filter<Deal>>> = {
  state: {
    values: anyCase('OH', 'MO', 'TX', 'ID', 'WY').map((state) => state.trim()),
    meets: ({ state }, asked) => fold(state) === fold(asked),
  },
  city: { values: anyCase(...cities, 'Nowhere'), meets: ({ city }, asked) => foldCity(city) === foldCity(asked) },
  min_price: { values: prices, meets: ({ list_price: price }, least) => isAtLeast(price, least) },
  max_price: { values: prices, meets: ({ list_price: price }, most) => isAtMost(price, most) },
  min_cap: {
    values: amount('0', '8.49', '8.5', '8.50', '85e-1', '8.501', '8.51', '12', '100'),
    meets: ({ cap_rate: cap }, least) => isAtLeast(cap, least),
  },
  min_units: { values: whole, meets: ({ units }, least) => isAtLeast(units, least) },
  max_units: { values: whole, meets: ({ units }, most) => isAtMost(units, most) },
  min_score: {
    values: amount('0', '10', '20', '30', '55', '100'),
    meets: ({ deal_score: score }, least) => isAtLeast(score, least),
  },
  status: { values: amount('Hot', 'Warm', 'Pass'), meets: ({ rental_status: status }, asked) => status === asked },
  min_price_per_unit: { values: perUnit, meets: (deal, least) => isAtLeast(pricePerUnitOf(deal), least) },
  max_price_per_unit: { values: perUnit, meets: (deal, most) => isAtMost(pricePerUnitOf(deal), most) },
  min_dscr: {
    values: amount('0', '0.5', '1', '1.25', '125e-2', '1.251', '100'),
    meets: (deal, least) => isAtLeast(dscrOf(deal), least),
  },
  min_confidence: {
    values: amount('0', '0.3', '0.405', '0.5', '0.51', '1'),
    meets: ({ confidence_score: confidence }, least) => isAtLeast(confidence, least),
  },
  min_cap_underwritten: {
    values: amount('0', '4.99', '5', '7.005', '8', '100'),
    meets: (deal, least) => isAtLeast(capUnderwrittenOf(deal), least),
  },
  max_cap_gap: {
    values: amount('-100', '-1', '0', '1', '1.005', '5', '100'),
    meets: (deal, most) => isAtMost(capGapOf(deal), most),
  },
  min_year_built: { values: years, meets: ({ year_built: year }, least) => isAtLeast(year, least) },
  max_year_built: { values: years, meets: ({ year_built: year }, most) => isAtMost(year, most) },
  min_days_on_feed: { values: days, meets: ({ days_on_feed: count }, least) => isAtLeast(count, least) },
  max_days_on_feed: { values: days, meets: ({ days_on_feed: count }, most) => isAtMost(count, most) },
  min_price_cut_pct: {
    values: amount('0', '5', '9.9', '9.95', '10', '10.01', '100'),
    meets: (deal, least) => isAtLeast(standing(deal.price_reduction_pct, deal, 'list_price'), least),
  },
  min_price_cut: {
    values: amount('0', '499.99', '7499.9', '25000', '25000.01', '1e12'),
    meets: (deal, least) => isAtLeast(cutOf(deal), least),
  },
};

const signalFilters: Readonly<Record<string, Filter<Signal>>> = {
  county: { values: counties, meets: ({ county }, part) => isWithin(county, part) },
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
  county: { values: counties, meets: ({ county }, part) => isWithin(county, part) },
  from_date: { values: anyDay(), meets: ({ sale_date: day }, first) => day >= first },
  to_date: { values: anyDay(), meets: ({ sale_date: day }, last) => day <= last },
  min_appraised: { values: dollars, meets: ({ appraised_value: value }, least) => isAtLeast(value, least) },
  include_past: { values: amount('true', 'false'), meets: (sale, asked) => asked === 'true' || isToCome(sale) },
};

const leadFilters: Readonly<Record<string, Filter<Lead>>> = {
  state: {
    values: anyCase('OH', 'MO', 'TX', 'IL', 'WY').map((state) => state.trim()),
    meets: ({ state }, asked) => state === asked.toUpperCase(),
  },
  county: { values: counties, meets: (lead, part) => isWithin(countyOfLead(lead), part) },
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
    matches: (record: Item, query: Query) =>
      Object.entries(query).every(([name, asked]) => filters[name]?.meets(record, asked)),
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

function isWithin(label: string, part: string): boolean {
  const kind = / (County|Parish|city|City and Borough|Borough|Municipality|Census Area|Planning Region),/;
  const spellings = [label, label.replace(',', ''), label.replace(kind, '')].map(fold);
  const asked = fold(part);
  return spellings.some((spelling) => spelling.includes(asked) || spelling.includes(asked.replace(/,\s*/, ' ').trim()));
}

function isAtLeast(value: string | number | null, bound: string): boolean {
  return value !== null && new Decimal(value).gte(bound);
}

function isAtMost(value: string | number | null, bound: string): boolean {
  return value !== null && new Decimal(value).lte(bound);
}
