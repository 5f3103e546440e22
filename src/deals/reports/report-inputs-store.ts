import type { Knex } from 'knex';
import { joinTexts, splitTexts } from '../../db/sql/joined-texts.js';
import type { WrittenReportInputs } from './report-inputs.js';

/** The version of the deals feed being written, and the publication that writes it. */
export interface ReportInputsDraft {
  readonly version: number;
  readonly publication: string;
}

/**
 * Writes report inputs. Those of a version take effect when the deals feed moves to it. A draft writes and retires
 * nothing once another publication of the deals has begun.
 */
export interface ReportInputsStore {
  /** Removes leftovers of publications that did not finish. */
  begin(draft: ReportInputsDraft): Promise<void>;
  /** Writes the report inputs that differ from those of the previous versions. */
  write(draft: ReportInputsDraft, reportInputs: readonly WrittenReportInputs[]): Promise<void>;
  /** Retires every deal except these. */
  retireOthers(draft: ReportInputsDraft, dealIds: readonly string[]): Promise<void>;
  retire(draft: ReportInputsDraft, dealIds: readonly string[]): Promise<void>;
  /**
   * Deletes rows that readers of this version or a later one do not need, among those replaced in version `since` or
   * later. A lead reads the version it was published with, to know the county records behind it.
   */
  discardSuperseded(version: number, since?: number): Promise<void>;
}

/** Stores report inputs in `report_inputs`. */
export function createReportInputsStore(knex: Knex): ReportInputsStore {
  return {
    async begin({ version, publication }) {
      await knex.raw(deleteLeft, { version, publication });
    },
    async write({ version, publication }, reportInputs) {
      const rows = reportInputs.map(({ dealId, countyFips }) => ({ id: dealId, county_fips: countyFips }));
      const texts = joinTexts(reportInputs.map(({ text }) => text));
      await knex.raw(insertChanged, { version, publication, rows: JSON.stringify(rows), texts });
    },
    async retireOthers({ version, publication }, dealIds) {
      await knex.raw(retireOthers, { version, publication, ids: [...dealIds] });
    },
    async retire({ version, publication }, dealIds) {
      await knex.raw(retireSome, { version, publication, ids: [...dealIds] });
    },
    async discardSuperseded(version, since = 0) {
      if (version < 1) return;
      await knex.raw(deleteSuperseded, { version, since });
      await knex('report_inputs').whereBetween('version', [since, version]).whereNull('inputs').delete();
    },
  };
}

/** The lock keeps another publication from taking over during a statement, as with the records of a feed. */
const isOurs = `EXISTS (
  SELECT 1 FROM feed_versions AS f
  WHERE f.feed = 'deals' AND f.version = :version - 1 AND f.publication = cast(:publication AS uuid) FOR SHARE)`;

const deleteLeft = `DELETE FROM report_inputs WHERE version >= :version AND ${isOurs}`;

const insertChanged = `
  INSERT INTO report_inputs (deal_id, version, county_fips, inputs)
  SELECT r.id, :version, r.county_fips, r.inputs
  FROM ROWS FROM (json_to_recordset(cast(:rows AS json)) AS (id uuid, county_fips text), ${splitTexts(':texts')})
    AS r(id, county_fips, inputs)
  WHERE r.inputs IS DISTINCT FROM (
    SELECT kept.inputs FROM report_inputs AS kept WHERE kept.deal_id = r.id AND kept.version < :version
    ORDER BY kept.version DESC LIMIT 1) AND ${isOurs}
  ON CONFLICT (deal_id, version) DO UPDATE SET county_fips = excluded.county_fips, inputs = excluded.inputs`;

const retireOthers = `
  INSERT INTO report_inputs (deal_id, version)
  SELECT deal_id, :version::bigint FROM (
    SELECT deal_id FROM report_inputs WHERE version < :version
    GROUP BY deal_id HAVING max(version) = max(version) FILTER (WHERE inputs IS NOT NULL)
    EXCEPT SELECT unnest(:ids::uuid[])) AS others
  WHERE ${isOurs}
  ON CONFLICT (deal_id, version) DO UPDATE SET county_fips = NULL, inputs = NULL`;

const retireSome = `
  INSERT INTO report_inputs (deal_id, version) SELECT id, :version FROM unnest(cast(:ids AS uuid[])) AS r(id)
  WHERE ${isOurs}
  ON CONFLICT (deal_id, version) DO UPDATE SET county_fips = NULL, inputs = NULL`;

// Materialized: without statistics the planner would recompute it for every row.
const deleteSuperseded = `
  WITH newest AS MATERIALIZED (
    SELECT deal_id, max(version) AS version FROM report_inputs WHERE version >= :since AND version <= :version
    GROUP BY deal_id)
  DELETE FROM report_inputs AS old USING newest
  WHERE old.deal_id = newest.deal_id AND old.version < newest.version`;
