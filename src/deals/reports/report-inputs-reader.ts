import type { Knex } from 'knex';
import { reviveReportInputs, type ReportInputs } from './report-inputs.js';

/** The questions about report inputs, each of one version of the deals feed. */
export interface ReportInputsReader {
  /** The report inputs of a deal; undefined where the version has none. */
  readReportInputs(dealId: string, version: number): Promise<ReportInputs | undefined>;
  /** Ids of the deals of a county. */
  readCounty(countyFips: string, version: number): Promise<readonly string[]>;
  /**
   * The county records that some deals were published with, in the last version or in an earlier one that is still
   * kept: an instance may be behind, and the lead that a deal is may not have been published with it. One statement.
   */
  readMatched(dealIds: readonly string[]): Promise<readonly MatchedDeal[]>;
  /**
   * In the same versions, the sources of the rents that some deals were published with; nothing of those without one.
   */
  readRentSources(dealIds: readonly string[]): Promise<readonly RentedDeal[]>;
  /** How many deals each county has, by its FIPS code; a county without any is not there. */
  countByCounty(version: number): Promise<ReadonlyMap<string, number>>;
}

/** A deal and a county record, each by its id. */
export interface MatchedDeal {
  readonly dealId: string;
  readonly recordId: string;
}

/** A deal by its id, and the name of the source whose rent it was underwritten with. */
export interface RentedDeal {
  readonly dealId: string;
  readonly source: string;
}

/** Reads the report inputs of a database. */
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
    async readMatched(dealIds) {
      const { rows } = await knex.raw<{ rows: { deal_id: string; record_id: string }[] }>(selectMatched, {
        dealIds: [...dealIds],
      });
      return rows.map(({ deal_id: dealId, record_id: recordId }) => ({ dealId, recordId }));
    },
    async readRentSources(dealIds) {
      const { rows } = await knex.raw<{ rows: { deal_id: string; source: string }[] }>(selectRentSources, {
        dealIds: [...dealIds],
      });
      return rows.map(({ deal_id: dealId, source }) => ({ dealId, source }));
    },
    async countByCounty(version) {
      const { rows } = await knex.raw<{ rows: { county_fips: string; deals: number }[] }>(countCounties, { version });
      return new Map(rows.map(({ county_fips: countyFips, deals }) => [countyFips, deals]));
    },
  };
}

/** A deal may have been of another county before. */
const selectCounty = `
  SELECT deal_id FROM (
    SELECT DISTINCT ON (deal_id) deal_id, county_fips FROM report_inputs
    WHERE version <= :version
      AND deal_id IN (SELECT deal_id FROM report_inputs WHERE county_fips = :countyFips AND version <= :version)
    ORDER BY deal_id, version DESC) AS latest
  WHERE county_fips = :countyFips`;

const selectMatched = `
  SELECT DISTINCT d.deal_id, matched ->> 'id' AS record_id
  FROM report_inputs AS d, jsonb_path_query(cast(d.inputs AS jsonb), '$.matches.*[*]') AS matched
  WHERE d.deal_id = ANY(cast(:dealIds AS uuid[]))`;

const selectRentSources = `
  SELECT DISTINCT deal_id, source FROM (
    SELECT deal_id, cast(inputs AS jsonb) #>> '{inputs,rent,value,source}' AS source FROM report_inputs
    WHERE deal_id = ANY(cast(:dealIds AS uuid[]))) AS rented
  WHERE source IS NOT NULL`;

const countCounties = `
  SELECT county_fips, count(*)::int AS deals FROM (
    SELECT DISTINCT ON (deal_id) county_fips FROM report_inputs
    WHERE version <= :version
    ORDER BY deal_id, version DESC) AS latest
  WHERE county_fips IS NOT NULL
  GROUP BY county_fips`;
