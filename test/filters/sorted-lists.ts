import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { Auction, Deal, Lead, Signal } from '../../generated/types.gen.js';
import { milesBetween } from './filter-values.js';
import { capGapOf, capUnderwrittenOf, dscrOf, pricePerUnitOf, standing } from './figures-of-deals.js';
import type { FilteredList, Query } from './filtered-lists.js';

/** An order: the value that decides, which may depend on what else is asked, and whether the greatest comes first. */
export type Sorts<Item> = Readonly<
  Record<string, { readonly descending?: boolean; valueIn(record: Item, query: Query): string | number | null }>
>;

/** Records that stand in the order of their feed, in an order that may be asked for. */
export function sortRecords<Item>(records: readonly Item[], { sorts }: FilteredList, query: Query): readonly Item[] {
  const all = sorts as Sorts<Item> | undefined;
  const { descending = false, valueIn = () => null } = all?.[query['sort'] ?? Object.keys(all)[0] ?? ''] ?? {};
  const sign = (query['order'] ?? (descending ? 'desc' : 'asc')) === 'desc' ? -1 : 1;
  return [...records].sort((one, other) => {
    const [value, than] = [valueIn(one as never, query), valueIn(other as never, query)];
    if (value === null || than === null) return Number(value === null) - Number(than === null);
    return sign * new Decimal(value).comparedTo(than);
  });
}

/** The parameter that says how much of a record is shown. */
export const viewed = { view: { values: fc.constantFrom('full', 'compact'), meets: () => true } };

/** The parameters that say in which order records are shown. */
export function sortedBy(sorts: Sorts<never>) {
  return {
    sort: {
      values: fc.constantFrom(...Object.keys(sorts)),
      meets: () => true,
      ...('distance' in sorts && { needs: { near: '44105' } }),
    },
    order: { values: fc.constantFrom('asc', 'desc'), meets: () => true },
  };
}

export const dealSorts: Sorts<Deal> = {
  score: { descending: true, valueIn: ({ deal_score: score }) => score },
  price: { valueIn: (deal) => standing(deal.list_price, deal, 'list_price') },
  price_per_unit: { valueIn: pricePerUnitOf },
  cap: { descending: true, valueIn: (deal) => standing(deal.cap_rate, deal, 'cap_rate') },
  cap_underwritten: { descending: true, valueIn: capUnderwrittenOf },
  cap_gap: { valueIn: capGapOf },
  dscr: { descending: true, valueIn: dscrOf },
  first_seen: { descending: true, valueIn: ({ days_on_feed: days }) => -days },
  price_cut_pct: { descending: true, valueIn: (deal) => standing(deal.price_reduction_pct, deal, 'list_price') },
  distance: {
    valueIn: (deal, { near }) =>
      near === undefined ? null : Math.floor(10 * milesBetween(near, standing(deal.zip, deal, 'zip'))),
  },
};

export const signalSorts: Sorts<Signal> = {
  amount: { descending: true, valueIn: ({ amount: owed }) => owed },
  first_seen: { descending: true, valueIn: ({ first_seen: seen }) => Date.parse(seen) },
};

export const auctionSorts: Sorts<Auction> = {
  sale_date: { valueIn: ({ sale_date: day }) => Date.parse(day) },
  appraised: { descending: true, valueIn: ({ appraised_value: value }) => value },
};

export const leadSorts: Sorts<Lead> = {
  score: { descending: true, valueIn: ({ lead_score: score }) => score },
  sale_date: { valueIn: (lead) => Date.parse(saleDayOf(lead) ?? '') || null },
};

/** The sale date of a lead's property, if known. */
export function saleDayOf(lead: Lead): string | undefined {
  if (lead.lead_type === 'sheriff_sale_auction') return lead.sale_date;
  return (lead.lead_type === 'tax_delinquent_owner' ? lead.tax_sale_date : null) ?? undefined;
}
