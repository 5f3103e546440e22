import { coreZips } from '../../places/metros/core-zips.js';
import type { AreaKind, AreaRents, BedroomRents, HudFigures } from './area-rents.js';
import { countyFmrsFy2025, countyFmrsFy2026 } from './county-fmrs.js';
import { zipSafmrsFy2025 } from './zip-safmrs.js';

/**
 * The built-in figures: FMRs of the 29 core counties for FY2025 (revised) and FY2026, and FY2025 SAFMRs of about six
 * ZIPs in each. HUD is the source; the data files name the workbooks.
 */
export const hudFigures: HudFigures = {
  rents: [
    ...listAreas('county', 2025, countyFmrsFy2025),
    ...listAreas('county', 2026, countyFmrsFy2026),
    ...listAreas('zip', 2025, zipSafmrsFy2025),
  ],
  zipCounties: Object.entries(coreZips).flatMap(([countyFips, zips]) => zips.map((zip) => ({ zip, countyFips }))),
};

function listAreas(
  areaKind: AreaKind,
  fiscalYear: number,
  rentsByArea: Readonly<Record<string, BedroomRents>>,
): AreaRents[] {
  return Object.entries(rentsByArea).map(([areaCode, rents]) => ({ areaKind, areaCode, fiscalYear, rents }));
}
