import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { carriedTables } from '../../underwriting/rents/carried-tables.js';
import type { AreaKind, AreaRents } from '../../underwriting/rents/area-rents.js';
import { fiscalYearInForce } from '../../underwriting/rents/fiscal-year.js';
import { kindOf } from '../../underwriting/rents/rent-table.js';
import { metros } from '../../places/metros/metros.js';
import { demoMetros } from '../data/demo-places.js';
import { demonstrationLicence } from './mock-server.js';

export const rentLicence = demonstrationLicence(
  'Fair Market Rents of the U.S. Department of Housing and Urban Development',
);

/** HUD's newest figures of a ZIP or county that the project carries. */
export function newestRents(areaKind: AreaKind, areaCode: string): AreaRents | undefined {
  const tables = carriedTables().filter(({ header }) => kindOf(header) === areaKind);
  const [newest] = tables
    .sort((one, other) => other.header.fiscal_year - one.header.fiscal_year)
    .flatMap(({ header, find }) => find(areaCode).map(({ rents }) => ({ rents, fiscalYear: header.fiscal_year })));
  return newest && { areaKind, areaCode, area: '', ...newest };
}

const files = [
  { areaKind: 'county', name: 'fmr.csv', code: 'fips', codes: metros.map(({ countyFips }) => countyFips) },
  { areaKind: 'zip', name: 'safmr.csv', code: 'zip', codes: demoMetros.flat().map(({ zip }) => zip) },
] as const;

/** Writes HUD's figures of all places of the demonstration, in the columns of its yearly workbooks. */
export async function writeRentFiles(directory: string): Promise<void> {
  for (const { areaKind, name, code, codes } of files) {
    const lines = codes.map((each) => {
      const rents = newestRents(areaKind, each)?.rents ?? [];
      return [areaKind === 'county' ? `${each}99999` : each, ...rents].join();
    });
    const path = join(directory, name);
    await writeFile(`${path}.part`, [`${code},fmr_0,fmr_1,fmr_2,fmr_3,fmr_4`, ...lines, ''].join('\n'));
    await rename(`${path}.part`, path);
  }
}

/** The entries of these files in the file of sources. They are of the year in force, so that no rent is ever stale. */
export function rentEntries(day: Date) {
  return files.map(({ areaKind, name }) => ({
    kind: 'hud-user',
    name: `demo-${areaKind}-rents`,
    licence: rentLicence,
    file: name,
    fiscalYear: fiscalYearInForce(day),
  }));
}
