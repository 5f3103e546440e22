import type { Knex } from 'knex';
import { askNamed } from '../../db/sql/ask-named.js';
import type { SalesFacts } from '../../pages/operator/operator-page.js';

/** What was sold to whom, and what was asked for, in the last 30 days, as the operator's page shows it. */
export async function readSales(knex: Knex): Promise<SalesFacts> {
  const [row] = await askNamed(knex, question);
  return row as unknown as SalesFacts;
}

const usd = (sum: string) => `trim(to_char(coalesce(${sum}, 0) / 1000000, '999999999990.00'))`;
const rows = (columns: string, from: string) =>
  `(SELECT coalesce(jsonb_agg(row), '[]') FROM (SELECT ${columns} ${from}) AS row)`;
const wishes = (column: string, where: string) =>
  rows(
    `${column} AS name, sum(unmatched) AS unmatched, sum(asked) AS asked, sum(sold) AS sold`,
    `${where} GROUP BY 1 HAVING sum(unmatched) > 0 ORDER BY 2 DESC, 1 LIMIT 10`,
  );

const question = `WITH sold AS MATERIALIZED (
    SELECT operation_id, payer, amount, settled_at AT TIME ZONE 'UTC' AS at FROM payments
    WHERE state = 'settled' AND claimed_at > now() - interval '31 days'),
  today AS (SELECT CAST(now() AT TIME ZONE 'UTC' AS date) AS day, now() AT TIME ZONE 'UTC' AS at),
  asked AS MATERIALIZED (SELECT * FROM demand WHERE day > (SELECT day FROM today) - 30)
SELECT (SELECT to_char(at, 'YYYY-MM-DD"T"HH24:MI"Z"') FROM today) AS at,
  ${rows(
    `to_char(each, 'YYYY-MM-DD') AS day, count(amount) AS sales, ${usd('sum(amount)')} AS usd`,
    `FROM today, generate_series(today.day - 29, today.day, interval '1 day') AS each
      LEFT JOIN sold ON CAST(sold.at AS date) = each GROUP BY each ORDER BY each`,
  )} AS days,
  (SELECT ${usd('sum(amount)')} FROM sold, today WHERE CAST(sold.at AS date) > today.day - 30) AS "usdInAll",
  (SELECT ${usd('sum(amount) / 4')} FROM sold, today WHERE CAST(sold.at AS time) <= CAST(today.at AS time)
    AND today.day - CAST(sold.at AS date) IN (7, 14, 21, 28)) AS "usdUsually",
  ${rows(
    `operation, sum(asked) AS asked, sum(sold) AS sold, sum(unmatched) AS unmatched, ${usd('max(earned.sum)')} AS usd`,
    `FROM asked LEFT JOIN (SELECT operation_id, sum(amount) FROM sold GROUP BY 1) AS earned ON operation_id = operation
      GROUP BY 1 ORDER BY max(earned.sum) DESC NULLS LAST, 2 DESC`,
  )} AS operations,
  ${rows(
    `'0x' || encode(payer, 'hex') AS payer, count(*) AS sales, ${usd('sum(amount)')} AS usd,
      array_agg(DISTINCT operation_id) AS operations`,
    `FROM sold GROUP BY payer ORDER BY sum(amount) DESC, 1 LIMIT 10`,
  )} AS payers,
  ${wishes('filter', `FROM asked, unnest(string_to_array(filters, ',')) AS filter`)} AS filters,
  ${wishes(`coalesce(nullif(place, ''), state)`, `FROM asked WHERE place <> '' OR state <> ''`)} AS places`;
