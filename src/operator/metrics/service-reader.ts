import type { Knex } from 'knex';
import type { Hex } from '../../payments/chain/eip3009.js';
import { askNamed } from '../../db/sql/ask-named.js';
import type { Books } from '../../payments/audit/books-reader.js';
import { readStandings, type SourceStanding } from '../../sources/standings-reader.js';

/** What the database tells of the service. Its questions cost the same however much was sold before. */
export interface ServiceFacts {
  readonly at: Date;
  readonly instances: number;
  /** Claimed within a day, by state. */
  readonly payments: Readonly<Record<'claimed' | 'settled' | 'released', number>>;
  readonly oldestOpenSeconds: number;
  /** What this process has settled since its last reading, and what failed of it and burned gas. */
  readonly mined: number;
  readonly minedGwei: number;
  /** From claim to settlement, of each of them. */
  readonly settleSeconds: readonly number[];
  readonly failed: number;
  readonly failedGas: number;
  readonly feeds: readonly { readonly feed: string; readonly ageSeconds: number }[];
  /** `doneSeconds`: since its last success; null before the first. The counts are this process's own. */
  readonly jobs: readonly {
    readonly job: string;
    readonly doneSeconds: number | null;
    readonly runningSeconds: number | null;
    readonly succeeded: number;
    readonly failed: number;
  }[];
  /** What was given back in all, in millionths of a dollar. */
  readonly refunded: Readonly<Record<string, number>>;
  /** The key that this process holds. */
  readonly relayer: Hex | null;
  /** At most ten minutes old. */
  readonly books: Books;
  readonly standings: readonly SourceStanding[];
}

/** What asks the database on behalf of its operator. */
export type ServiceReader = ReturnType<typeof createServiceReader>;

/** @param jobs their names */
export function createServiceReader(
  knex: Knex,
  { owner, jobs, readBooks }: { readonly owner: string; readonly jobs: readonly string[]; readBooks(): Promise<Books> },
) {
  let since: Date | undefined;

  async function read(): Promise<ServiceFacts> {
    const [row] = await askNamed(knex, question, { since: since ?? null, owner, jobs: [...jobs] });
    const { at, ...facts } = row as unknown as Omit<ServiceFacts, 'books' | 'standings'>;
    const standings = await readStandings(knex);
    since = at;
    return { at, ...facts, books: await readBooks(), standings };
  }

  return {
    read,
    /** Since when the oldest transaction of a relayer waits whose nonce the chain has not used yet. */
    async readStuckSeconds(relayer: string, nonce: number): Promise<number> {
      const [row] = await askNamed(
        knex,
        `SELECT ${seconds('min(kept_at)')} AS seconds FROM relayer_transactions
          WHERE relayer = decode(:relayer, 'hex') AND nonce >= :nonce`,
        { relayer: relayer.slice(2), nonce },
      );
      return Number(row?.['seconds'] ?? 0);
    },
    /** Connections to the database. */
    countConnections(): Readonly<Record<'used' | 'free' | 'waiting', number>> {
      const { pool } = knex.client as { pool?: Record<'numUsed' | 'numFree' | 'numPendingAcquires', () => number> };
      return {
        used: pool?.numUsed() ?? 0,
        free: pool?.numFree() ?? 0,
        waiting: pool?.numPendingAcquires() ?? 0,
      };
    },
  };
}

const seconds = (moment: string) => `CAST(extract(epoch FROM now() - ${moment}) AS float)`;
/** No payment stays open for longer; see `openMs`. */
const recent = `claimed_at > now() - interval '7 days'`;
/** Since the last reading, by the process that asks. */
const isNew = (moment: string, ownerColumn: string) =>
  `${moment} > CAST(:since AS timestamptz) AND ${moment} <= now() AND split_part(${ownerColumn}, ' ', 1) = :owner`;

const question = `SELECT now() AS at,
  (SELECT CAST(count(*) AS int) FROM instances
    WHERE owner = :owner OR seen_at > now() - interval '15 seconds' AND NOT draining) AS instances,
  (SELECT jsonb_build_object('claimed', count(*) FILTER (WHERE state = 'claimed'),
      'settled', count(*) FILTER (WHERE state = 'settled'), 'released', count(*) FILTER (WHERE state = 'released'))
    FROM payments WHERE claimed_at > now() - interval '1 day') AS payments,
  coalesce((SELECT ${seconds('min(claimed_at)')} FROM payments WHERE state = 'claimed' AND ${recent}), 0)
    AS "oldestOpenSeconds",
  mined.*, burned.count AS failed, burned.gas AS "failedGas",
  (SELECT coalesce(jsonb_agg(jsonb_build_object('feed', feed, 'ageSeconds', ${seconds('published_at')})), '[]')
    FROM feed_versions) AS feeds,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('job', job,
      'doneSeconds', (SELECT ${seconds('finished_at')} FROM job_runs AS r
        WHERE r.job = asked.job AND state = 'succeeded' ORDER BY slot DESC LIMIT 1),
      'runningSeconds', (SELECT ${seconds('started_at')} FROM job_runs AS r
        WHERE r.job = asked.job AND state = 'running' ORDER BY slot DESC LIMIT 1),
      'succeeded', recent.succeeded, 'failed', recent.failed)), '[]')
    FROM unnest(CAST(:jobs AS text[])) AS asked (job), LATERAL (
      SELECT count(*) FILTER (WHERE state = 'succeeded') AS succeeded, count(*) FILTER (WHERE state = 'failed') AS failed
      FROM job_runs AS r WHERE r.job = asked.job AND slot > now() - interval '7 days'
        AND ${isNew('finished_at', 'owner')}) AS recent) AS jobs,
  (SELECT '0x' || encode(relayer, 'hex') FROM relayer_leases WHERE owner = :owner AND lease_until > now() LIMIT 1) AS relayer,
  coalesce((SELECT jsonb_object_agg(operation_id, amount) FROM (SELECT coalesce(operation_id, '') AS operation_id,
    sum(r.amount) AS amount FROM refunds AS r LEFT JOIN payments USING (payment_id) GROUP BY 1) AS given), '{}') AS refunded
FROM (SELECT CAST(count(*) AS int) AS mined, CAST(coalesce(sum(fee_gwei), 0) AS float) AS "minedGwei",
    coalesce(array_agg(CAST(extract(epoch FROM settled_at - claimed_at) AS float)), '{}') AS "settleSeconds" FROM payments
  WHERE ${isNew('settled_at', 'lease_owner')} AND claimed_at > CAST(:since AS timestamptz) - interval '2 hours') AS mined,
(SELECT CAST(count(*) AS int) AS count, CAST(coalesce(sum(failed_gas), 0) AS float) AS gas FROM payments
  WHERE failed_at IS NOT NULL AND ${isNew('failed_at', 'lease_owner')}
    AND claimed_at > CAST(:since AS timestamptz) - interval '2 hours') AS burned`;
