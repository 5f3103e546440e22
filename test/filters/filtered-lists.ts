import fc from 'fast-check';
import { countyOfLead } from '../support/county-of-lead.js';
import type { Auction, BasicDeal, Deal, ExclusiveLead, Lead, Signal } from '../../generated/types.gen.js';
import { fold, matchesQuery } from '../api/reference-filter.js';
import { cities } from './generated-records.js';

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

const limit = amount('1', '2', '7', '100', '1000', '1.0', '1e2');

const deals: FilteredList = {
  whole: {},
  values: {
    state: anyCase('OH', 'MO', 'TX', 'ID', 'WY').map((state) => state.trim()),
    city: anyCase(...cities, 'Nowhere'),
    min_price: prices,
    max_price: prices,
    min_cap: amount('0', '8.49', '8.5', '8.50', '85e-1', '8.501', '8.51', '12', '100'),
    min_units: whole,
    max_units: whole,
    min_score: amount('0', '10', '20', '30', '55', '100'),
    status: amount('Hot', 'Warm', 'Pass'),
    limit,
  },
  compare: (one: Deal, other: Deal) =>
    other.deal_score - one.deal_score ||
    Number(other.confidence_score) - Number(one.confidence_score) ||
    byId(one, other),
  read: (reply) => reply as Deal[],
  matches: (deal: Deal | BasicDeal, query) => matchesQuery(deal, numbersOf(query)),
};

const leads: FilteredList = {
  whole: {},
  values: {
    state: anyCase('OH', 'MO', 'TX', 'IL', 'WY').map((state) => state.trim()),
    county: counties,
    lead_type: amount('sheriff_sale_auction', 'tax_delinquent_owner', 'motivated_listing'),
    min_score: amount('0', '30', '40', '5e1', '65', '80', '100'),
    from_date: anyDay(),
    to_date: anyDay(),
  },
  compare: (one: Lead, other: Lead) => other.lead_score - one.lead_score || byId(one, other),
  read: (reply) => reply as Lead[],
  matches: (lead: Lead, query) =>
    (query['state'] === undefined || lead.state === query['state'].toUpperCase()) &&
    isWithin(countyOfLead(lead), query['county']) &&
    (query['lead_type'] === undefined || lead.lead_type === query['lead_type']) &&
    lead.lead_score >= Number(query['min_score'] ?? 0) &&
    isBetween(saleDayOf(lead), query),
};

/** By operation: every paid one with filters, except the lookup, which takes an address. */
export const filteredLists: Readonly<Record<string, FilteredList>> = {
  listDeals: deals,
  listHotDeals: { ...deals, values: { limit }, matches: () => true },
  listBasicDeals: deals,
  listSignals: {
    whole: {},
    values: {
      county: counties,
      signal_type: amount('tax_delinquent'),
      min_amount: dollars,
      has_address: amount('true', 'false'),
      limit,
    },
    compare: (one: Signal, other: Signal) => Number(other.amount) - Number(one.amount) || byId(one, other),
    read: (reply) => (reply as { signals: Signal[] }).signals,
    matches: (signal: Signal, { county, min_amount: least, has_address: mailReady }) =>
      isWithin(signal.county, county) &&
      isAtLeast(signal.amount, least) &&
      (mailReady !== 'true' || signal.address !== null),
  },
  listAuctions: {
    whole: { include_past: 'true' },
    values: {
      county: counties,
      from_date: anyDay(),
      to_date: anyDay(),
      min_appraised: dollars,
      include_past: amount('true', 'false'),
      limit,
    },
    compare: (one: Auction, other: Auction) =>
      Date.parse(one.sale_date) - Date.parse(other.sale_date) || byId(one, other),
    read: (reply) => reply as Auction[],
    matches: (auction: Auction, query) =>
      isWithin(auction.county, query['county']) &&
      auction.sale_date >= (query['from_date'] ?? '') &&
      auction.sale_date <= (query['to_date'] ?? '9999') &&
      isAtLeast(auction.appraised_value, query['min_appraised']) &&
      (query['include_past'] === 'true' ||
        (auction.sale_date >= today && ['scheduled', 'adjourned', 'unknown'].includes(auction.sale_status))),
  },
  listLeads: { ...leads, values: { ...leads.values, limit } },
  buyExclusiveLead: {
    ...leads,
    listedBy: 'listLeads',
    most: 1,
    read: (reply) => [(reply as ExclusiveLead).lead],
  },
};

/** The sale date of a lead's property, if known. */
function saleDayOf(lead: Lead): string | undefined {
  if (lead.lead_type === 'sheriff_sale_auction') return lead.sale_date;
  return (lead.lead_type === 'tax_delinquent_owner' ? lead.tax_sale_date : null) ?? undefined;
}

function isBetween(day: string | undefined, { from_date: from, to_date: to }: Query): boolean {
  if (from === undefined && to === undefined) return true;
  return day !== undefined && day >= (from ?? '') && day <= (to ?? '9999');
}

function anyDay(): fc.Arbitrary<string> {
  return fc
    .integer({ min: -4, max: 4 })
    .map((days) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10));
}

function isWithin(label: string, part: string | undefined): boolean {
  if (part === undefined) return true;
  const kind = / (County|Parish|city|City and Borough|Borough|Municipality|Census Area|Planning Region),/;
  const spellings = [label, label.replace(',', ''), label.replace(kind, '')].map(fold);
  const asked = fold(part);
  return spellings.some((spelling) => spelling.includes(asked) || spelling.includes(asked.replace(/,\s*/, ' ').trim()));
}

function isAtLeast(value: string | null, bound: string | undefined): boolean {
  return bound === undefined || (value !== null && Number(value) >= Number(bound));
}

function numbersOf({ state, city, status, ...others }: Query): Parameters<typeof matchesQuery>[1] {
  const numbers = Object.fromEntries(Object.entries(others).map(([name, text]) => [name, Number(text)]));
  const texts = Object.fromEntries(Object.entries({ state, city, status }).filter(([, text]) => text !== undefined));
  return { ...numbers, ...texts };
}
