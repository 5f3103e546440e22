import type { Knex } from 'knex';

/** Number of listings ever seen, including retired ones. */
export async function countListings(knex: Knex): Promise<number> {
  const row = await knex('listings').count<{ count: string }[]>({ count: '*' }).first();
  return Number(row?.count ?? 0);
}
