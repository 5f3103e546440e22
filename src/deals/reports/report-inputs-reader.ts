import type { Knex } from 'knex';
import { reviveReportInputs, type ReportInputs } from './report-inputs.js';

/** Reads report inputs as of a version of the deals feed. */
export interface ReportInputsReader {
  /** The report inputs of a deal; undefined when the version has none. */
  readReportInputs(dealId: string, version: number): Promise<ReportInputs | undefined>;
  /** Ids of the deals of a county. */
  readCounty(countyFips: string, version: number): Promise<readonly string[]>;
  /**
   * The county records that deals were published with, in the last version or an earlier one that is still kept.
   * Earlier versions count because an instance may lag, and a deal's lead may be published with an older one. One
   * statement.
   */
  readMatched(dealIds: readonly string[]): Promise<readonly MatchedDeal[]>;
  /**
   * The sources of the rents that deals were published with, in the same versions. No entry for a deal without a rent.
   */
  readRentSources(dealIds: readonly string[]): Promise<readonly RentedDeal[]>;
  /** Number of deals by county FIPS code. No entry for a county without deals. */
  countByCounty(version: number): Promise<ReadonlyMap<string, number>>;
}

/** The ids of a deal and of a county record matched with it. */
export interface MatchedDeal {
  readonly dealId: string;
  readonly recordId: string;
}

/** A deal's id, and the name of the source of the rent in its underwriting. */
export interface RentedDeal {
  readonly dealId: string;
  readonly source: string;
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

/** DISTINCT ON: a deal may have been in another county in an earlier version. */
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
