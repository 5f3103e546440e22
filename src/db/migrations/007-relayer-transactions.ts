import type { Knex } from 'knex';

/**
 * What the relayer signed, kept before it is sent. Nothing is ever updated: which of them are mined, the chain knows. A
 * nonce has several rows when its transaction was replaced by one with higher fees.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE relayer_transactions (
      chain text NOT NULL,
      relayer bytea NOT NULL,
      nonce bigint NOT NULL CHECK (nonce >= 0),
      hash bytea NOT NULL,
      raw bytea NOT NULL,
      kept_at timestamptz NOT NULL,
      PRIMARY KEY (chain, relayer, nonce, hash)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE relayer_transactions');
}
