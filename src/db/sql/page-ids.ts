import type { Knex } from 'knex';

const beforeAllIds = '00000000-0000-0000-0000-000000000000';

/**
 * The ids found by a query, in order and each once, page by page. The query must filter by `id > :after` and end with
 * `order by id limit :pageSize`. Each page is a statement of its own, so nothing stays open between pages.
 *
 * On a large table, filter only by indexed columns: without statistics the planner would sort the table for every page.
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
