import type { Knex } from 'knex';

/**
 * Pages of a table and its indexes that are looked at while something is read, as the database counts them. It is read
 * twice, since what is planned for the first time looks at more.
 *
 * @param session a transaction: what one reads is counted for itself
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
