import type { SoldFeeds } from '../../records/feeds/sold-feeds.js';
import {
  auctionFilterFromQuery,
  dealFilterFromQuery,
  leadFilterFromQuery,
  signalFilterFromQuery,
} from '../data/filters-from-query.js';
import type { Query } from '../handler.js';
import { auctionBands, dealBands, leadBands, signalBands } from './count-bands.js';
import { createCountEvents, type CountEventsPorts } from './count-events.js';
import { createCountFeed, type CountFeed } from './count-feed.js';

/** The operations whose matches can be counted, by the parameter `of`. */
export const countedOperations = {
  deals: 'listDeals',
  hot_deals: 'listHotDeals',
  basic_deals: 'listBasicDeals',
  signals: 'listSignals',
  auctions: 'listAuctions',
  leads: 'listLeads',
  exclusive_lead: 'buyExclusiveLead',
  events: 'listEvents',
} as const;

/** What is counted: the parameter `of` of a count. */
export type CountedOf = Query<'countMatches'>['of'];

export interface CountersPorts extends CountEventsPorts {
  readonly feeds: SoldFeeds;
}

/** The counter of each operation's matches. */
export function createCounters(ports: CountersPorts): Readonly<Record<CountedOf, CountFeed>> {
  const { feeds, now } = ports;
  const { deals, signals, auctions, leads } = feeds;
  const ofDeals = createCountFeed(deals, dealFilterFromQuery, dealBands);
  const ofLeads = createCountFeed(leads, leadFilterFromQuery, leadBands);
  const toHot = (query: Query<'listHotDeals'>) => ({ ...dealFilterFromQuery(query), hotOnly: true as const });
  return {
    deals: ofDeals,
    hot_deals: createCountFeed(deals, toHot, dealBands),
    basic_deals: ofDeals,
    signals: createCountFeed(signals, signalFilterFromQuery, signalBands),
    auctions: createCountFeed(auctions, (query) => auctionFilterFromQuery(query, now()), auctionBands),
    leads: ofLeads,
    exclusive_lead: ofLeads,
    events: createCountEvents(ports),
  };
}
