import type { Knex } from 'knex';
import type { Hex } from '../../chain/eip3009.js';
import { runNamed } from '../../../db/sql/run-named.js';
import { fromHex, toHex } from '../../ledger/payment-row.js';

/** A signed transaction as it is kept. */
export interface KeptTransaction {
  readonly nonce: number;
  readonly hash: Hex;
  readonly raw: Hex;
}

/** Keeps what relayers sign, before it is sent: after a crash it can be sent again, byte for byte. */
export interface RelayerStore {
  keep(relayer: Hex, transaction: KeptTransaction, now: Date): Promise<void>;
  /** For one that surely was not sent: it must never be sent again. */
  forget(relayer: Hex, transaction: KeptTransaction): Promise<void>;
  /** The raw transactions from this nonce on, by nonce. */
  list(relayer: Hex, fromNonce: number): Promise<readonly Hex[]>;
}

/** @param chain names the history of a chain; what was signed for another is never sent to this one */
export function createRelayerStore(knex: Knex, chain: string): RelayerStore {
  return {
    async keep(relayer, { nonce, hash, raw }, now) {
      await runNamed(knex, statements.keep, [chain, fromHex(relayer), nonce, fromHex(hash), fromHex(raw), now]);
    },
    async forget(relayer, { nonce, hash }) {
      await runNamed(knex, statements.forget, [chain, fromHex(relayer), nonce, fromHex(hash)]);
    },
    async list(relayer, fromNonce) {
      const { rows } = await runNamed(knex, statements.list, [chain, fromHex(relayer), fromNonce]);
      return rows.map((row) => toHex(row['raw']));
    },
  };
}

/** Drops what was kept before, of all chains and relayers; says how many. */
export async function discardRelayed(knex: Knex, before: Date): Promise<number> {
  return (await runNamed(knex, statements.discard, [before])).rowCount;
}

const statements = {
  keep: {
    name: 'relayer_keep',
    text: `INSERT INTO relayer_transactions (chain, relayer, nonce, hash, raw, kept_at) VALUES ($1, $2, $3, $4, $5, $6)`,
  },
  forget: {
    name: 'relayer_forget',
    text: 'DELETE FROM relayer_transactions WHERE chain = $1 AND relayer = $2 AND nonce = $3 AND hash = $4',
  },
  list: {
    name: 'relayer_list',
    text: 'SELECT raw FROM relayer_transactions WHERE chain = $1 AND relayer = $2 AND nonce >= $3 ORDER BY nonce, kept_at',
  },
  discard: { name: 'relayer_discard', text: 'DELETE FROM relayer_transactions WHERE kept_at < $1' },
} as const;
