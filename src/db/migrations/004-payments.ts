import type { Knex } from 'knex';

/**
 * The ledger. The natural key is the authorization; there is no index on a column that changes, so that updates stay
 * within the page. `claimed_at` never changes: open rows are found through it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE payments (
      network text NOT NULL,
      asset bytea NOT NULL,
      payer bytea NOT NULL,
      nonce bytea NOT NULL,
      state text NOT NULL CHECK (state IN ('claimed', 'settled', 'released')),
      operation_id text NOT NULL,
      binding bytea NOT NULL,
      amount numeric(78, 0) NOT NULL,
      pay_to bytea NOT NULL,
      valid_after numeric(78, 0) NOT NULL,
      valid_before numeric(78, 0) NOT NULL,
      signature bytea NOT NULL,
      claimed_at timestamptz NOT NULL,
      lease_owner text NOT NULL,
      lease_until timestamptz NOT NULL,
      from_block bigint NOT NULL,
      settle_transaction bytea,
      settled_at timestamptz,
      delivery text NOT NULL DEFAULT 'pending' CHECK (delivery IN ('pending', 'completed', 'incomplete')),
      release_reason text,
      reply_hash bytea NOT NULL,
      reply_headers text NOT NULL,
      PRIMARY KEY (network, asset, payer, nonce),
      CHECK ((state = 'settled') = (settle_transaction IS NOT NULL))
    )`);
  await knex.raw('CREATE INDEX payments_claimed_at ON payments (claimed_at)');
  await knex.raw(`
    CREATE TABLE payment_bodies (
      hash bytea PRIMARY KEY,
      body bytea NOT NULL,
      created_at timestamptz NOT NULL
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE payment_bodies');
  await knex.raw('DROP TABLE payments');
}
