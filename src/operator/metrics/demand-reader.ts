import type { Knex } from 'knex';
import { askNamed } from '../../db/sql/ask-named.js';

const columns = ['operation', 'filters', 'state', 'place', 'asked', 'sold', 'not found'];
const mostRows = 1_000;

/**
 * What was asked for from one day to another, both included, what was not found first, as rows of text, column names
 * first: the thousand most wanted.
 */
export async function readDemand(
  knex: Knex,
  { from = '-infinity', to = 'infinity' }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<readonly (readonly string[])[]> {
  const rows = await askNamed(
    knex,
    `SELECT operation, filters, state, place, sum(asked) AS asked, sum(sold) AS sold, sum(unmatched) AS "not found"
      FROM demand WHERE day BETWEEN CAST(:from AS date) AND CAST(:to AS date)
      GROUP BY 1, 2, 3, 4 ORDER BY 7 DESC, 5 DESC, 1, 2, 3, 4 LIMIT ${mostRows}`,
    { from, to },
  );
  return [columns, ...rows.map((row) => columns.map((column) => String(row[column])))];
}
