import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { SourceError } from '../source-error.js';
import type { RawRow, RowReject, SourcePage } from '../source.js';
import { keepLowest, toAreaRow } from './area-rents-row.js';

/** Raised when rows are read in another way than before: an unchanged file is then read again. */
const readerVersion = 1;
const maxBytes = 64 * 1024 * 1024;

export interface HudFile {
  readonly name: string;
  readonly now: () => Date;
  /** Path of the CSV file. */
  readonly file: string;
  /** The year that the file's figures are of. */
  readonly fiscalYear: number;
}

/** Headers by which HUD's yearly workbooks call a column, in plain words; `N` stands for the number of bedrooms. */
const headers = {
  zip: ['zip code', 'zip', 'zipcode'],
  fips: ['fips', 'fips2010', 'fips code'],
  rent: ['safmr N', 'safmr Nbr', 'fmr N', 'fmr Nbr', 'fmrN', 'safmrN'],
};

/**
 * HUD's yearly workbook, saved as CSV: Small Area FMRs by ZIP, or FMRs by county. Columns are found by their headers, which
 * HUD writes a little differently each year. Of towns in New England, which have no county figures, nothing is read.
 */
export async function fetchFromFile({ name, file, fiscalYear, now }: HudFile): Promise<SourcePage> {
  const bytes = await readWhole(file, name);
  const [head = [], ...lines] = parseCsv(bytes, name);
  const labels = head.map(labelOf);
  const find = (wanted: readonly string[]) => labels.findIndex((label) => wanted.includes(label));
  const [zip, fips] = [find(headers.zip), find(headers.fips)];
  const rents = [0, 1, 2, 3, 4].map((count) => find(headers.rent.map((header) => header.replace('N', `${count}`))));
  if ((zip === -1 && fips === -1) || rents.includes(-1)) throw unknownHeaders(name);
  const areas = lines.map((line, index): RawRow | RowReject => {
    const code = (zip === -1 ? countyOf(line[fips]) : line[zip]?.trim()) ?? '';
    if (code === '')
      return { reject: 'not_relevant', key: `${name}:${index + 2}`, detail: 'The row is not of a whole county.' };
    const areaKind = zip === -1 ? 'county' : 'zip';
    return toAreaRow({ areaKind, areaCode: code, fiscalYear, rents: rents.map((column) => line[column]) });
  });
  const isArea = (row: RawRow | RowReject): row is RawRow => 'payload' in row;
  return {
    rows: [...keepLowest(areas.filter(isArea)), ...areas.filter((row) => !isArea(row))],
    nextCursor: undefined,
    fetchedAt: now(),
    etag: `${readerVersion}-${fiscalYear}-${createHash('sha256').update(bytes).digest('hex')}`,
    sourceUrl: 'https://www.huduser.gov/portal/datasets/fmr.html',
  };
}

async function readWhole(file: string, name: string): Promise<Buffer> {
  const status = await stat(file).catch(() => undefined);
  if (status?.isFile() !== true)
    throw new SourceError('delivery_missing', `The file of ${name} is not there. Correct its path.`);
  if (status.size > maxBytes) throw new SourceError('upstream_too_large', `The file of ${name} is larger than 64 MiB.`);
  return readFile(file);
}

function parseCsv(bytes: Buffer, name: string): string[][] {
  try {
    return parse(bytes, { bom: true, relax_column_count: true, skip_empty_lines: true });
  } catch {
    throw new SourceError(
      'delivery_unreadable',
      `The file of ${name} is not CSV. Save the workbook's sheet as CSV (UTF-8).`,
    );
  }
}

/** A header's words, also when it goes over several lines of its cell: `SAFMR\n2BR` is `safmr 2br`. */
function labelOf(header: string): string {
  return header
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** The county of HUD's ten digits; towns have other last five digits. */
function countyOf(fips: string | undefined): string | undefined {
  return /^(\d{5})99999$/.exec(fips?.trim() ?? '')?.[1];
}

function unknownHeaders(name: string): SourceError {
  return new SourceError(
    'delivery_unreadable',
    `The file of ${name} lacks columns: a ZIP or FIPS code and five rents (such as "SAFMR 2BR" or "fmr_2") are expected.`,
  );
}
