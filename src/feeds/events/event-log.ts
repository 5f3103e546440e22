import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Identified } from '../query/identified.js';
import type { RecordTest } from '../query/feed-kind.js';
import type { PlaceFilter } from '../query/place-rules.js';
import type { Origin } from '../takedowns.js';
import { comparePlaces, type EventName, type EventPlace, type EventRules } from './event.js';
import { createEventRows, type EventRows, type HeldEvent } from './event-rows.js';
import type { EventBody, EventStore } from './event-store.js';
import { findNotShown, type NotShown, type NotShownPorts } from './not-shown.js';

/** The published events of one feed, for 90 days. */
export interface EventLog<Filter> extends Pick<EventRules<never>, 'letter' | 'entity'> {
  /** Brings the events up to a published version into memory. */
  load(version: number): Promise<void>;
  /** The last place; of the version in memory, also where that has no event. */
  head(): EventPlace;
  /** The place before the first event that is surely kept. */
  earliest(): EventPlace;
  /** Whether all events behind a place are kept, and the place was ever reached. */
  reaches(place: EventPlace): boolean;
  /** The place behind the last event up to a moment. */
  placeAt(moment: Date): EventPlace;
  /** When the last event at or before a place was published; the epoch where there is none. */
  momentOf(place: EventPlace): Date;
  /** Changes with each new version and each takedown of an event; equal on every instance. */
  revision(): string;
  find(asked: AskedEvents<Filter>): FoundEvents;
  readBodies(events: readonly EventPlace[]): Promise<readonly EventBody[]>;
}

/** Which events: those behind one place up to another whose record matches before or after. */
export interface AskedEvents<Filter> {
  readonly after: EventPlace;
  readonly upTo: EventPlace;
  readonly filter: Filter;
  /** Default: all. */
  readonly events?: readonly EventName[] | undefined;
}

/** Events in their order; each is read when it is asked for. */
export interface FoundEvents {
  /** Of all, without the notices. */
  readonly total: number;
  /** With the notices. */
  readonly length: number;
  at(index: number): HeldEvent & { readonly isNotice: boolean };
}

export interface EventLogPorts<Columns, Filter extends PlaceFilter> extends NotShownPorts {
  readonly rules: EventRules<Columns>;
  readonly store: EventStore<Columns>;
  readonly testsOf: (filter: Filter) => readonly RecordTest[];
}

/** Creates the log, empty until it is loaded. */
export function createEventLog<Columns extends Identified & Pick<Origin, 'sources'>, Filter extends PlaceFilter>(
  ports: EventLogPorts<Columns, Filter>,
): EventLog<Filter> {
  const { rules, store, takedowns } = ports;
  let rows = createEventRows(rules);
  /** Positions from here on are of a version that is being loaded. */
  let size = 0;
  let [version, dropped] = [0, 0];
  let judged: { readonly key: string; readonly notShown: NotShown } | undefined;

  /** Lets go of what the database has dropped: all up to a version. */
  async function trim(upTo: number): Promise<void> {
    const gone = rows.countTo({ version: upTo, ordinal: 2 ** 31 - 1 });
    const kept = createEventRows(rules);
    for (let position = gone; position < size; position++) {
      const { atMs, ...event } = heldOf(rows.at(position));
      kept.add({ ...event, at: new Date(atMs), before: rows.before(position), after: rows.after(position) });
      if (position % eventsPerTurn === 0) await nextTurn();
    }
    [rows, size, dropped] = [kept, kept.size, upTo];
  }

  async function readInto(target: EventRows<Columns>, after: number, upTo: number): Promise<void> {
    for await (const events of store.readAfter(after, upTo)) {
      for (const event of events) target.add(event);
      await nextTurn();
    }
  }

  /** The database has gone back: the numbers of its versions come again. */
  async function loadAnew(upTo: number): Promise<void> {
    const [fresh, droppedTo] = [createEventRows(rules), await store.readDropped()];
    await readInto(fresh, droppedTo, upTo);
    [rows, size, version, dropped, judged] = [fresh, fresh.size, upTo, droppedTo, undefined];
  }

  function notShown(): NotShown {
    const key = `${version} ${dropped} ${takedowns.revision()}`;
    if (judged?.key !== key) judged = { key, notShown: findNotShown(rows, size, ports) };
    return judged.notShown;
  }

  const log: EventLog<Filter> = {
    letter: rules.letter,
    entity: rules.entity,
    async load(upTo) {
      if (upTo === version) return;
      if (upTo < version) return loadAnew(upTo);
      const droppedTo = await store.readDropped();
      if (droppedTo > dropped) await trim(droppedTo);
      const undo = rows.mark();
      try {
        await readInto(rows, Math.max(version, dropped), upTo);
      } catch (error) {
        undo();
        throw error;
      }
      [size, version] = [rows.size, upTo];
    },
    head() {
      const last = size === 0 ? undefined : rows.at(size - 1);
      return { version, ordinal: last?.version === version ? last.ordinal : 0 };
    },
    earliest: () => ({ version: dropped + 1, ordinal: 0 }),
    reaches: (place) => (dropped === 0 || place.version > dropped) && comparePlaces(place, log.head()) <= 0,
    placeAt(moment) {
      const count = countUntil(rows, size, moment.getTime());
      return count === 0 ? log.earliest() : placeOf(rows.at(count - 1));
    },
    momentOf(place) {
      const count = Math.min(rows.countTo(place), size);
      return new Date(count === 0 ? 0 : rows.at(count - 1).atMs);
    },
    revision: () => `${version} ${dropped} ${notShown().key}`,
    find: (asked) => findAmong(rows, asked, ports, notShown()),
    readBodies: (events) => store.readBodies(events.map(placeOf)),
  };
  return log;
}

const eventsPerTurn = 1_000;

function placeOf({ version, ordinal }: EventPlace): EventPlace {
  return { version, ordinal };
}

/** How many events are of a moment or before. */
function countUntil(rows: Pick<EventRows<never>, 'at'>, size: number, ms: number): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows.at(middle).atMs <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function findAmong<Columns extends Identified, Filter extends PlaceFilter>(
  rows: EventRows<Columns>,
  { after, upTo, filter, events }: AskedEvents<Filter>,
  { testsOf }: Pick<EventLogPorts<Columns, Filter>, 'testsOf'>,
  { positions: notShown, notices }: NotShown,
): FoundEvents {
  const { state } = filter;
  const [from, end] = [rows.countTo(after), rows.countTo(upTo)];
  const matches = rows.passing(from, end, testsOf(filter));
  // Each part of a filter is optional. A notice is told by the state alone, so that no filter probes its record.
  const ofState = (state === undefined ? {} : { state }) as Filter;
  const isOfState = notices.size === 0 ? matches : rows.passing(from, end, testsOf(ofState));
  const found = new Uint32Array(Math.max(0, end - from));
  let [length, total] = [0, 0];
  for (let position = from; position < end; position++) {
    if (notShown.size > 0 && notShown.has(position)) {
      if (notices.has(position) && isOfState[position - from] === 1) found[length++] = position;
      continue;
    }
    if (matches[position - from] !== 1) continue;
    if (events !== undefined && !events.includes(rows.at(position).event)) continue;
    found[length++] = position;
    total++;
  }
  return {
    total,
    length,
    at(index) {
      const position = found[index] ?? -1;
      return { ...heldOf(rows.at(position)), isNotice: notices.has(position) };
    },
  };
}

function heldOf({ id, version, ordinal, event, atMs, takedownNumber }: HeldEvent): HeldEvent {
  return { id, version, ordinal, event, atMs, takedownNumber };
}
