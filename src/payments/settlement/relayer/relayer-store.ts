import type { Knex } from 'knex';
import type { Hex } from '../../chain/eip3009.js';
import { runNamed } from '../../../db/sql/run-named.js';
import type { Network } from '../../../wire/networks.js';
import { fromHex, toHex } from '../../ledger/payment-row.js';

/** A payment that a transaction settles. */
export interface CarriedPayment {
  readonly payer: Hex;
  readonly nonce: Hex;
}

/** A payment with the owner of its claim's lease. */
export interface ClaimedPayment extends CarriedPayment {
  readonly leaseOwner: string;
}

/** A signed transaction as it is kept. */
export interface KeptTransaction {
  readonly nonce: number;
  readonly hash: Hex;
  readonly raw: Hex;
  readonly carries: readonly CarriedPayment[];
  /** After so long a transfer of nothing takes its nonce; counted by the database once it is kept. */
  readonly giveUpInMs: number;
}

/** Keeps what relayers sign, before it is sent: after a crash it can be sent again, byte for byte. */
export interface RelayerStore {
  /**
   * False where the lease of the relayer's key, or one of `claims`, is not held any more by the database's clock, or
   * where the database lacks what was kept before: nothing is kept, and nothing may be sent. Neither can be taken over
   * while it is written.
   */
  keep(relayer: Hex, transaction: KeptTransaction, claims: readonly ClaimedPayment[]): Promise<boolean>;
  /** For one that surely was not sent. Rejects where the next holder of the key may have sent it. */
  forget(relayer: Hex, transaction: Pick<KeptTransaction, 'nonce' | 'hash'>): Promise<void>;
  /**
   * The transactions from this nonce on, by nonce. The time of one is over once a payment that it carries was let go:
   * it is not to be sent again. So it is where one has failed on the chain, also if a reorganization has undone that.
   */
  list(relayer: Hex, fromNonce: number): Promise<readonly KeptTransaction[]>;
  /** Above all nonces that this process knows to be kept for a relayer; 0 where it knows of none. */
  nextNonce(relayer: Hex): number;
  /** What any relayer kept last for a payment: all that was signed for that nonce. */
  findLast(payment: CarriedPayment): Promise<KeptNonce | undefined>;
}

/** What a relayer kept for one of its nonces, oldest first. */
export interface KeptNonce {
  readonly relayer: Hex;
  readonly transactions: readonly [KeptTransaction, ...KeptTransaction[]];
}

/** Names a chain in the store, and a local chain's history: what was signed for another is never sent to this one. */
export function chainName(network: string, instance: string): string {
  return `${network} ${instance}`.trim();
}

/** @param owner holds the leases of the keys that sign here */
export function createRelayerStore(
  knex: Knex,
  { id: network, asset }: Pick<Network, 'id' | 'asset'>,
  owner: string,
  instance = '',
): RelayerStore {
  const chain = chainName(network, instance);
  const next = new Map<Hex, number>();

  async function list(relayer: Hex, fromNonce: number, toNonce: number | null): Promise<KeptTransaction[]> {
    const { rows } = await runNamed(knex, statements.list, [
      ...[chain, fromHex(relayer), fromNonce, toNonce, network, fromHex(asset)],
    ]);
    return rows.map(readKept);
  }

  return {
    async keep(relayer, { nonce, hash, raw, carries, giveUpInMs }, claims) {
      const { rowCount } = await runNamed(knex, statements.keep, [
        ...[chain, fromHex(relayer), nonce, fromHex(hash), fromHex(raw), carries.map(encodeCarried), giveUpInMs],
        ...[network, fromHex(asset)],
        claims.map(({ payer }) => fromHex(payer)),
        claims.map((claim) => fromHex(claim.nonce)),
        claims.map(({ leaseOwner }) => leaseOwner),
        claims.length,
        owner,
        next.get(relayer) ?? 0,
      ]);
      if (rowCount === 1) next.set(relayer, Math.max(next.get(relayer) ?? 0, nonce + 1));
      return rowCount === 1;
    },
    async forget(relayer, { nonce, hash }) {
      const { rowCount } = await runNamed(knex, statements.forget, [
        ...[chain, fromHex(relayer), nonce, fromHex(hash), owner],
      ]);
      if (rowCount !== 1) throw new Error('The key is not held any more');
    },
    list: (relayer, fromNonce) => list(relayer, fromNonce, null),
    nextNonce: (relayer) => next.get(relayer) ?? 0,
    async findLast(payment) {
      const { rows } = await runNamed(knex, statements.findLast, [chain, [encodeCarried(payment)]]);
      const [row] = rows;
      if (row === undefined) return undefined;
      const [relayer, nonce] = [toHex(row['relayer']), Number(row['nonce'])];
      const [first, ...others] = await list(relayer, nonce, nonce);
      return first && { relayer, transactions: [first, ...others] };
    },
  };
}

function encodeCarried({ payer, nonce }: CarriedPayment): Buffer {
  return Buffer.concat([fromHex(payer), fromHex(nonce)]);
}

function readKept(row: Record<string, unknown>): KeptTransaction {
  return {
    nonce: Number(row['nonce']),
    hash: toHex(row['hash']),
    raw: toHex(row['raw']),
    carries: (row['carries'] as readonly Uint8Array[]).map((each) => ({
      payer: toHex(each.subarray(0, 20)),
      nonce: toHex(each.subarray(20)),
    })),
    giveUpInMs: Number(row['give_up_in_ms']),
  };
}

/** Drops what was kept so long ago, of all chains and relayers; says how many. */
export async function discardRelayed(knex: Knex, ageMs: number): Promise<number> {
  return (await runNamed(knex, statements.discard, [ageMs])).rowCount;
}

const statements = {
  keep: {
    name: 'relayer_keep',
    text: `WITH held AS (
      SELECT 1 FROM payments AS p JOIN unnest($10::bytea[], $11::bytea[], $12::text[]) AS claim (payer, nonce, owner)
        ON p.network = $8 AND p.asset = $9 AND p.payer = claim.payer AND p.nonce = claim.nonce
      WHERE p.state = 'claimed' AND p.lease_owner = claim.owner AND p.lease_until > now()
      FOR SHARE OF p),
    leased AS (
      UPDATE relayer_leases SET next_nonce = greatest(next_nonce, $3::bigint + 1)
      WHERE chain = $1 AND relayer = $2 AND owner = $14 AND lease_until > now() AND next_nonce >= $15::bigint
        AND (SELECT count(*) FROM held) = $13::integer RETURNING 1)
    INSERT INTO relayer_transactions (chain, relayer, nonce, hash, raw, carries, give_up_at, kept_at)
    SELECT $1, $2, $3, $4, $5, $6::bytea[], now() + $7::float * interval '1 millisecond', now() FROM leased`,
  },
  forget: {
    name: 'relayer_forget',
    text: `WITH held AS (SELECT 1 FROM relayer_leases
        WHERE chain = $1 AND relayer = $2 AND owner = $5 AND lease_until > now() FOR SHARE),
      gone AS (DELETE FROM relayer_transactions
        WHERE chain = $1 AND relayer = $2 AND nonce = $3 AND hash = $4 AND EXISTS (SELECT 1 FROM held))
      SELECT 1 FROM held`,
  },
  list: {
    name: 'relayer_list',
    text: `SELECT nonce, hash, raw, carries, CASE WHEN EXISTS (
          SELECT 1 FROM unnest(carries) AS carried (payment) JOIN payments AS p ON p.network = $5 AND p.asset = $6
            AND p.payer = substring(payment FROM 1 FOR 20) AND p.nonce = substring(payment FROM 21)
          WHERE p.failed_at IS NOT NULL OR p.state = 'released')
        THEN 0 ELSE extract(epoch FROM give_up_at - now()) * 1000 END AS give_up_in_ms FROM relayer_transactions
      WHERE chain = $1 AND relayer = $2 AND nonce >= $3 AND nonce <= coalesce($4::bigint, nonce) ORDER BY nonce, kept_at`,
  },
  findLast: {
    name: 'relayer_find_last',
    text: `SELECT relayer, nonce FROM relayer_transactions WHERE chain = $1 AND carries @> $2::bytea[]
      ORDER BY kept_at DESC LIMIT 1`,
  },
  discard: {
    name: 'relayer_discard',
    text: `DELETE FROM relayer_transactions WHERE kept_at < now() - $1::float * interval '1 millisecond'`,
  },
} as const;
