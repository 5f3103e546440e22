import type { Knex } from 'knex';
import { groupRows } from '../../db/sql/group-rows.js';
import { lastSeen } from '../../db/sql/last-seen.js';
import { pageIds } from '../../db/sql/page-ids.js';
import { sourceChanged, sourceInForce } from '../../db/sql/source-in-force.js';
import { possiblePlaces } from '../parcels/complete-address.js';
import { findRollPlaces } from '../parcels/parcel-reader.js';
import { findStatePolicy, suppressedSignalStates } from '../../policy/state-policies.js';
import { namingOf, type SuppressionList, withUnshownPlaces } from '../../policy/suppression-list.js';
import { rowToSignal, type SignalRow } from './row-to-signal.js';
import type { Signal } from './signal.js';

/** A changed signal; `signal` is undefined when it may no longer be offered. */
export interface SignalChange {
  readonly id: string;
  readonly signal: Signal | undefined;
}

export interface SignalReaderPorts {
  readonly knex: Knex;
  readonly suppression: SuppressionList;
  readonly now: () => Date;
}

export type SignalReader = ReturnType<typeof createSignalReader>;

const pageSize = 500;

/**
 * Reads unresolved signals of sources that are configured, have a licence in force and may resell, unless state policy
 * suppresses them or their address or parcel is suppressed. Of several sources of a signal, the one that changed last
 * counts.
 *
 * A missing street address or assessed value is completed from the parcel rolls. Fields that the source's licence does
 * not show are absent.
 */
export function createSignalReader({ knex, suppression, now }: SignalReaderPorts) {
  const read = (ids: readonly string[]) => readSignals({ knex, suppression, now }, ids);
  const readChanges = async (ids: readonly string[]): Promise<readonly SignalChange[]> => {
    const signals = new Map((await read(ids)).map((signal) => [signal.id, signal]));
    return ids.map((id) => ({ id, signal: signals.get(id) }));
  };
  return {
    /** All signals that may be offered, in chunks of at most 500, ordered by id. */
    async *readOffered(): AsyncIterable<readonly Signal[]> {
      await suppression.refresh();
      for await (const ids of pageIds(knex, allIds, {}, pageSize)) {
        const signals = await read(ids);
        if (signals.length > 0) yield signals;
      }
    },
    /**
     * The signals changed at or after `since`: in content, amount or presence, in the rolls' entry for their parcel, or
     * in the licence of a source of either; before them the signals `others`. Seeing a signal again unchanged is no
     * change.
     */
    async *changedSince(since: Date, others: readonly string[] = []): AsyncIterable<readonly SignalChange[]> {
      await suppression.refresh();
      if (others.length > 0) yield await readChanges(others);
      const { rows } = await knex.raw<{ rows: unknown[] }>(wideChanges, { now: now(), since });
      const isWide = rows.length > 0;
      for await (const page of pageIds(knex, isWide ? allIds : changedIds, isWide ? {} : { since }, pageSize)) {
        const changed = isWide ? await findChanged(knex, page, since, now()) : page;
        const ids = changed.filter((id) => !others.includes(id));
        if (ids.length > 0) yield await readChanges(ids);
      }
    },
    /** The given signals that may be offered, ordered by id. */
    async readByIds(ids: readonly string[]): Promise<readonly Signal[]> {
      await suppression.refresh();
      return ids.length === 0 ? [] : read(ids);
    },
  };
}

/** The given signals that are changed, including by changes outside their own rows. */
async function findChanged(knex: Knex, ids: readonly string[], since: Date, now: Date): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(changedAmong, { ids: [...ids], since, now });
  return rows.map(({ id }) => id);
}

/** The given signals that are offered, ordered by id. */
async function readSignals({ knex, suppression, now }: SignalReaderPorts, ids: readonly string[]): Promise<Signal[]> {
  const bindings = { ids: [...ids], now: now(), suppressed: [...suppressedSignalStates] };
  const { rows } = await knex.raw<{ rows: SignalRow[] }>(offeredRows, bindings);
  const findPlaces = await findRollPlaces(knex, rows.map(toWanted), now());
  return [...groupRows(rows, ({ id }) => id).values()].flatMap((seen) => {
    const [first] = seen;
    if (first === undefined || findStatePolicy(first.content)?.suppressesSignals === true) return [];
    const roll = findPlaces(toWanted(first));
    const naming = namingOf(first.content, possiblePlaces(first.content, roll));
    if (naming.some(suppression.isSuppressed)) return [];
    const firstSeenAt = new Date(Math.min(...seen.map((row) => row.first_seen_at.getTime())));
    return withUnshownPlaces(rowToSignal({ ...first, first_seen_at: firstSeenAt }, roll), naming);
  });
}

function toWanted({ parcel_key: parcelKey, county_fips: countyFips }: SignalRow) {
  return { parcelKey, countyFips };
}

const isOffered = `s.resolved_at is null and ${sourceInForce} and left(s.county_fips, 2) <> all(:suppressed)`;

const allIds = `select id from signals where id > :after order by id limit :pageSize`;

/** The first row of each signal is the one that counts. */
const offeredRows = `
  select s.id, s.source_name, s.county_fips, s.parcel_key, s.own_address, s.content, s.amount_since, s.first_seen_at,
    ${lastSeen} as last_seen_at, src.licence_class,
    src.undisplayed_fields
  from signals s join sources src on src.name = s.source_name
  where s.id = any(:ids) and ${isOffered}
  order by s.id, s.changed_at desc, s.source_name`;

/**
 * True when signals may have changed without a change to their rows: by a licence, a parcel, or a county's first
 * complete roll.
 */
const wideChanges = `
  select 1 from sources src where src.delivers in ('signals', 'parcels') and ${sourceChanged}
  union all (select 1 from parcels where changed_at >= :since limit 1)
  union all (select 1 from parcel_rolls where completed_at >= :since limit 1)
  limit 1`;

const changedIds = `
  select id from signals where id > :after and changed_at >= :since order by id limit :pageSize`;

const changedAmong = `
  select distinct s.id from signals s join sources src on src.name = s.source_name
  where s.id = any(:ids) and (
    s.changed_at >= :since or ${sourceChanged}
    or exists (
      select from parcels p join sources src on src.name = p.source_name
      where p.parcel_key = s.parcel_key and (p.changed_at >= :since or (p.retired_at is null and ${sourceChanged})))
    or (s.own_address in ('missing', 'none') and s.county_fips in (
        select r.county_fips from parcel_rolls r join sources src on src.name = r.source_name
        where r.completed_at >= :since or ${sourceChanged})))
  order by s.id`;
