import type { Knex } from 'knex';

/**
 * What records are in a version, and which are at a place, as functions: to plan such a question takes longer than to answer
 * it, and of a function each session keeps the plan until new statistics come. No plan is of certain values, since those of a
 * feed that the statistics do not know yet would look like none; nor does one read a whole table because it was made while
 * that was empty.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION published_records_of(of_feed text, ids uuid[], up_to bigint) RETURNS SETOF published_records
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
    BEGIN
      RETURN QUERY SELECT r.* FROM unnest(ids) AS asked(id), LATERAL (
        SELECT * FROM published_records AS p WHERE p.feed = of_feed AND p.id = asked.id AND p.version <= up_to
        ORDER BY p.version DESC LIMIT 1) AS r;
    END $$`);
  // Key by key and row by row (OFFSET 0 keeps it so): of lists that overlap a planner expects far too many.
  await knex.raw(`
    CREATE FUNCTION published_records_at(feeds text[], keys text[]) RETURNS SETOF published_records
    LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
    BEGIN
      RETURN QUERY SELECT DISTINCT ON (r.feed, r.id) r.* FROM unnest(keys) AS k(key), LATERAL (
        SELECT * FROM published_records AS p WHERE p.place_keys @> ARRAY[k.key] OFFSET 0) AS r
      JOIN feed_versions AS f ON f.feed = r.feed
      WHERE f.feed = ANY(feeds) AND r.version <= f.version AND NOT r.retired AND r.version = (
        SELECT p.version FROM published_records AS p WHERE p.feed = r.feed AND p.id = r.id AND p.version <= f.version
        ORDER BY p.version DESC LIMIT 1);
    END $$`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP FUNCTION published_records_of, published_records_at');
}
