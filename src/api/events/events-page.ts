import type { EventList } from '../../../generated/types.gen.js';
import { ServiceError } from '../../errors.js';
import { writeCursor, type EventName, type EventPlace } from '../../feeds/events/event.js';
import type { EventLog, FoundEvents } from '../../feeds/events/event-log.js';
import { maxPageRecords } from '../../feeds/feed.js';
import { eventToWire, removalToWire } from '../../records/event.js';

/** A query for events up to a place in the log. */
export interface EventsAsked<Filter> {
  readonly filter: Filter;
  readonly events?: readonly EventName[] | undefined;
  readonly upTo: EventPlace;
  readonly limit: number;
}

/** A page of events. */
export interface EventsPage {
  readonly body: EventList;
  /** Events from here to `upTo`, deletion notices included. */
  readonly total: number;
  /** Whether it has more than deletion notices. */
  readonly isSold: boolean;
  /** Where the next page begins; undefined on the last one. */
  readonly rest: EventPlace | undefined;
}

type ShownEvent = ReturnType<FoundEvents['at']>;

/**
 * At most `limit` events after a place. Deletion notices are extra, up to the contract's maximum.
 *
 * @throws ServiceError `cursor_expired` where they have been dropped meanwhile
 */
export async function readEventsPage<Filter>(
  log: EventLog<Filter>,
  after: EventPlace,
  { filter, events, upTo, limit }: EventsAsked<Filter>,
): Promise<EventsPage> {
  const found = log.find({ after, upTo, filter, events });
  const shown: ShownEvent[] = [];
  for (let sold = 0; shown.length < Math.min(found.length, maxPageRecords);) {
    const event = found.at(shown.length);
    if (!event.isNotice && sold++ === limit) break;
    shown.push(event);
  }
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  const rest = last && { version: last.version, ordinal: last.ordinal };
  const cursorOf = (place: EventPlace) => writeCursor(log.letter, place);
  return {
    body: {
      events: await toWire(log, shown),
      next_cursor: cursorOf(rest ?? upTo),
      head: cursorOf(upTo),
      has_more: rest !== undefined,
    },
    total: found.length,
    isSold: shown.some(({ isNotice }) => !isNotice),
    rest,
  };
}

async function toWire(log: EventLog<never>, shown: readonly ShownEvent[]): Promise<EventList['events']> {
  const bodies = await log.readBodies(shown.filter(({ isNotice }) => !isNotice));
  const byId = new Map(bodies.map((body) => [writeCursor(log.letter, body), body]));
  return shown.map((event) => {
    const eventId = writeCursor(log.letter, event);
    const facts = { event_id: eventId, event: event.event, id: event.id, at: new Date(event.atMs).toISOString() };
    if (event.isNotice) return removalToWire(facts, log.entity);
    const body = byId.get(eventId) ?? throwExpired(log);
    return eventToWire({ ...facts, observed_at: body.observedAt.toISOString() }, log.entity, body.body);
  });
}

/** Refuses a place whose later events are no longer stored, or that is ahead of the log. */
export function throwExpired(log: Pick<EventLog<never>, 'letter' | 'earliest'>): never {
  throw new ServiceError(
    'cursor_expired',
    'Events are kept for 90 days, and this place is older, or lies ahead of the last event because data was restored ' +
      'from a backup. Go on from `earliest_cursor`. Nothing was billed.',
    { members: { earliest_cursor: writeCursor(log.letter, log.earliest()) } },
  );
}
