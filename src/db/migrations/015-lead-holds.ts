import type { Knex } from 'knex';

/**
 * Leads that are sold exclusively: one row for each time that a lead is held, with the payment that holds it. A row whose
 * payment was let go is deleted; a lead is free once all its holds are over. A payment holds one lead at most.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE lead_holds (
      lead_id uuid NOT NULL,
      round integer NOT NULL CHECK (round > 0),
      held_at timestamptz NOT NULL,
      held_until timestamptz NOT NULL,
      network text NOT NULL,
      asset bytea NOT NULL,
      payer bytea NOT NULL,
      nonce bytea NOT NULL,
      PRIMARY KEY (lead_id, round),
      UNIQUE (network, asset, payer, nonce)
    )`);
  await knex.raw('CREATE INDEX lead_holds_held_until ON lead_holds (held_until)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE lead_holds');
}
