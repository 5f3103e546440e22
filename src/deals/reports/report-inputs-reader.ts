import type { Knex } from 'knex';
import { reviveReportInputs, type ReportInputs } from './report-inputs.js';

/** Reads report inputs as of a version of the deals feed. */
export interface ReportInputsReader {
  /** The report inputs of a deal; undefined when the version has none. */
  readReportInputs(dealId: string, version: number): Promise<ReportInputs | undefined>;
  /** Ids of the deals of a county. */
  readCounty(countyFips: string, version: number): Promise<readonly string[]>;
  /** Number of deals by county FIPS code, without some of them. No entry for a county without deals. */
  countByCounty(version: number, without: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Reads report inputs from a database. */
export function createReportInputsReader(knex: Knex): ReportInputsReader {
  return {
    async readReportInputs(dealId, version) {
      const row = await knex('report_inputs')
        .where({ deal_id: dealId })
        .andWhere('version', '<=', version)
        .orderBy('version', 'desc')
        .first<{ inputs: string | null } | undefined>('inputs');
      return row?.inputs ? reviveReportInputs(JSON.parse(row.inputs) as ReportInputs) : undefined;
    },
    async readCounty(countyFips, version) {
      const { rows } = await knex.raw<{ rows: { deal_id: string }[] }>(selectCounty, { countyFips, version });
      return rows.map(({ deal_id: id }) => id);
    },
    async countByCounty(version, without) {
      type Counted = { rows: { county_fips: string; deals: number }[] };
      const { rows } = await knex.raw<Counted>(countCounties, { version, without: [...without] });
      return new Map(rows.map(({ county_fips: countyFips, deals }) => [countyFips, deals]));
    },
  };
}

/** DISTINCT ON: a deal may have been in another county in an earlier version. */
const selectCounty = `
  SELECT deal_id FROM (
    SELECT DISTINCT ON (deal_id) deal_id, county_fips FROM report_inputs
    WHERE version <= :version
      AND deal_id IN (SELECT deal_id FROM report_inputs WHERE county_fips = :countyFips AND version <= :version)
    ORDER BY deal_id, version DESC) AS latest
  WHERE county_fips = :countyFips`;

const countCounties = `
  SELECT county_fips, count(*)::int AS deals FROM (
    SELECT DISTINCT ON (deal_id) county_fips FROM report_inputs
    WHERE version <= :version AND deal_id <> ALL(:without)
    ORDER BY deal_id, version DESC) AS latest
  WHERE county_fips IS NOT NULL
  GROUP BY county_fips`;
