import { coreZips } from '../../places/metros/core-zips.js';
import { readTable } from '../../project-file.js';
import type { AreaKind, HudFigures } from './area-rents.js';

const dollars = /^\d{3,4}$/;

/**
 * The built-in figures: FMRs of the 29 core counties for FY2025 (revised) and FY2026, and FY2025 SAFMRs of about six
 * ZIPs in each. HUD is the source; the data files name the workbooks.
 */
export const hudFigures: HudFigures = {
  rents: readTable('src/underwriting/rents/hud-rents.csv', {
    area_kind: /^(county|zip)$/,
    area_code: /^\d{5}$/,
    fiscal_year: /^20\d\d$/,
    rent_0br: dollars,
    rent_1br: dollars,
    rent_2br: dollars,
    rent_3br: dollars,
    rent_4br: dollars,
  }).map((row) => ({
    areaKind: row.area_kind as AreaKind,
    areaCode: row.area_code,
    fiscalYear: Number(row.fiscal_year),
    rents: [+row.rent_0br, +row.rent_1br, +row.rent_2br, +row.rent_3br, +row.rent_4br],
  })),
  zipCounties: coreZips,
};
