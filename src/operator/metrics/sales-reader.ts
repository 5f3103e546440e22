import type { Knex } from 'knex';
import { askNamed } from '../../db/sql/ask-named.js';
import type { OperatorFacts } from '../../pages/operator/operator-page.js';

/**
 * What was sold to whom, and what was asked for, in the last 30 days; how jobs went in seven, and which instances
 * run, as the operator's page shows it. `owner`: the present process.
 */
export async function readSales(knex: Knex, owner: string): Promise<OperatorFacts> {
  const [row] = await askNamed(knex, question, { owner });
  return row as unknown as OperatorFacts;
}

const usd = (sum: string) => `trim(to_char(coalesce(${sum}, 0) / 1000000, '999999999990.00'))`;
/** Undefined where nobody knows what was paid for gas. */
const ether = 'CAST(trim_scale(sum(fee_gwei) / 1000000000) AS text)';
const rows = (columns: string, from: string) =>
  `(SELECT coalesce(jsonb_agg(row), '[]') FROM (SELECT ${columns} ${from}) AS row)`;
const wishes = (column: string, where: string) =>
  rows(
    `${column} AS name, sum(unmatched) AS unmatched, sum(asked) AS asked, sum(sold) AS sold`,
    `${where} GROUP BY 1 HAVING sum(unmatched) > 0 ORDER BY 2 DESC, 1 LIMIT 10`,
  );

const question = `WITH sold AS MATERIALIZED (
    SELECT operation_id, payer, amount, fee_gwei, settled_at AT TIME ZONE 'UTC' AS at,
      CAST(settled_at AT TIME ZONE 'UTC' AS date) AS day FROM payments
    WHERE state = 'settled' AND claimed_at > now() - interval '31 days'),
  today AS (SELECT CAST(now() AT TIME ZONE 'UTC' AS date) AS day, now() AT TIME ZONE 'UTC' AS at),
  asked AS MATERIALIZED (SELECT * FROM demand WHERE day > (SELECT day FROM today) - 30)
SELECT (SELECT to_char(at, 'YYYY-MM-DD"T"HH24:MI"Z"') FROM today) AS at,
  ${rows(
    `to_char(each, 'YYYY-MM-DD') AS day, count(amount) AS sales, ${usd('sum(amount)')} AS usd, ${ether} AS ether`,
    `FROM today, generate_series(today.day - 29, today.day, interval '1 day') AS each
      LEFT JOIN sold ON sold.day = each GROUP BY each ORDER BY each`,
  )} AS days,
  (SELECT ${usd('sum(amount)')} FROM sold, today WHERE sold.day > today.day - 30) AS "usdInAll",
  (SELECT ${ether} FROM sold, today WHERE sold.day > today.day - 30) AS "etherInAll",
  (SELECT trim(to_char(trunc(sum(amount) * 1000 / nullif(sum(fee_gwei), 0)), '999999999999990')) FROM sold
    WHERE fee_gwei IS NOT NULL) AS "usdAnEther",
  (SELECT ${usd('sum(amount) / 4')} FROM sold, today WHERE CAST(sold.at AS time) <= CAST(today.at AS time)
    AND today.day - sold.day IN (7, 14, 21, 28)) AS "usdUsually",
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
  ${rows(
    `job, to_char(each.day, 'YYYY-MM-DD') AS day, count(state) AS runs, count(state) FILTER (WHERE state = 'failed') AS failed`,
    `FROM (SELECT DISTINCT job FROM job_runs WHERE slot > now() - interval '7 days') AS jobs, today,
        generate_series(today.day - 6, today.day, interval '1 day') AS each (day)
      LEFT JOIN LATERAL (SELECT state FROM job_runs AS r WHERE r.job = jobs.job
        AND slot >= each.day AT TIME ZONE 'UTC' AND slot < (each.day + interval '1 day') AT TIME ZONE 'UTC') AS run ON true
      GROUP BY 1, each.day ORDER BY 1, each.day`,
  )} AS "jobDays",
  ${rows(
    `name, version, '0x' || encode(relayer, 'hex') AS relayer, i.owner = :owner AS "isThis", CASE
      WHEN draining THEN 'stopping' WHEN seen_at < now() - interval '15 seconds' THEN 'gone' WHEN ready THEN 'ready' ELSE 'not ready' END AS state`,
    `FROM instances AS i LEFT JOIN relayer_leases AS l ON l.owner = i.owner AND lease_until > now()
      WHERE i.owner = :owner OR seen_at > now() - interval '1 day' ORDER BY seen_at < now() - interval '15 seconds', 1`,
  )} AS instances,
  ${wishes('filter', `FROM asked, unnest(string_to_array(filters, ',')) AS filter`)} AS filters,
  ${wishes(`coalesce(nullif(place, ''), state)`, `FROM asked WHERE place <> '' OR state <> ''`)} AS places`;
