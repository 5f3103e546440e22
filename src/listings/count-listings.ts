import type { Knex } from 'knex';

/** How many listings were ever seen, retired ones included. */
export async function countListings(knex: Knex): Promise<number> {
  const row = await knex('listings').count<{ count: string }[]>({ count: '*' }).first();
  return Number(row?.count ?? 0);
}
