import type { Knex } from 'knex';
import { valueOf } from '../../absence.js';
import { groupRows } from '../../db/sql/group-rows.js';
import { lastSeen } from '../../db/sql/last-seen.js';
import { pageIds } from '../../db/sql/page-ids.js';
import { sourceChanged, sourceInForce } from '../../db/sql/source-in-force.js';
import { type NamedPlace, possiblePlaces } from '../parcels/complete-address.js';
import { createParcelReader } from '../parcels/parcel-reader.js';
import { findStatePolicy, suppressedSignalStates } from '../../policy/state-policies.js';
import { type Naming, type SuppressionList, unshownPlaceKeys } from '../../policy/suppression-list.js';
import { type AmountRow, rowToSignal, type SignalRow } from './row-to-signal.js';
import type { Signal } from './signal.js';

/** A changed signal; `signal` is undefined when it may no longer be offered. */
export interface SignalChange {
  readonly id: string;
  readonly signal: Signal | undefined;
}

/** The signals of one county that may be offered. */
export interface SignalCount {
  readonly countyFips: string;
  readonly total: number;
  readonly withAddress: number;
  /** Latest `lastSeenAt` of these signals. */
  readonly freshest: Date;
}

/** Reads the signals that may be offered now. */
export interface SignalReader {
  /** All signals that may be offered, in chunks of at most 500, ordered by id. */
  readOffered(): AsyncIterable<readonly Signal[]>;
  /**
   * The signals changed at or after `since`: in content, amount or presence, in the rolls' entry for their parcel, or
   * in the licence of a source of either. All signals when the suppression list grew. Seeing a signal again unchanged
   * is no change.
   */
  changedSince(since: Date, others?: readonly string[]): AsyncIterable<readonly SignalChange[]>;
  /** One signal, if it may be offered. */
  readById(id: string): Promise<Signal | undefined>;
  /** The given signals that may be offered, ordered by id. */
  readByIds(ids: readonly string[]): Promise<readonly Signal[]>;
  /**
   * Number of signals that may be offered, by county. One statement, unless something is suppressed; then reads all
   * signals.
   */
  countOffered(): Promise<SignalCount[]>;
}

export interface SignalReaderPorts {
  readonly knex: Knex;
  readonly suppression: SuppressionList;
  readonly now: () => Date;
}

const pageSize = 500;

/**
 * Reads unresolved signals of sources that are configured, have a licence in force and may resell, unless state policy
 * suppresses them or their address or parcel is suppressed. Of several sources of a signal, the one that changed last
 * counts.
 *
 * A missing street address or assessed value is completed from the parcel rolls. Fields that the source's licence does
 * not show are absent.
 */
export function createSignalReader({ knex, suppression, now }: SignalReaderPorts): SignalReader {
  const bindings = () => ({ now: now(), suppressed: [...suppressedSignalStates] });
  const read = (ids: readonly string[]) => readSignals({ knex, suppression, now }, ids);

  async function* readOffered(): AsyncGenerator<readonly Signal[]> {
    await suppression.refresh();
    for await (const ids of pageIds(knex, allIds, {}, pageSize)) {
      const signals = await read(ids);
      if (signals.length > 0) yield signals;
    }
  }

  return {
    readOffered,
    async *changedSince(since, others = []) {
      await suppression.refresh();
      const readChanges = async (ids: readonly string[]): Promise<readonly SignalChange[]> => {
        const signals = new Map((await read(ids)).map((signal) => [signal.id, signal]));
        return ids.map((id) => ({ id, signal: signals.get(id) }));
      };
      if (others.length > 0) yield await readChanges(others);
      const { rows } = await knex.raw<{ rows: unknown[] }>(wideChanges, { now: now(), since });
      const isWide = rows.length > 0;
      for await (const page of pageIds(knex, isWide ? allIds : changedIds, isWide ? {} : { since }, pageSize)) {
        const changed = isWide ? await findChanged(knex, page, since, now()) : page;
        const ids = changed.filter((id) => !others.includes(id));
        if (ids.length > 0) yield await readChanges(ids);
      }
    },
    async readByIds(ids) {
      await suppression.refresh();
      return ids.length === 0 ? [] : read(ids);
    },
    async readById(id) {
      await suppression.refresh();
      const [signal] = await read([id]);
      return signal;
    },
    async countOffered() {
      await suppression.refresh();
      if (suppression.size() > 0) return countSignals(readOffered());
      const { rows } = await knex.raw<{ rows: CountRow[] }>(counts, bindings());
      return rows.map((row) => ({
        countyFips: row.county_fips,
        total: Number(row.total),
        withAddress: Number(row.with_address),
        freshest: row.freshest,
      }));
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
  const { rows: amounts } = await knex.raw<{ rows: (AmountRow & AmountKey)[] }>(amountRows, { ids: [...ids] });
  const histories = groupRows(amounts, (amount) => `${amount.id} ${amount.source_name}`);
  const findPlaces = await createParcelReader(knex, now).findPlaces(rows.map(toWanted));
  return [...groupRows(rows, ({ id }) => id).values()].flatMap((seen) => {
    const [first] = seen;
    if (first === undefined) return [];
    const roll = findPlaces(toWanted(first));
    const signal = rowToSignal(
      { ...first, first_seen_at: new Date(Math.min(...seen.map((row) => row.first_seen_at.getTime()))) },
      histories.get(`${first.id} ${first.source_name}`) ?? [],
      roll,
    );
    if (findStatePolicy(first.content)?.suppressesSignals === true) return [];
    const naming = toNaming(first.content, possiblePlaces(first.content, roll));
    return naming.some(suppression.isSuppressed) ? [] : withUnshown(signal, naming);
  });
}

function toWanted({ parcel_key: parcelKey, county_fips: countyFips }: SignalRow) {
  return { parcelKey, countyFips };
}

function withUnshown(signal: Signal, naming: Naming): Signal {
  const keys = toNaming(signal, [signal]).flatMap((shown) => unshownPlaceKeys(naming, shown));
  return keys.length === 0 ? signal : { ...signal, unshownPlaceKeys: keys };
}

function toNaming(
  { state, countyFips, parcelId }: Pick<Signal, 'state' | 'countyFips' | 'parcelId'>,
  places: readonly NamedPlace[],
): Naming {
  return places.map(({ address, city, zip }) => {
    return { street: valueOf(address), city: valueOf(city), state, zip: valueOf(zip), countyFips, parcelId };
  });
}

async function countSignals(chunks: AsyncIterable<readonly Signal[]>): Promise<SignalCount[]> {
  const counties = new Map<string, SignalCount>();
  for await (const chunk of chunks) {
    for (const { countyFips, addressStatus, lastSeenAt } of chunk) {
      const { total = 0, withAddress = 0, freshest = lastSeenAt } = counties.get(countyFips) ?? {};
      counties.set(countyFips, {
        countyFips,
        total: total + 1,
        withAddress: withAddress + (addressStatus === 'complete' ? 1 : 0),
        freshest: lastSeenAt > freshest ? lastSeenAt : freshest,
      });
    }
  }
  return [...counties.values()].sort((one, other) => (one.countyFips < other.countyFips ? -1 : 1));
}

interface AmountKey {
  readonly id: string;
  readonly source_name: string;
}

interface CountRow {
  readonly county_fips: string;
  readonly total: string;
  readonly with_address: string;
  readonly freshest: Date;
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

const amountRows = `
  select id, source_name, first_seen_at, last_seen_at, cast(amount as text) as amount
  from signal_amounts where id = any(:ids) order by id, source_name, first_seen_at`;

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

/** One row per signal, as it would be read; the address is its own or the only situs of its parcel. */
const counts = `
  with offered as (
    select distinct on (s.id) s.id, s.county_fips, s.parcel_key, ${lastSeen} as last_seen_at,
      case when 'address' = any(src.undisplayed_fields) then 'suppressed' else s.own_address end as own_address
    from signals s join sources src on src.name = s.source_name
    where ${isOffered} order by s.id, s.changed_at desc, s.source_name
  ), located as (
    select p.parcel_key from parcels p join sources src on src.name = p.source_name
    where p.retired_at is null and p.situs is not null and ${sourceInForce}
    group by p.parcel_key having count(distinct p.situs) = 1
  )
  select o.county_fips, count(*) as total, max(o.last_seen_at) as freshest,
    count(*) filter (where o.own_address = 'usable'
      or (o.own_address in ('missing', 'none') and l.parcel_key is not null)) as with_address
  from offered o left join located l on l.parcel_key = o.parcel_key
  group by o.county_fips order by o.county_fips`;
