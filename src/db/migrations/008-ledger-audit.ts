import type { Knex } from 'knex';

/**
 * What keeps the ledger equal to the chain. A settlement that the chain has undone is booked on its row. Each audited
 * range of blocks has its sums; together the ranges have no gap. A transfer that no settled payment explains is kept by
 * its place on the chain, under the id of its payment, or of its own where no authorization names one. A refund names the
 * payment that it gives back, and no transfer of money counts as two refunds.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE payments
      ADD COLUMN reorged_at timestamptz,
      ADD COLUMN reorged_transaction bytea,
      DROP CONSTRAINT payments_delivery_check,
      ADD CONSTRAINT payments_delivery_check CHECK (delivery IN ('pending', 'completed', 'incomplete', 'refunded'))`);
  await knex.raw(`
    CREATE TABLE ledger_audits (
      network text NOT NULL,
      asset bytea NOT NULL,
      chain_instance text NOT NULL,
      from_block bigint NOT NULL,
      to_block bigint NOT NULL,
      to_time timestamptz NOT NULL,
      transfers integer NOT NULL,
      chain_amount numeric(78, 0) NOT NULL,
      payments integer NOT NULL,
      ledger_amount numeric(78, 0) NOT NULL,
      missing integer NOT NULL,
      audited_at timestamptz NOT NULL,
      PRIMARY KEY (network, asset, chain_instance, from_block)
    )`);
  await knex.raw(`
    CREATE TABLE orphan_transfers (
      network text NOT NULL,
      asset bytea NOT NULL,
      chain_instance text NOT NULL,
      transaction bytea NOT NULL,
      log_index integer NOT NULL,
      block_number bigint NOT NULL,
      block_time timestamptz NOT NULL,
      payer bytea NOT NULL,
      pay_to bytea NOT NULL,
      nonce bytea,
      amount numeric(78, 0) NOT NULL,
      payment_id bytea NOT NULL,
      found_at timestamptz NOT NULL,
      PRIMARY KEY (network, asset, chain_instance, transaction, log_index)
    )`);
  await knex.raw('CREATE INDEX orphan_transfers_payment_id ON orphan_transfers (payment_id)');
  await knex.raw(`
    CREATE TABLE refunds (
      payment_id bytea PRIMARY KEY,
      network text NOT NULL,
      asset bytea NOT NULL,
      payer bytea NOT NULL,
      amount numeric(78, 0) NOT NULL,
      transaction bytea NOT NULL,
      log_index integer NOT NULL,
      recorded_at timestamptz NOT NULL,
      UNIQUE (network, transaction, log_index)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  for (const name of ['refunds', 'orphan_transfers', 'ledger_audits']) await knex.schema.dropTable(name);
  await knex.raw(`
    ALTER TABLE payments
      DROP COLUMN reorged_at,
      DROP COLUMN reorged_transaction,
      DROP CONSTRAINT payments_delivery_check,
      ADD CONSTRAINT payments_delivery_check CHECK (delivery IN ('pending', 'completed', 'incomplete'))`);
}
