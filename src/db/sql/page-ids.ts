import type { Knex } from 'knex';

const beforeAllIds = '00000000-0000-0000-0000-000000000000';

/**
 * The ids that a query finds, in their order and each once, a page at a time. The query asks for `id > :after` and ends
 * with `order by id limit :pageSize`. Every page is a statement of its own, so nothing is held open in between. On a
 * large table ask for no more than an index tells: a planner without statistics would else sort the table for every
 * page.
 */
export async function* pageIds(
  knex: Knex,
  query: string,
  bindings: Readonly<Record<string, Knex.Value>>,
  pageSize: number,
): AsyncGenerator<string[]> {
  for (let after = beforeAllIds; ;) {
    const page = await knex.raw<{ rows: { id: string }[] }>(query, { ...bindings, after, pageSize });
    const ids = page.rows.map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) return;
    yield [...new Set(ids)];
    after = last;
  }
}
