import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectFile } from '../../project-file.js';
import { readRentTable, type RentTable } from './rent-table.js';

const folder = 'src/underwriting/rents/tables';
let carried: readonly RentTable[] | undefined;

/** The tables of rents that the project carries; read at the first call. */
export function carriedTables(): readonly RentTable[] {
  carried ??= readdirSync(findProjectFile(folder)).map((name) =>
    readRentTable(readFileSync(findProjectFile(join(folder, name)))),
  );
  return carried;
}
