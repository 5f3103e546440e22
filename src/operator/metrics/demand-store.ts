import type { Knex } from 'knex';
import { askNamed } from '../../db/sql/ask-named.js';
import type { DemandRow } from './demand.js';

/** What a day has at most; further wishes are added to `other`. */
const mostRowsADay = 5_000;
const keptDays = 400;

/** Adds what was asked for to the present day, and drops what is too old: one statement. */
export async function addDemand(knex: Knex, rows: readonly DemandRow[]): Promise<void> {
  const given = rows.map(({ wish, ...row }) => ({ ...row, ...wish, filters: wish.filters.join(',') }));
  await askNamed(
    knex,
    `WITH today AS (SELECT CAST(now() AT TIME ZONE 'UTC' AS date) AS day),
      gone AS (DELETE FROM demand WHERE day < (SELECT day FROM today) - ${keptDays}),
      given AS (SELECT * FROM jsonb_to_recordset(CAST(:given AS jsonb)) AS row (operation text, transport text,
        filters text, state text, place text, asked bigint, sold bigint, unmatched bigint)),
      counted AS (SELECT count(*) >= ${mostRowsADay} AS is_full FROM demand WHERE day = (SELECT day FROM today)),
      named AS (SELECT g.*, is_full AND NOT EXISTS (SELECT 1 FROM demand AS d WHERE d.day = (SELECT day FROM today)
          AND (d.operation, d.transport, d.filters, d.state, d.place)
            = (g.operation, g.transport, g.filters, g.state, g.place)) AS is_other FROM given AS g, counted)
    INSERT INTO demand AS d (day, operation, transport, filters, state, place, asked, sold, unmatched)
    SELECT (SELECT day FROM today), operation, transport, CASE WHEN is_other THEN 'other' ELSE filters END,
      CASE WHEN is_other THEN '' ELSE state END, CASE WHEN is_other THEN '' ELSE place END,
      sum(asked), sum(sold), sum(unmatched)
    FROM named GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (day, operation, transport, filters, state, place) DO UPDATE
      SET asked = d.asked + excluded.asked, sold = d.sold + excluded.sold, unmatched = d.unmatched + excluded.unmatched`,
    { given: JSON.stringify(given) },
  );
}
