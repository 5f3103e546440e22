import { Decimal } from 'decimal.js';
import type { Deal, ListDealsData } from '../../generated/types.gen.js';

export type DealQuery = NonNullable<ListDealsData['query']>;

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
