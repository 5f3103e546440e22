import type { Knex } from 'knex';
import type { AreaKind, AreaRents } from './area-rents.js';

/** A row of `hud_rents`: one source's figures for an area and year, rents in whole USD a month. */
export interface HudRentRow {
  area_kind: AreaKind;
  area_code: string;
  fiscal_year: number;
  /** See `AreaRents`. */
  area: string;
  source_name: string;
  rent_0br: number;
  rent_1br: number;
  rent_2br: number;
  rent_3br: number;
  rent_4br: number;
  /** When the source first delivered exactly these figures. */
  changed_at: Date;
}

/** Rents delivered together, each key once. */
export interface RentsChunk {
  readonly sourceName: string;
  readonly observedAt: Date;
  readonly rents: readonly AreaRents[];
}

/**
 * Saves a source's rents in one statement. Each replaces the source's own rent of that area and year, since HUD revises
 * its workbooks within a year. Rents of other sources stay. Idempotent.
 */
export async function mergeRents(knex: Knex, { sourceName, observedAt, rents }: RentsChunk): Promise<void> {
  if (rents.length === 0) return;
  const rows = rents.map(({ areaKind, areaCode, fiscalYear, area, rents: [rent0, rent1, rent2, rent3, rent4] }) => ({
    area_kind: areaKind,
    area_code: areaCode,
    fiscal_year: fiscalYear,
    area,
    source_name: sourceName,
    rent_0br: rent0,
    rent_1br: rent1,
    rent_2br: rent2,
    rent_3br: rent3,
    rent_4br: rent4,
    changed_at: observedAt,
  }));
  await knex<HudRentRow>('hud_rents')
    .insert(rows)
    .onConflict(['area_kind', 'area_code', 'fiscal_year', 'area', 'source_name'])
    .merge()
    .whereRaw(isRevised);
}

const isRevised = `
  (hud_rents.rent_0br, hud_rents.rent_1br, hud_rents.rent_2br, hud_rents.rent_3br, hud_rents.rent_4br)
    is distinct from
    (excluded.rent_0br, excluded.rent_1br, excluded.rent_2br, excluded.rent_3br, excluded.rent_4br)`;
