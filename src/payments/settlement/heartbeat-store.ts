import type { Knex } from 'knex';
import { runNamed } from '../../db/sql/run-named.js';
import type { Hex } from '../chain/eip3009.js';
import { fromHex, toHex } from '../ledger/payment-row.js';

/** A running process, as the others and its operator see it. */
export interface Instance {
  /** Names its leases. */
  readonly owner: string;
  readonly name: string;
  readonly version: string;
  readonly host: string;
}

/** What a process says of itself, every few seconds. */
export interface Beat {
  /** One more each time. */
  readonly beat: number;
  /**
   * The last that the database is known to hold. Where it holds a lower one, or none, it has gone back: it keeps that
   * until it is told that this is known.
   */
  readonly written: number;
  readonly isReady: boolean;
  readonly isDraining: boolean;
  /** The addresses of its relayer keys, the preferred first. */
  readonly relayers: readonly Hex[];
}

/** What the database says of a relayer key, as it was before the beat. */
export interface RelayerKey {
  readonly relayer: Hex;
  /** The name of another instance, and until when it holds the key. */
  readonly holder: { readonly name: string; readonly until: string } | null;
  /** Above all nonces that were ever kept for it here. */
  readonly nextNonce: number;
}

/** What the database answers to a beat. */
export interface BeatAnswer {
  /** The time by its clock. */
  readonly at: Date;
  /** The beat that it held; undefined where it held none of this process. */
  readonly found: number | undefined;
  /** The key that is this process's now; undefined where each is another's. */
  readonly relayer: Hex | undefined;
  /** A ledger was restored, and what it lacks is not written yet. */
  readonly isRebuilding: boolean;
  /** In the order of the beat. */
  readonly keys: readonly RelayerKey[];
}

/** Who is running, and who holds which relayer key; all times are the database's. */
export type HeartbeatStore = ReturnType<typeof createHeartbeatStore>;

/**
 * Creates the store of one process.
 *
 * @param chain as `chainName` names it
 * @param isAlone no other process can have the database open, as with the embedded one: leases do not end, and those of
 *   others are a dead process's
 */
export function createHeartbeatStore(
  knex: Knex,
  options: { readonly instance: Instance; readonly chain: string; readonly isAlone: boolean },
) {
  const { instance, chain, isAlone } = options;
  const { owner, name, version, host } = instance;
  return {
    /** Writes the beat, and renews the lease of a key or takes the first that is free: one statement. */
    async beat({ beat, written, isReady, isDraining, relayers }: Beat): Promise<BeatAnswer> {
      const { rows } = await runNamed(knex, statements.beat, [
        ...[owner, name, version, host, isReady, isDraining, beat],
        ...[chain, relayers.map(fromHex), isAlone ? null : leaseSeconds, written],
      ]);
      const [row = {}] = rows;
      const found = row['found'] as string | null;
      const relayer = row['relayer'] as Uint8Array | null;
      return {
        at: row['at'] as Date,
        found: found === null ? undefined : Number(found),
        relayer: relayer === null ? undefined : toHex(relayer),
        isRebuilding: row['is_rebuilding'] === true,
        keys: (row['keys'] as readonly RelayerKey[] | null) ?? [],
      };
    },
    /** Notes that the ledger was restored. From now on it counts as knowing these nonces. */
    async catchUp(counts: ReadonlyMap<Hex, number>): Promise<void> {
      await runNamed(knex, statements.catchUp, [chain, [...counts.keys()].map(fromHex), [...counts.values()]]);
    },
    /**
     * Writes what some sales need, and takes it back: on a full disk a beat may still find room in its page.
     *
     * @throws DatabaseError where there is no room
     */
    async tryRoom(): Promise<void> {
      const transaction = await knex.transaction();
      try {
        for (const statement of trial) await transaction.raw(statement, { owner });
      } finally {
        await transaction.rollback();
      }
    },
    /** Hands the key back, and takes the process off the list. */
    async leave(): Promise<void> {
      await runNamed(knex, statements.leave, [owner]);
    },
  };
}

/** As long as a key stays a lost process's. Source: docs/decisions/payments.md. */
const leaseSeconds = 30;
/** For its successor, of the same name on the same machine: once it has missed a beat. */
const missedSeconds = 8;

/** A reply of a megabyte, which cannot be compressed, and the rows of fifty payments: more than a page. */
const trial = [
  `INSERT INTO payment_bodies (hash, body, created_at)
    SELECT decode(md5(:owner), 'hex'), decode(string_agg(md5(random()::text), ''), 'hex'), now()
    FROM generate_series(1, 65536)`,
  `INSERT INTO payments (network, asset, payer, nonce, state, operation_id, amount, pay_to, claimed_at, lease_owner,
      lease_until, search_from, payment_id, is_newcomer, rebuilt_at)
    SELECT 'trial', '', decode(md5(:owner), 'hex'), decode(md5(number::text), 'hex'), 'released', '', 0, '', now(), '',
      now(), now(), '', false, now()
    FROM generate_series(1, 50) AS number`,
] as const;

const statements = {
  beat: {
    name: 'instance_beat',
    text: `WITH before AS (SELECT beat FROM instances WHERE owner = $1),
      gone AS (DELETE FROM instances WHERE seen_at < now() - interval '1 day' AND owner <> $1),
      written AS (
        INSERT INTO instances (owner, name, version, host, started_at, seen_at, ready, draining, beat)
        VALUES ($1, $2, $3, $4, now(), now(), $5, $6, CASE WHEN $11::bigint = 0 THEN $7::bigint ELSE 0 END)
        ON CONFLICT (owner) DO UPDATE SET seen_at = now(), ready = excluded.ready, draining = excluded.draining,
          beat = CASE WHEN instances.beat < $11::bigint THEN instances.beat ELSE $7::bigint END),
      listed AS (
        SELECT key.relayer, key.place, lease.owner, lease.lease_until, coalesce(lease.next_nonce, 0) AS next_nonce,
          coalesce(lease.owner <> $1 AND lease.lease_until > now() AND former.owner IS NULL AND $10::integer IS NOT NULL,
            false) AS is_taken
        FROM unnest($9::bytea[]) WITH ORDINALITY AS key (relayer, place)
          LEFT JOIN relayer_leases AS lease ON lease.chain = $8 AND lease.relayer = key.relayer
          LEFT JOIN instances AS former ON former.owner = lease.owner AND former.name = $2 AND former.host = $4
            AND former.seen_at < now() - interval '${missedSeconds} seconds'),
      leased AS (
        INSERT INTO relayer_leases AS lease (chain, relayer, owner, lease_until)
        SELECT $8, relayer, $1, coalesce(now() + $10::integer * interval '1 second', 'infinity')
        FROM listed WHERE NOT is_taken ORDER BY owner IS NOT DISTINCT FROM $1 DESC, place LIMIT 1
        ON CONFLICT (chain, relayer) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
          WHERE lease.lease_until <= now() OR $10::integer IS NULL OR EXISTS (
            SELECT 1 FROM listed WHERE NOT is_taken AND (listed.relayer, listed.owner) = (lease.relayer, lease.owner))
        RETURNING relayer)
      SELECT clock_timestamp() AS at, (SELECT beat FROM before) AS found, (SELECT relayer FROM leased) AS relayer,
        EXISTS (SELECT 1 FROM ledger_restores) AS is_rebuilding,
        (SELECT jsonb_agg(jsonb_build_object('relayer', '0x' || encode(relayer, 'hex'), 'nextNonce', next_nonce,
            'holder', CASE WHEN is_taken THEN jsonb_build_object('until', lease_until,
              'name', coalesce((SELECT name FROM instances WHERE owner = listed.owner), 'an unknown instance')) END)
          ORDER BY place) FROM listed) AS keys`,
  },
  catchUp: {
    name: 'relayer_catch_up',
    text: `WITH noted AS (INSERT INTO ledger_restores (restored_at) VALUES (now()) ON CONFLICT DO NOTHING)
      INSERT INTO relayer_leases AS lease (chain, relayer, owner, lease_until, next_nonce)
      SELECT $1, relayer, '', now(), nonce FROM unnest($2::bytea[], $3::bigint[]) AS counted (relayer, nonce)
      ON CONFLICT (chain, relayer) DO UPDATE SET next_nonce = greatest(lease.next_nonce, excluded.next_nonce)`,
  },
  leave: {
    name: 'instance_leave',
    text: `WITH gone AS (DELETE FROM instances WHERE owner = $1)
      UPDATE relayer_leases SET lease_until = now() WHERE owner = $1`,
  },
} as const;
