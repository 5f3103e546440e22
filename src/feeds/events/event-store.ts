import type { Knex } from 'knex';
import { joinTexts, splitTexts } from '../../db/sql/joined-texts.js';
import { isOurs, Overtaken, type DraftVersion } from '../store/draft-store.js';
import type { EventName, EventPlace } from './event.js';

/** An event on its way into the database. */
export interface EventToStore extends EventPlace {
  /** When it was published; of a draft, that is known later. */
  readonly at: Date;
  readonly entity: string;
  readonly id: string;
  readonly event: EventName;
  readonly observedAt: Date;
  /** JSON texts of the record's columns; undefined where it was not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** JSON text of the parts of the event as it is sold. */
  readonly body: string;
}

/** The parts of a record in the version before that events are found by. */
export interface RecordBefore<Columns> {
  readonly columns: Columns | undefined;
  /** Whether an event that is kept tells that it was removed. */
  readonly wasRemoved: boolean;
}

/** What of an event is kept in memory. */
export interface StoredEvent<Columns> extends EventPlace {
  readonly id: string;
  readonly event: EventName;
  readonly at: Date;
  /** See `Cutoff`; of the version. */
  readonly takedownNumber: number;
  readonly before: Columns | undefined;
  readonly after: Columns | undefined;
}

/** What of an event is read when it is sold. */
export interface EventBody extends EventPlace {
  readonly observedAt: Date;
  readonly body: string;
}

/** The events of one feed. Those of a draft are visible once its version is. */
export interface EventStore<Columns> {
  /** The columns of a record from their JSON text. */
  readColumns(json: string): Columns;
  /** Removes the events of drafts that were cut off. */
  begin(draft: DraftVersion): Promise<void>;
  /** Some records in the version before a draft, by id. */
  readBefore(draft: DraftVersion, ids: readonly string[]): Promise<ReadonlyMap<string, RecordBefore<Columns>>>;
  /** @throws Overtaken */
  write(draft: DraftVersion, events: readonly EventToStore[]): Promise<void>;
  /** Dates the events of a draft that is about to become visible: later than all before, whatever the clock. */
  date(draft: DraftVersion, at: Date, takedownNumber: number): Promise<void>;
  /** Events of the versions after one up to another, in their order, in chunks. */
  readAfter(version: number, upTo: number): AsyncIterable<readonly StoredEvent<Columns>[]>;
  readBodies(places: readonly EventPlace[]): Promise<readonly EventBody[]>;
  /** The last version whose events may be gone; 0 where none are. */
  readDropped(): Promise<number>;
}

const eventsPerChunk = 500;

export function createEventStore<Columns>(
  knex: Knex,
  feed: string,
  readColumns: (json: Readonly<Record<string, unknown>>) => Columns,
): EventStore<Columns> {
  const toColumns = (json: Row['before']): Columns | undefined => (json === null ? undefined : readColumns(json));
  return {
    readColumns: (json) => readColumns(JSON.parse(json) as Readonly<Record<string, unknown>>),
    begin: async ({ version }) => void (await knex.raw(deleteCutOff, { feed, version })),
    async readBefore({ version }, ids) {
      const { rows } = await knex.raw<{ rows: BeforeRow[] }>(selectBefore, { feed, from: version - 1, ids: [...ids] });
      return new Map(
        rows.map(({ id, columns, was_removed: wasRemoved }) => [id, { columns: toColumns(columns), wasRemoved }]),
      );
    },
    async write(draft, events) {
      if (events.length === 0) return;
      const facts = events.map(({ version, ordinal, entity, id, event, at, observedAt }) => ({
        ...{ version, ordinal, entity, id, event, at },
        observed_at: observedAt,
      }));
      const texts = {
        before: joinTexts(events.map(({ before }) => before)),
        after: joinTexts(events.map(({ after }) => after)),
        body: joinTexts(events.map(({ body }) => body)),
      };
      const values = { feed, ...draft, facts: JSON.stringify(facts), ...texts };
      const { rowCount } = await knex.raw<{ rowCount: number }>(insertEvents, values);
      if (rowCount === 0) throw new Overtaken();
    },
    date: async (draft, at, takedownNumber) =>
      void (await knex.raw(dateEvents, { feed, ...draft, at, takedownNumber })),
    async *readAfter(version, upTo) {
      for (let last: EventPlace = { version, ordinal: 2 ** 31 - 1 }; ;) {
        const { rows } = await knex.raw<{ rows: Row[] }>(selectAfter, { feed, ...last, upTo, eventsPerChunk });
        const events = rows.map((row) => ({
          ...{ id: row.id, event: row.event, at: row.at, ordinal: row.ordinal },
          ...{ version: Number(row.version), takedownNumber: Number(row.takedowns) },
          ...{ before: toColumns(row.before), after: toColumns(row.after) },
        }));
        const end = events.at(-1);
        if (end === undefined) return;
        yield events;
        last = end;
      }
    },
    async readBodies(places) {
      const asked = JSON.stringify(places);
      const { rows } = await knex.raw<{ rows: BodyRow[] }>(selectBodies, { feed, asked });
      return rows.map(({ version, ordinal, observed_at: observedAt, body }) => ({
        ...{ version: Number(version), ordinal, observedAt, body },
      }));
    },
    async readDropped() {
      const row = await knex('feed_versions').where({ feed }).first<{ events_dropped: string } | undefined>();
      return Number(row?.events_dropped ?? 0);
    },
  };
}

type Json = Readonly<Record<string, unknown>> | null;

interface BeforeRow {
  readonly id: string;
  readonly columns: Json;
  readonly was_removed: boolean;
}

interface Row {
  readonly version: string;
  readonly ordinal: number;
  readonly id: string;
  readonly event: EventName;
  readonly at: Date;
  readonly takedowns: string;
  readonly before: Json;
  readonly after: Json;
}

interface BodyRow {
  readonly version: string;
  readonly ordinal: number;
  readonly observed_at: Date;
  readonly body: string;
}

const deleteCutOff = `
  DELETE FROM feed_events WHERE feed = :feed AND version >= :version
    AND version > (SELECT f.version FROM feed_versions AS f WHERE f.feed = :feed)`;

const selectBefore = `
  SELECT asked.id, r.columns, r.id IS NULL AND EXISTS (
    SELECT 1 FROM feed_events AS e WHERE e.feed = :feed AND e.id = asked.id AND e.event = 'removed'
      AND e.version <= :from) AS was_removed
  FROM unnest(cast(:ids AS uuid[])) AS asked(id)
  LEFT JOIN (SELECT * FROM published_records_of(:feed, :ids, :from) WHERE NOT retired) AS r ON r.id = asked.id`;

const insertEvents = `
  INSERT INTO feed_events (feed, version, ordinal, entity, id, event, at, observed_at, before, after, body)
  SELECT :feed, e.version, e.ordinal, e.entity, e.id, e.event, e.at, e.observed_at,
    cast(e.before AS jsonb), cast(e.after AS jsonb), e.body
  FROM ROWS FROM (
    json_to_recordset(cast(:facts AS json))
      AS (version bigint, ordinal integer, entity text, id uuid, event text, at timestamptz, observed_at timestamptz),
    ${splitTexts(':before')}, ${splitTexts(':after')}, ${splitTexts(':body')})
    AS e(version, ordinal, entity, id, event, at, observed_at, before, after, body)
  WHERE ${isOurs}`;

// All events of a version have one moment, and a later version has a later one.
const dateEvents = `
  UPDATE feed_events SET takedowns = :takedownNumber, at = greatest(cast(:at AS timestamptz), (
    SELECT earlier.at + interval '1 millisecond' FROM feed_events AS earlier
    WHERE earlier.feed = :feed AND earlier.version < :version ORDER BY earlier.version DESC, earlier.ordinal DESC LIMIT 1))
  WHERE feed = :feed AND version = :version AND ${isOurs}`;

const selectAfter = `
  SELECT version, ordinal, id, event, at, takedowns, before, after FROM feed_events
  WHERE feed = :feed AND (version, ordinal) > (:version, :ordinal) AND version <= :upTo
  ORDER BY version, ordinal LIMIT :eventsPerChunk`;

const selectBodies = `
  SELECT e.version, e.ordinal, e.observed_at, e.body
  FROM json_to_recordset(cast(:asked AS json)) AS asked(version bigint, ordinal integer)
  JOIN feed_events AS e ON e.feed = :feed AND e.version = asked.version AND e.ordinal = asked.ordinal
  ORDER BY e.version, e.ordinal`;
