import type { Knex } from 'knex';
import { joinTexts, splitTexts } from '../../db/sql/joined-texts.js';
import type { WrittenReportInputs } from './report-inputs.js';

/** The version of the deals feed that is being written, and the publication that writes it. */
export interface ReportInputsDraft {
  readonly version: number;
  readonly publication: string;
}

/**
 * Writes report inputs. Those of a version count from the moment that the deals feed moves to it. Once another
 * publication of the deals has begun, nothing is written or retired any more.
 */
export interface ReportInputsStore {
  /** Removes what others have left behind that did not finish. */
  begin(draft: ReportInputsDraft): Promise<void>;
  /** Writes those that differ from what the versions before have. */
  write(draft: ReportInputsDraft, reportInputs: readonly WrittenReportInputs[]): Promise<void>;
  /** Retires every deal but these. */
  retireOthers(draft: ReportInputsDraft, dealIds: readonly string[]): Promise<void>;
  /** Retires some deals. */
  retire(draft: ReportInputsDraft, dealIds: readonly string[]): Promise<void>;
  /**
   * Drops what no reader of this version or a later one needs; of what was replaced in `since` or later. A lead that
   * was published with an earlier version is a reader of that one: the county records that it was made with are known
   * by it.
   */
  discardSuperseded(version: number, since?: number): Promise<void>;
}

/** Keeps report inputs in `report_inputs`. */
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

/** The lock lets nobody take over while a statement writes, as with the records of a feed. */
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

// Materialized: a planner that has no statistics yet would count it anew for every row.
const deleteSuperseded = `
  WITH newest AS MATERIALIZED (
    SELECT deal_id, max(version) AS version FROM report_inputs WHERE version >= :since AND version <= :version
    GROUP BY deal_id)
  DELETE FROM report_inputs AS old USING newest
  WHERE old.deal_id = newest.deal_id AND old.version < newest.version`;
