import type { Log } from '../../log.js';
import type { DraftVersion } from '../store/draft-store.js';
import type { RecordToStore } from '../store/published-record.js';
import type { EventRules, RecordEvent } from './event.js';
import type { EventStore, EventToStore } from './event-store.js';
import { findEvents, type Sides } from './find-events.js';

/** Writes the events of one publication beside its records. */
export interface EventWriter {
  /** Those of records that were written. */
  written(records: readonly RecordToStore[]): Promise<void>;
  /** Those of records that were retired. */
  retired(ids: readonly string[]): Promise<void>;
  /** Dates them, right before the version becomes visible. */
  finish(takedownNumber: number): Promise<void>;
}

/** How a feed's events are found and written. */
export interface EventPorts<Columns> {
  readonly rules: EventRules<Columns>;
  readonly store: EventStore<Columns>;
  /** The JSON text of an event's parts as they are sold. @throws ContractBreach */
  readonly compose: (event: RecordEvent, of: ComposedOf) => string;
}

/** The record that an event is of. */
export interface ComposedOf {
  readonly id: string;
  readonly observedAt: Date;
  /** Undefined where it was removed. */
  readonly record: RecordToStore | undefined;
}

export interface PublicationOfEvents {
  readonly draft: DraftVersion;
  /** When the publication began: what is gone was seen to be gone then. */
  readonly at: Date;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Begins the events of a publication; undefined for the first of a feed: nothing was published before that could
 * change.
 */
export async function beginEvents<Columns>(
  { rules, store, compose }: EventPorts<Columns>,
  { draft, at, now, log }: PublicationOfEvents,
): Promise<EventWriter | undefined> {
  await store.begin(draft);
  if (draft.shapeBefore === '') return undefined;
  let ordinal = 0;

  function toStore(event: RecordEvent, of: ComposedOf, sides: Sides<Columns>): EventToStore[] {
    try {
      const body = compose(event, of);
      const { before, after } = sides;
      const { id, observedAt } = of;
      const columns = { before: before && JSON.stringify(before), after: after && JSON.stringify(after) };
      const place = { version: draft.version, ordinal: ++ordinal, at };
      return [{ ...place, entity: rules.entity, event: event.event, id, observedAt, ...columns, body }];
    } catch (error) {
      log.error({ err: error, id: of.id }, 'an event breaks the contract and is left out');
      return [];
    }
  }

  /** What happened to some records, which are there now or not. */
  async function write(ids: readonly string[], records: readonly (RecordToStore | undefined)[]): Promise<void> {
    if (ids.length === 0) return;
    const known = await store.readBefore(draft, ids);
    const events = ids.flatMap((id, index) => {
      const record = records[index];
      const after = record && store.readColumns(record.columns);
      const { columns: before, wasRemoved = false } = known.get(id) ?? { columns: undefined };
      const sides = { before, after, wasRemoved };
      const observedAt = after === undefined ? at : new Date(rules.observedMs(after));
      return findEvents(rules, sides, draft.shapeBefore).flatMap((event) =>
        toStore(event, { id, observedAt, record }, sides),
      );
    });
    await store.write(draft, events);
  }

  return {
    written: (records) =>
      write(
        records.map(({ id }) => id),
        records,
      ),
    retired: (ids) => write(ids, []),
    finish: (takedownNumber) => store.date(draft, now(), takedownNumber),
  };
}
