import type { Knex } from 'knex';
import { joinTexts, splitTexts } from '../db/joined-texts.js';
import type { WrittenDossier } from './dossier.js';

/** Writes dossiers. Those of a version count from the moment that the deals feed moves to it. */
export interface DossierStore {
  /** Removes what a publication that did not finish has left behind. */
  discardAbove(version: number): Promise<void>;
  /** Writes those that differ from what the versions before have. */
  write(version: number, dossiers: readonly WrittenDossier[]): Promise<void>;
  /** Retires every deal but these. */
  retireOthers(version: number, dealIds: readonly string[]): Promise<void>;
  /** Retires some deals. */
  retire(version: number, dealIds: readonly string[]): Promise<void>;
  /** Drops what no reader of this version or a later one needs; of what was replaced in `since` or later. */
  discardSuperseded(version: number, since?: number): Promise<void>;
}

/** Keeps dossiers in `deal_dossiers`. */
export function createDossierStore(knex: Knex): DossierStore {
  return {
    async discardAbove(version) {
      await knex.raw(deleteAbove, { version });
    },
    async write(version, dossiers) {
      const rows = dossiers.map(({ dealId, countyFips }) => ({ id: dealId, county_fips: countyFips }));
      const texts = joinTexts(dossiers.map(({ text }) => text));
      await knex.raw(insertChanged, { version, rows: JSON.stringify(rows), texts });
    },
    async retireOthers(version, dealIds) {
      await knex.raw(retireOthers, { version, ids: [...dealIds] });
    },
    async retire(version, dealIds) {
      await knex.raw(retireSome, { version, ids: [...dealIds] });
    },
    async discardSuperseded(version, since = 0) {
      if (version < 1) return;
      await knex.raw(deleteSuperseded, { version, since });
      await knex('deal_dossiers').whereBetween('version', [since, version]).whereNull('dossier').delete();
    },
  };
}

/** Whoever was overtaken writes nothing into a version that another has published. */
const isAhead = `NOT EXISTS (SELECT 1 FROM feed_versions AS f WHERE f.feed = 'deals' AND f.version >= :version)`;

const deleteAbove = `
  DELETE FROM deal_dossiers
  WHERE version > greatest(:version, (SELECT f.version FROM feed_versions AS f WHERE f.feed = 'deals'))`;

const insertChanged = `
  INSERT INTO deal_dossiers (deal_id, version, county_fips, dossier)
  SELECT r.id, :version, r.county_fips, r.dossier
  FROM ROWS FROM (json_to_recordset(cast(:rows AS json)) AS (id uuid, county_fips text), ${splitTexts(':texts')})
    AS r(id, county_fips, dossier)
  WHERE r.dossier IS DISTINCT FROM (
    SELECT kept.dossier FROM deal_dossiers AS kept WHERE kept.deal_id = r.id AND kept.version < :version
    ORDER BY kept.version DESC LIMIT 1) AND ${isAhead}
  ON CONFLICT (deal_id, version) DO UPDATE SET county_fips = excluded.county_fips, dossier = excluded.dossier`;

const retireOthers = `
  INSERT INTO deal_dossiers (deal_id, version)
  SELECT deal_id, :version::bigint FROM (
    SELECT deal_id FROM deal_dossiers WHERE version < :version EXCEPT SELECT unnest(:ids::uuid[])) AS others
  WHERE ${isAhead}
  ON CONFLICT (deal_id, version) DO UPDATE SET county_fips = NULL, dossier = NULL`;

const retireSome = `
  INSERT INTO deal_dossiers (deal_id, version) SELECT id, :version FROM unnest(cast(:ids AS uuid[])) AS r(id)
  WHERE ${isAhead}
  ON CONFLICT (deal_id, version) DO UPDATE SET county_fips = NULL, dossier = NULL`;

// Materialized: a planner that has no statistics yet would count it anew for every row.
const deleteSuperseded = `
  WITH newest AS MATERIALIZED (
    SELECT deal_id, max(version) AS version FROM deal_dossiers WHERE version >= :since AND version <= :version
    GROUP BY deal_id)
  DELETE FROM deal_dossiers AS old USING newest
  WHERE old.deal_id = newest.deal_id AND old.version < newest.version`;
