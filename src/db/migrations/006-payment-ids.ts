import type { Knex } from 'knex';

/**
 * What names a payment beside its authorization: the public id, and the buyer's own identifier as a keyed hash, unique
 * for a payer while the payment is not released. Both indexes stand on columns that settling does not change. Where a
 * transfer was settled says by which block it would be undone; `chain_instance` names a local chain's history.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE payments
      ADD COLUMN payment_id bytea,
      ADD COLUMN client_id_hash bytea,
      ADD COLUMN chain_instance text NOT NULL DEFAULT '',
      ADD COLUMN settle_block bigint`);
  await knex.raw(`
    UPDATE payments SET payment_id = sha256(convert_to(
      network || '/0x' || encode(asset, 'hex') || '/0x' || encode(payer, 'hex') || '/0x' || encode(nonce, 'hex'), 'UTF8'))`);
  await knex.raw('ALTER TABLE payments ALTER COLUMN payment_id SET NOT NULL');
  await knex.raw('CREATE INDEX payments_payment_id ON payments (payment_id)');
  await knex.raw('CREATE UNIQUE INDEX payments_client_id ON payments (payer, client_id_hash)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE payments DROP COLUMN payment_id, DROP COLUMN client_id_hash, DROP COLUMN chain_instance, DROP COLUMN settle_block',
  );
}
