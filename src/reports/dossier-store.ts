import type { Knex } from 'knex';
import { valueOf } from '../absence.js';
import type { Dossier } from './dossier.js';

/** Writes dossiers. Those of a version count from the moment that the deals feed moves to it. */
export interface DossierStore {
  /** Removes what a publication that did not finish has left behind. */
  discardAbove(version: number): Promise<void>;
  /** Writes those that differ from what the versions before have. */
  write(version: number, dossiers: readonly Dossier[]): Promise<void>;
  /** Retires every deal but these. */
  retireOthers(version: number, dealIds: readonly string[]): Promise<void>;
  /** Drops what no reader of this version or a later one needs. */
  discardSuperseded(version: number): Promise<void>;
}

/** Keeps dossiers in `deal_dossiers`. */
export function createDossierStore(knex: Knex): DossierStore {
  return {
    async discardAbove(version) {
      await knex('deal_dossiers').where('version', '>', version).delete();
    },
    async write(version, dossiers) {
      await knex.raw(insertChanged, {
        version,
        ids: dossiers.map(({ dealId }) => dealId),
        counties: dossiers.map(({ countyFips }) => valueOf(countyFips) ?? null),
        texts: dossiers.map((dossier) => JSON.stringify(dossier)),
      });
    },
    async retireOthers(version, dealIds) {
      await knex.raw(retireOthers, { version, ids: [...dealIds] });
    },
    async discardSuperseded(version) {
      await knex.raw(deleteSuperseded, { version });
    },
  };
}

const insertChanged = `
  INSERT INTO deal_dossiers (deal_id, version, county_fips, dossier)
  SELECT r.id, :version, r.county_fips, r.dossier
  FROM unnest(:ids::uuid[], :counties::text[], :texts::text[]) AS r(id, county_fips, dossier)
  WHERE r.dossier IS DISTINCT FROM (
    SELECT kept.dossier FROM deal_dossiers AS kept WHERE kept.deal_id = r.id AND kept.version < :version
    ORDER BY kept.version DESC LIMIT 1)
  ON CONFLICT (deal_id, version) DO UPDATE SET county_fips = excluded.county_fips, dossier = excluded.dossier`;

const retireOthers = `
  INSERT INTO deal_dossiers (deal_id, version)
  SELECT deal_id, :version::bigint FROM (
    SELECT deal_id FROM deal_dossiers WHERE version < :version EXCEPT SELECT unnest(:ids::uuid[])) AS others
  ON CONFLICT (deal_id, version) DO UPDATE SET county_fips = NULL, dossier = NULL`;

const deleteSuperseded = `
  DELETE FROM deal_dossiers AS old WHERE version <= :version AND (dossier IS NULL OR EXISTS (
    SELECT 1 FROM deal_dossiers AS newer
    WHERE newer.deal_id = old.deal_id AND newer.version > old.version AND newer.version <= :version))`;
