import type { Contract } from '../../contract/contract.js';
import { ServiceError, type ParameterFault } from '../../errors.js';
import { eventNames, readCursor, type EventName } from '../../feeds/events/event.js';
import type { EventLog, FoundEvents } from '../../feeds/events/event-log.js';
import type { SoldEvents, SoldFeeds } from '../../records/feeds/sold-feeds.js';
import { shortLabel } from '../coverage/counties-of-place.js';
import type { CoverageTable } from '../coverage/coverage-table.js';
import { coverageOfFilter, mostNames, type EmptyFeed, type PlaceFilter } from '../coverage/explain-empty-result.js';
import { auctionFilterFromQuery, dealFilterFromQuery } from '../data/filters-from-query.js';
import { createEventFaults } from '../events/event-faults.js';
import { defaultSince } from '../events/list-events.js';
import { minDisclosed, minInBand, type CountFeed, type Counted } from './count-feed.js';
import { putOnGrid, type QueryValues } from './grid.js';
import { roundCount } from './rounded-count.js';

export interface CountEventsPorts {
  readonly contract: Contract;
  readonly events: SoldEvents;
  readonly feeds: Pick<SoldFeeds, 'deals' | 'auctions'>;
  readonly now: () => Date;
}

/**
 * Creates the count of events. A cursor counts as the hour of its event, so that no query reveals a single event.
 *
 * @throws ServiceError from the count, for a filter that is not one of the feed
 */
export function createCountEvents({ contract, events, feeds, now }: CountEventsPorts): CountFeed {
  const faultsOf = createEventFaults(contract, {});
  const count = (query: QueryValues, table: CoverageTable): Counted => {
    const faults = Object.entries(query).flatMap(([parameter, value]): readonly ParameterFault[] => {
      const detail = faultsOf[parameter]?.(value, query);
      if (typeof detail !== 'string') return [detail ?? []].flat();
      return [{ parameter, in: 'query', reason: 'invalid_parameter', detail }];
    });
    if (faults.length > 0)
      throw new ServiceError('invalid_parameter', 'Correct the parameters in `errors`.', { faults });
    const toAuctions = (values: QueryValues) => auctionFilterFromQuery(values, now());
    return query['feed'] === 'auctions'
      ? countIn(feeds.auctions, events.auctions, toAuctions, query, table)
      : countIn(feeds.deals, events.deals, dealFilterFromQuery, query, table);
  };

  return { count };

  function countIn<Filter extends PlaceFilter>(
    feed: EmptyFeed<Filter> & { current(): { readonly publishedAt: Date } },
    log: EventLog<Filter>,
    toFilter: (query: QueryValues) => Filter,
    { cursor, since, event, ...filters }: QueryValues,
    table: CoverageTable,
  ): Counted {
    const asked = event as readonly EventName[] | undefined;
    const from = typeof cursor === 'string' ? log.momentOf(readCursor(cursor)).toISOString() : since;
    const { widened, tightened } = putOnGrid({ ...filters, since: from ?? defaultSince(now()).toISOString() });
    const find = (values: QueryValues): FoundEvents =>
      log.find({
        after: log.placeAt(new Date(String(values['since']))),
        upTo: log.head(),
        filter: toFilter(values),
        events: asked,
      });
    const all = find(widened);
    const least = tightened === undefined ? 0 : find(tightened).total;
    const { coverage } = coverageOfFilter(feed, toFilter(widened), table);
    return {
      matches: { at_least: roundCount(least).at_least, at_most: roundCount(all.total).at_most },
      counted_with: { ...widened, ...(asked && { event: [...asked] }) },
      about: all.total < minDisclosed ? {} : { event: countKinds(all) },
      rows: [],
      coverage: { place: coverage.status, not_read: coverage.notRead.slice(0, mostNames).map(shortLabel) },
      feed_version: log.head().version,
      as_of: feed.current().publishedAt.toISOString(),
    };
  }
}

function countKinds(found: FoundEvents): Record<string, number> {
  const counts = new Map<EventName, number>(eventNames.map((name) => [name, 0]));
  for (let index = 0; index < found.length; index++) {
    const { event, isNotice } = found.at(index);
    if (!isNotice) counts.set(event, (counts.get(event) ?? 0) + 1);
  }
  const disclosed = [...counts].filter(([, count]) => count >= minInBand);
  return Object.fromEntries(disclosed.map(([name, count]) => [name, roundCount(count).at_most]));
}
