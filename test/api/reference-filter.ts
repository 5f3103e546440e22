import { Decimal } from 'decimal.js';
import type { BasicDeal, Deal, ListDealsData } from '../../generated/types.gen.js';

export type DealQuery = NonNullable<ListDealsData['query']>;

/** The reference filter on wire records: every given condition must hold; an absent value never matches. */
export function matchesQuery(deal: Deal | BasicDeal, query: DealQuery): boolean {
  const conditions = [
    query.state === undefined || fold(deal.state) === fold(query.state),
    query.city === undefined || foldCity(deal.city) === foldCity(query.city),
    query.min_price === undefined || atLeast(deal.list_price, query.min_price),
    query.max_price === undefined || atMost(deal.list_price, query.max_price),
    query.min_cap === undefined || atLeast(deal.cap_rate, query.min_cap),
    query.min_units === undefined || atLeast(deal.units, query.min_units),
    query.max_units === undefined || atMost(deal.units, query.max_units),
    query.min_score === undefined || atLeast(deal.deal_score, query.min_score),
    query.status === undefined || deal.rental_status === query.status,
  ];
  return conditions.every(Boolean);
}

/** The order of the feed: deal_score and confidence_score descending, then id. */
export function compareDeals(a: Deal, b: Deal): number {
  return (
    b.deal_score - a.deal_score ||
    new Decimal(b.confidence_score).comparedTo(a.confidence_score) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** Names are compared without case, Unicode composition and amount of white space. */
export function fold(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Names of cities also without accents, periods and apostrophes, and with one spelling of Saint. */
export function foldCity(name: string): string {
  return fold(name)
    .normalize('NFKD')
    .replace(/[\p{M}'.]/gu, '')
    .replace(/^saint /, 'st ');
}

function atLeast(value: string | number | null, bound: number): boolean {
  return value !== null && new Decimal(value).gte(bound);
}

function atMost(value: string | number | null, bound: number): boolean {
  return value !== null && new Decimal(value).lte(bound);
}
