import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { composeDeals } from '../deals/compose-deals.js';
import { readDealFacts, type FindMatches } from '../deals/read-deal-facts.js';
import type { Database } from '../db/database.js';
import { OperatorError } from '../errors.js';
import { makeDirectory } from '../project-file.js';
import { maxRentFileBytes, readRentFile, type RentFile } from '../sources/formats/hud/read-rent-file.js';
import type { RatesAt } from '../underwriting/mortgage-rates.js';
import { buildRentRows } from '../underwriting/rents/build-rent-rows.js';
import { createHudRents } from '../underwriting/rents/create-hud-rents.js';
import type { HudRents } from '../underwriting/rents/rent-types.js';
import {
  adviseOnRents,
  effectiveFrom,
  judgeRentTable,
  percent,
  type RentComparison,
} from '../underwriting/rents/judge-rent-table.js';
import { createFiguresOf } from '../underwriting/underwriting-inputs.js';
import { readRentTable, type RentTable, writeRentTable } from '../underwriting/rents/rent-table.js';
import { keepRentTables } from '../underwriting/rents/rent-tables-store.js';
import type { Readers } from './readers.js';

/** HUD's yearly files to load, and how. */
export interface RentsOrder {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Stores nothing in the database. */
  readonly dryRun: boolean;
  /** Loads what is only a part of HUD's places. */
  readonly partial: boolean;
  /** The folder for tables in the format of those in the project; written in a dry run as well. */
  readonly pack?: string | undefined;
}

export interface RentsPorts {
  readonly database: Pick<Database, 'knex'>;
  readonly ratesAt: RatesAt;
  readonly readers: Readers;
  readonly findMatches: FindMatches;
  readonly now: () => Date;
}

/** The loaded tables in words, and how many deals their rents give another status. */
export interface RentsReport {
  readonly tables: string;
  readonly largestChanges: string;
  readonly dealsThatChangeStatus: number;
  /** False when nothing was stored: tried only, or loaded before. */
  readonly isStored: boolean;
}

interface NewTable {
  readonly table: RentTable;
  readonly text: string;
  readonly comparison: RentComparison;
}

/** Creates what loads the rents of a year, and tells when that is to be done. */
export function createRentLoader(ports: RentsPorts) {
  const { database, readers, now } = ports;
  return {
    /**
     * Reads HUD's small-area and county workbooks, or CSV of their columns, and stores them: all files or, where one is
     * refused, none. Files of one kind and year are one table. The caller publishes.
     *
     * @throws OperatorError when a file is refused, by name and row
     */
    async load({ files, partial, pack, dryRun }: RentsOrder): Promise<RentsReport> {
      const on = now();
      const known = await readers.rents.readTables();
      const read = await Promise.all(files.map(readOne));
      const made = [...new Set(read.map(({ key }) => key))].map((each) => {
        const ofKey = read.filter(({ key }) => key === each);
        return makeTable(ofKey, known, partial, on);
      });
      if (pack !== undefined) await packTables(pack, made);
      const fresh = made.filter(({ table }) => !known.some(({ header }) => header.sha256 === table.header.sha256));
      const after = createHudRents([...known, ...fresh.map(({ table }) => table)]);
      const dealsThatChangeStatus =
        fresh.length === 0 ? 0 : await countStatusChanges(ports, createHudRents(known), after, on);
      const isStored = !dryRun && fresh.length > 0;
      if (isStored) await keepRentTables(database.knex, fresh, on);
      return {
        tables: made.map(describeTable).join('; '),
        largestChanges: made.flatMap(describeChanges).join('; '),
        dealsThatChangeStatus,
        isStored,
      };
    },
    /** What an operator should do for the rents of the year, in one sentence; undefined where nothing is to be done. */
    advise: async (): Promise<string | undefined> => adviseOnRents(await readers.rents.readTables(), now()),
  };
}

interface NamedFile extends RentFile {
  readonly name: string;
  /** Files of one key are one table. */
  readonly key: string;
  readonly table: 'safmr' | 'fmr';
  readonly fiscalYear: number;
  readonly published: string;
}

async function readOne(path: string): Promise<NamedFile> {
  const name = basename(path);
  const status = await stat(path).catch(() => undefined);
  if (status?.isFile() !== true) throw new OperatorError(`There is no file ${path}.`);
  if (status.size > maxRentFileBytes) throw new OperatorError(`${name} is larger than 64 MiB.`);
  const file = await readRentFile(await readFile(path), name);
  const { fiscalYear, kind, savedOn = status.mtime.toISOString().slice(0, 10) } = file;
  if (fiscalYear === undefined)
    throw new OperatorError(`${name} does not say its fiscal year: name it as HUD does, such as FY28_FMRs.xlsx.`);
  const table = kind === 'zip' ? 'safmr' : 'fmr';
  return { ...file, name, key: `${table}-${fiscalYear}`, table, fiscalYear, published: savedOn };
}

const faultsShown = 10;

function makeTable(files: readonly NamedFile[], known: readonly RentTable[], isPartial: boolean, on: Date): NewTable {
  const [{ table, fiscalYear, kind }] = files as [NamedFile];
  const file = files.map(({ name }) => name).join(', ');
  const lines = files.flatMap(({ name, lines: own }) =>
    own.map((line) => ({ ...line, place: `${name}, row ${line.number}` })),
  );
  const { rows, faults } = buildRentRows(kind, lines);
  const comparison = judgeRentTable({ table, fiscal_year: fiscalYear }, rows, {
    former: newestComplete(known, table),
    isPartial,
    on,
  });
  const refusals = [...faults.slice(0, faultsShown), ...comparison.refusals.map((refusal) => `${file}: ${refusal}`)];
  if (refusals.length > 0) {
    const more = faults.length - faultsShown;
    throw new OperatorError(`Nothing is loaded. ${refusals.join('. ')}.${more > 0 ? ` And ${more} rows more.` : ''}`);
  }
  const [published = ''] = files
    .map((each) => each.published)
    .sort()
    .reverse();
  const header = {
    ...{ table, fiscal_year: fiscalYear, file, published },
    effective: effectiveFrom(fiscalYear, published),
    complete: comparison.isWhole && !isPartial,
  };
  const text = writeRentTable(header, rows);
  return { table: readRentTable(Buffer.from(text, 'latin1')), text, comparison };
}

function newestComplete(tables: readonly RentTable[], kind: RentTable['header']['table']): RentTable | undefined {
  const ageOf = ({ header }: RentTable) => `${header.fiscal_year} ${header.published}`;
  return tables
    .filter(({ header }) => header.table === kind && header.complete)
    .sort((one, other) => ageOf(other).localeCompare(ageOf(one)))[0];
}

async function packTables(folder: string, tables: readonly NewTable[]): Promise<void> {
  makeDirectory(folder);
  for (const { table, text } of tables)
    await writeFile(join(folder, `${table.header.table}-${table.header.fiscal_year}.txt`), text);
}

function describeTable({ table: { header }, comparison: { median, former } }: NewTable): string {
  const { table, fiscal_year: year, rows, complete, published } = header;
  const was = former === undefined ? '' : `, ${former.median} in FY${former.fiscalYear}`;
  const whole = complete ? '' : ', a part';
  return `${table} FY${year} of ${published}: ${rows} rows${whole}, median two-bedroom rent ${median}${was}`;
}

function describeChanges({ comparison: { largest } }: NewTable): string[] {
  return largest.map(({ code, before, after }) => `${code} ${before} to ${after} (${percent(after / before - 1)})`);
}

/** How many deals on offer have another status on one of their paths with other rents. */
async function countStatusChanges(
  ports: Omit<RentsPorts, 'now'>,
  before: HudRents,
  after: HudRents,
  now: Date,
): Promise<number> {
  const former = await readStatuses(ports, before, now);
  const next = await readStatuses(ports, after, now);
  return [...next].filter(([id, status]) => former.get(id) !== status).length;
}

async function readStatuses(
  ports: Omit<RentsPorts, 'now'>,
  rents: HudRents,
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  const { findMatches } = ports;
  const { listings, readLicences } = ports.readers;
  const figuresOf = createFiguresOf(rents, ports.ratesAt(now), now);
  const statuses = new Map<string, string>();
  const chunks = mapChunks(listings.readActive());
  for await (const { facts } of readDealFacts({ listings, readLicences, findMatches, figuresOf, now }, chunks))
    for (const { id, score } of composeDeals(facts))
      statuses.set(id, [score.rentalStatus, score.wholesaleStatus, score.creativeStatus].join());
  return statuses;
}

async function* mapChunks<L extends { readonly id: string }>(chunks: AsyncIterable<readonly L[]>) {
  for await (const chunk of chunks) yield chunk.map((listing) => ({ id: listing.id, listing }));
}
