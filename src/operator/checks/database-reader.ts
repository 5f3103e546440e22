import type { Knex } from 'knex';
import { readMigrationWaits, readSchema, type MigrationWait, type SchemaStanding } from '../../db/migrate.js';
import { askNamed } from '../../db/sql/ask-named.js';
import type { Hex } from '../../payments/chain/eip3009.js';
import { readPooling, type Pooling } from '../../db/read-pooling.js';
import { readBooks, type Books } from '../../payments/audit/books-reader.js';
import { readTablesOfRents, type TableOfRents } from '../../underwriting/rents/rent-reader.js';
import { readStandings, type SourceStanding } from '../../sources/standings-reader.js';

/** What a PostgreSQL server says of itself and of what it holds. */
export interface DatabaseFacts {
  /** By its clock. */
  readonly at: Date;
  /** As in server_version_num: 150004 for 15.4. */
  readonly version: number;
  readonly encoding: string;
  readonly user: string;
  readonly database: string;
  readonly mayCreate: boolean;
  readonly isReadOnly: boolean;
  readonly pooling: Pooling;
  /** Safety settings that are off, by name. */
  readonly unsafe: readonly string[];
  readonly schema: SchemaStanding;
  /** Sessions that are updating the schema and wait for a lock. */
  readonly migrationWaits: readonly MigrationWait[];
  /** Published records by feed, as the planner estimates them. */
  readonly records: Readonly<Record<string, number>>;
  /** Of rents, carried and loaded. */
  readonly rentTables: readonly TableOfRents[];
  /** Undefined while migrations are due, or where this program cannot use the schema. */
  readonly content: DatabaseContent | undefined;
  /** Why a row cannot be written; undefined where it can, or while migrations are due. */
  readonly writeFault: string | undefined;
}

/** What the tables of this program hold. */
export interface DatabaseContent extends Readonly<Books> {
  /** By the clock of the database. */
  readonly at: Date;
  readonly maxConnections: number;
  readonly instances: number;
  readonly leases: readonly { readonly relayer: string; readonly holder: string; readonly until: string }[];
  /** Above all nonces that were kept, by chain and relayer. */
  readonly nextNonces: ReadonlyMap<string, number>;
  readonly feedsPublished: number;
  /** The sources that live instances have in different ways, with these instances. */
  readonly differing: readonly { readonly source: string; readonly instances: readonly string[] }[];
  readonly standings: readonly SourceStanding[];
  readonly oldestOpenSeconds: number;
  /** Seconds since the last success of each job that had one. */
  readonly jobsDone: ReadonlyMap<string, number>;
  /** Within 30 days. */
  readonly soldLately: boolean;
}

/** Reads them, and migrates nothing: what it tries to write is rolled back. */
export async function readDatabaseFacts(knex: Knex, jobs: readonly string[]): Promise<DatabaseFacts> {
  const { rows } = await knex.raw<{ rows: [ServerRow] }>(server);
  const [row] = rows;
  const schema = await readSchema(knex);
  const isReady = row.migrated && schema.pending.length === 0 && schema.fault === undefined;
  return {
    ...row,
    pooling: await readPooling(knex),
    unsafe: (row.unsafe ?? []).sort(),
    records: row.records ?? {},
    schema,
    migrationWaits: schema.pending.length > 0 ? await readMigrationWaits(knex) : [],
    rentTables: isReady ? await readTablesOfRents(knex) : [],
    content: isReady ? await readContent(knex, jobs) : undefined,
    writeFault: isReady ? await tryWriting(knex) : undefined,
  };
}

type ServerRow = Omit<
  DatabaseFacts,
  'schema' | 'migrationWaits' | 'rentTables' | 'content' | 'pooling' | 'writeFault' | 'records'
> & {
  readonly migrated: boolean;
  unsafe: string[] | null;
  records: DatabaseFacts['records'] | null;
};

const server = `select clock_timestamp() as at, current_setting('server_version_num')::int as version,
  current_setting('server_encoding') as encoding, current_user as "user", current_database() as database,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
  pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
  (select array_agg(name) from unnest(array['fsync', 'full_page_writes', 'synchronous_commit']) as name
    where current_setting(name) = 'off') as unsafe,
  (select jsonb_object_agg(feed, round(greatest(reltuples, 0) * share)) from pg_class, pg_stats,
    unnest(cast(cast(most_common_vals as text) as text[]), most_common_freqs) as feeds (feed, share)
    where pg_class.oid = to_regclass('published_records') and schemaname = current_schema()
      and tablename = 'published_records' and attname = 'feed') as records,
  to_regclass('knex_migrations') is not null as migrated`;

/** Reads what the tables hold. */
export async function readContent(knex: Knex, jobs: readonly string[], booksAt = readBooks): Promise<DatabaseContent> {
  const { rows } = await knex.raw<{ rows: [ContentRow] }>(content, [[...jobs]]);
  const [row] = rows;
  return {
    at: row.at,
    maxConnections: row.maxConnections,
    instances: row.instances,
    leases: row.leases ?? [],
    nextNonces: new Map((row.nonces ?? []).map(({ key, next }) => [key, next])),
    feedsPublished: row.feeds,
    differing: row.differing ?? [],
    standings: await readStandings(knex),
    ...(await booksAt(knex, row.at)),
    oldestOpenSeconds: row.open ?? 0,
    jobsDone: new Map((row.jobs ?? []).map(({ job, seconds }) => [job, seconds])),
    soldLately: row.soldLately,
  };
}

interface ContentRow {
  readonly soldLately: boolean;
  readonly jobs: readonly { readonly job: string; readonly seconds: number }[] | null;
  readonly at: Date;
  readonly maxConnections: number;
  readonly instances: number;
  readonly feeds: number;
  readonly differing: DatabaseContent['differing'] | null;
  readonly open: number | null;
  readonly leases: DatabaseContent['leases'] | null;
  readonly nonces: readonly { readonly key: string; readonly next: number }[] | null;
}

const content = `select now() as at, current_setting('max_connections')::int as "maxConnections",
  (select count(*)::int from instances where seen_at > now() - interval '15 seconds' and not draining) as instances,
  exists (select 1 from payments where claimed_at > now() - interval '30 days' and state = 'settled') as "soldLately",
  (select count(distinct feed)::int from feed_versions) as feeds,
  (select jsonb_agg(jsonb_build_object('source', source, 'instances', names) order by source) from (
    select digest.key as source, jsonb_agg(name order by name) as names
      from instances, jsonb_each_text(sources) as digest where seen_at > now() - interval '15 seconds'
      group by digest.key having count(distinct digest.value) > 1) as differ) as differing,
  (select extract(epoch from now() - min(claimed_at))::int from payments where state = 'claimed') as open,
  (select jsonb_agg(jsonb_build_object('relayer', '0x' || encode(relayer, 'hex'), 'until', lease_until,
      'holder', coalesce((select name from instances as i where i.owner = l.owner), 'an unknown instance')))
    from relayer_leases as l where lease_until > now()) as leases,
  (select jsonb_agg(jsonb_build_object('key', chain || ' 0x' || encode(relayer, 'hex'), 'next', next_nonce))
    from relayer_leases) as nonces,
  (select jsonb_agg(jsonb_build_object('job', job, 'seconds', extract(epoch from now() - finished_at)::int))
    from unnest(?::text[]) as asked (job), lateral (select finished_at from job_runs as r
      where r.job = asked.job and state = 'succeeded' order by slot desc limit 1) as done) as jobs`;

/** A row like a heartbeat's, which is rolled back. */
async function tryWriting(knex: Knex): Promise<string | undefined> {
  const transaction = await knex.transaction();
  try {
    await transaction.raw(
      `insert into instances (owner, name, version, host, started_at, seen_at, ready, draining, beat)
        values ('doctor', '', '', '', now(), now(), false, true, 0)`,
    );
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.message.split(' - ').at(-1) ?? '') : String(error);
  } finally {
    await transaction.rollback();
  }
}

/**
 * How many nonces of a relayer below `used` are not kept, from the oldest on that is: what is older than two days is
 * not. Those of sales that were rebuilt from the chain do not count. Ask the chain for `used` before.
 *
 * @param chain the id of its network
 */
export async function countUnknownNonces(knex: Knex, chain: string, relayer: Hex, used: number): Promise<number> {
  const [row] = await askNamed(knex, unknownNonces, { chain, relayer: relayer.slice(2), used });
  return Math.max(Number(row?.['count'] ?? 0), 0);
}

const unknownNonces = `WITH kept AS (SELECT count(DISTINCT nonce) AS count, min(nonce) AS first
    FROM relayer_transactions WHERE chain = :chain AND relayer = decode(:relayer, 'hex') AND nonce < :used),
  unknown AS (SELECT CAST(:used AS bigint) - coalesce(first, (SELECT next_nonce FROM relayer_leases
      WHERE chain = :chain AND relayer = decode(:relayer, 'hex')), :used) - count AS count FROM kept)
  SELECT CASE WHEN count > 0 THEN count - (SELECT count(DISTINCT settle_transaction) FROM payments
    WHERE rebuilt_at > now() - interval '3 days') ELSE 0 END AS count FROM unknown`;

/** What is kept for a nonce that the chain has not used. */
export interface KeptInFlight {
  /** For how long. */
  readonly seconds: number;
  /** All that was signed for it, the oldest first. */
  readonly raws: readonly Hex[];
}

/** Reads what is kept for a relayer's lowest nonce from `used` on. */
export async function readInFlight(
  knex: Knex,
  chain: string,
  relayer: Hex,
  used: number,
): Promise<KeptInFlight | undefined> {
  const [row] = await askNamed(knex, inFlight, { chain, relayer: relayer.slice(2), used });
  return row && { seconds: Number(row['seconds']), raws: row['raws'] as Hex[] };
}

const inFlight = `SELECT extract(epoch FROM now() - min(kept_at)) AS seconds,
    array_agg('0x' || encode(raw, 'hex') ORDER BY kept_at) AS raws FROM relayer_transactions
  WHERE chain = :chain AND relayer = decode(:relayer, 'hex') AND nonce >= :used GROUP BY nonce ORDER BY nonce LIMIT 1`;
