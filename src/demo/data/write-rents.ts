import { dirname, join } from 'node:path';
import { carriedTables } from '../../underwriting/rents/carried-tables.js';
import type { AreaKind, AreaRents } from '../../underwriting/rents/area-rents.js';
import { fiscalYearInForce } from '../../underwriting/rents/fiscal-year.js';
import { kindOf } from '../../underwriting/rents/rent-table.js';
import { metros } from '../../places/metros/metros.js';
import { demoMetros } from './demo-places.js';
import { demonstrationLicence } from './demonstration-licence.js';
import { writeInPlace } from './write-in-place.js';

/** HUD's newest figures of a ZIP or county that the project carries. */
export function newestRents(areaKind: AreaKind, areaCode: string): AreaRents | undefined {
  const tables = carriedTables().filter(({ header }) => kindOf(header) === areaKind);
  const [newest] = tables
    .sort((one, other) => other.header.fiscal_year - one.header.fiscal_year)
    .flatMap(({ header, find }) => find(areaCode).map(({ rents }) => ({ rents, fiscalYear: header.fiscal_year })));
  return newest && { areaKind, areaCode, area: '', ...newest };
}

const tables = [
  { areaKind: 'county', name: 'fmr.csv', code: 'fips', codes: metros.map(({ countyFips }) => countyFips) },
  { areaKind: 'zip', name: 'safmr.csv', code: 'zip', codes: demoMetros.flat().map(({ zip }) => zip) },
] as const;

/**
 * Writes HUD's figures of all places of the demonstration in the columns of its yearly workbooks, and the file of
 * sources that names them. They are of the year in force, so that no rent is ever stale.
 */
export async function writeRents(sourcesFile: string, day: Date): Promise<void> {
  const sources = [];
  for (const { areaKind, name, code, codes } of tables) {
    const lines = codes.map((each) => {
      const rents = newestRents(areaKind, each)?.rents ?? [];
      return [areaKind === 'county' ? `${each}99999` : each, ...rents].join();
    });
    const text = [`${code},fmr_0,fmr_1,fmr_2,fmr_3,fmr_4`, ...lines, ''].join('\n');
    await writeInPlace(join(dirname(sourcesFile), name), text);
    sources.push({
      kind: 'hud-user',
      name: `demo-${areaKind}-rents`,
      licence: demonstrationLicence('Fair Market Rents of the U.S. Department of Housing and Urban Development'),
      file: name,
      fiscalYear: fiscalYearInForce(day),
    });
  }
  const comment = 'The rents of the demonstration. The server rewrites this file.';
  await writeInPlace(sourcesFile, `${JSON.stringify({ comment, sources }, undefined, 2)}\n`);
}
