import type { Knex } from 'knex';

/**
 * Pages of a table and its indexes accessed during a read, from the database's statistics. It reads twice, since the
 * first planning accesses more.
 * @param session a transaction, so that only its own reads are counted
 */
export async function countPages<T>(
  session: Knex,
  table: string,
  read: () => Promise<T>,
): Promise<{ found: T; pages: number }> {
  await read();
  const before = await countFetched(session, table);
  const found = await read();
  return { found, pages: (await countFetched(session, table)) - before };
}

async function countFetched(session: Knex, table: string): Promise<number> {
  const { rows } = await session.raw<{ rows: { fetched: string }[] }>(fetchedBlocks, { table });
  return Number(rows[0]?.fetched);
}

const fetchedBlocks = `
  select sum(pg_stat_get_xact_blocks_fetched(c.oid)) as fetched from pg_class as c
  where c.oid = to_regclass(:table)
    or c.oid in (select indexrelid from pg_index where indrelid = to_regclass(:table))`;
