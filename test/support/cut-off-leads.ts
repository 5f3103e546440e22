import type { Knex } from 'knex';

/**
 * Interrupts each publication of leads before it begins, with the error "cut off", while that of deals succeeds.
 * @returns a function that lets leads be published again
 */
export async function cutOffLeads(knex: Knex): Promise<() => Promise<void>> {
  await knex.raw(`CREATE OR REPLACE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN RAISE ''cut off''; END'`);
  await knex.raw(`CREATE TRIGGER cut_off BEFORE INSERT OR UPDATE ON feed_versions
    FOR EACH ROW WHEN (NEW.feed = 'leads') EXECUTE FUNCTION cut_off()`);
  return async () => {
    await knex.raw('DROP TRIGGER cut_off ON feed_versions');
  };
}
