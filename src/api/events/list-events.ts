import { ServiceError } from '../../errors.js';
import { readCursor, type EventPlace } from '../../feeds/events/event.js';
import type { EventLog } from '../../feeds/events/event-log.js';
import { maxPageRecords } from '../../feeds/feed.js';
import { pageHeaders, pageTokenMs, type PageCapability, type PageTokens } from '../../feeds/page-token.js';
import { daysAt } from '../../places/metros/local-date-of.js';
import type { SoldEvents, SoldFeeds } from '../../records/feeds/sold-feeds.js';
import type { EmptyFeed, ExplainEmptyResult, PlaceFilter } from '../coverage/explain-empty-result.js';
import { auctionFilterFromQuery, dealFilterFromQuery } from '../data/filters-from-query.js';
import { readMoment } from '../data/query-faults.js';
import type { Handler, Query } from '../handler.js';
import { readEventsPage, throwExpired, type EventsAsked, type EventsPage } from './events-page.js';

type EventsQuery = Query<'listEvents'>;

export interface EventsPorts {
  readonly events: SoldEvents;
  readonly feeds: Pick<SoldFeeds, 'deals' | 'auctions'>;
  readonly tokens: PageTokens;
  readonly explain: ExplainEmptyResult;
  /** When a feed may be published next; undefined where nothing publishes it by itself. */
  readonly nextPublicationOf: (feed: 'deals' | 'auctions') => Date | undefined;
  /** Loads what was published since. */
  readonly refresh: () => Promise<void>;
  readonly now: () => Date;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
/** The name of the feed in page tokens. */
export const eventsFeed = 'events';

/** GET /api/events: what happened to deals or auctions, oldest first; and the further pages of what was bought. */
export function createListEvents(ports: EventsPorts) {
  const { events, feeds, tokens, explain, now } = ports;

  async function findStart(log: EventLog<never>, { cursor, since }: EventsQuery): Promise<EventPlace> {
    if (cursor !== undefined) {
      const place = readCursor(cursor);
      // Another instance may have published it just now.
      if (!log.reaches(place)) await ports.refresh();
      return log.reaches(place) ? place : throwExpired(log);
    }
    const at = now().getTime();
    const moment = since === undefined ? defaultSince(now()) : new Date(readMoment(since) ?? at);
    return moment.getTime() < at - 90 * dayMs ? throwExpired(log) : log.placeAt(moment);
  }

  /** The address of the rest is valid for 30 minutes from its issue, and renewed each minute. */
  function issueRest(feed: string, asked: EventsAsked<unknown>, rest: EventPlace): string {
    const expiresAt = (Math.floor(now().getTime() / minuteMs) + 1) * minuteMs + pageTokenMs;
    const { limit, upTo } = asked;
    return tokens.issue({
      ...{ feed: eventsFeed, view: feed, filter: asked, limit, after: rest, feedVersion: upTo.version, expiresAt },
    });
  }

  function headersOf(feed: string, asked: EventsAsked<unknown>, { total, rest }: EventsPage) {
    return pageHeaders({ total, next: rest && issueRest(feed, asked, rest) });
  }

  async function sell<Filter extends PlaceFilter>(
    feed: EmptyFeed<Filter> & { readonly name: string },
    log: EventLog<Filter>,
    filter: Filter,
    query: EventsQuery,
  ) {
    const revision = eventsRevision(events, query, now());
    const after = await findStart(log, query);
    const asked = { filter, events: query.event, upTo: log.head(), limit: query.limit ?? maxPageRecords };
    const page = await readEventsPage(log, after, asked);
    if (!page.isSold) throw await explainNone(feed, filter, page);
    const answered = { name: feed.name, version: asked.upTo.version, revision };
    return { status: 200, body: page.body, headers: headersOf(feed.name, asked, page), feed: answered } as const;
  }

  async function explainNone<Filter extends PlaceFilter>(
    feed: EmptyFeed<Filter>,
    filter: Filter,
    { body, rest }: EventsPage,
  ): Promise<ServiceError> {
    const detail = rest === undefined ? 'Nothing has happened since.' : 'Only records to delete; go on at once.';
    const { reason, message, details } = await explain(feed, filter, detail, 'no_events');
    const next = ports.nextPublicationOf(feed.name === feeds.deals.name ? 'deals' : 'auctions');
    const members = {
      ...details.members,
      next_cursor: body.next_cursor,
      ...(next && { next_publication_at: next.toISOString() }),
      ...(body.events.length > 0 && { removed_ids: body.events.map(({ id }) => id) }),
    };
    return new ServiceError(reason, message, { ...details, members });
  }

  const list: Handler<'listEvents'> = ({ query }) =>
    query.feed === 'auctions'
      ? sell(feeds.auctions, events.auctions, auctionFilterFromQuery(query, now()), query)
      : sell(feeds.deals, events.deals, dealFilterFromQuery(query), query);

  async function resume({ view, filter, after }: PageCapability) {
    // The signature on the token is ours: what it covers is what `issueRest` has put there.
    const [asked, place] = [filter as EventsAsked<never>, after as EventPlace];
    const log = events[view as keyof SoldEvents];
    if (!log.reaches(asked.upTo)) await ports.refresh();
    const page = await readEventsPage(log, place, asked);
    return { name: view, version: asked.upTo.version, body: page.body, headers: headersOf(view, asked, page) };
  }

  return { list, resume };
}

/** What a reply depends on beside its parameters: the events, and the day or the hour where the query says so. */
export function eventsRevision(events: SoldEvents, query: EventsQuery, now: Date): string {
  const isOfDay = query.feed === 'auctions' && query.include_past !== true;
  const isOfHour = query.cursor === undefined && query.since === undefined;
  return [
    events[query.feed ?? 'deals'].revision(),
    ...(isOfDay ? [daysAt(now)] : []),
    ...(isOfHour ? [String(Math.floor(now.getTime() / hourMs))] : []),
  ].join(' ');
}

/** 24 hours ago, to the hour, so that a reply stays the same for a while. */
export function defaultSince(now: Date): Date {
  return new Date(Math.floor(now.getTime() / hourMs) * hourMs - dayMs);
}
