import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { SourceError, unreadable } from '../../source-error.js';
import type { RawRow, RowReject, SourcePage } from '../../source.js';
import { keepLowest, toAreaRow } from './area-rents-row.js';
import { isWorkbook, readWorkbook } from './read-workbook.js';

/** Increased when rows are parsed differently, so that an unchanged file is read again. */
const readerVersion = 2;
const maxBytes = 64 * 1024 * 1024;

export interface HudFile {
  readonly name: string;
  readonly now: () => Date;
  /** Path of the workbook (.xlsx), or of its sheet saved as CSV. */
  readonly file: string;
  /** The year of the file's figures. */
  readonly fiscalYear: number;
}

/** Normalized column headers of HUD's yearly workbooks; `N` is the number of bedrooms. */
const headers = {
  zip: ['zip code', 'zip', 'zipcode'],
  fips: ['fips', 'fips2010', 'fips code'],
  rent: ['safmr N', 'safmr Nbr', 'fmr N', 'fmr Nbr', 'fmrN', 'safmrN'],
};

/**
 * HUD's yearly workbook, unchanged or saved as CSV: Small Area FMRs by ZIP, or FMRs by county. Columns are found by
 * their headers, which vary from year to year. Leading zeros that a spreadsheet removed from codes are restored. Towns
 * in New England are skipped, since they have no county figures. A file with `knownEtag` is not read.
 */
export async function fetchFromFile(source: HudFile, knownEtag: string | undefined): Promise<SourcePage> {
  const { name, file, fiscalYear, now } = source;
  const bytes = await readWhole(file, name);
  const etag = `${readerVersion}-${fiscalYear}-${createHash('sha256').update(bytes).digest('hex')}`;
  return {
    rows: etag === knownEtag ? [] : await readAreas(bytes, source),
    nextCursor: undefined,
    fetchedAt: now(),
    etag,
    sourceUrl: 'https://www.huduser.gov/portal/datasets/fmr.html',
  };
}

async function readAreas(bytes: Buffer, { name, fiscalYear }: HudFile): Promise<readonly (RawRow | RowReject)[]> {
  const [head = [], ...lines] = isWorkbook(bytes) ? await readWorkbook(bytes, name, maxBytes) : parseCsv(bytes, name);
  const labels = head.map(labelOf);
  const find = (wanted: readonly string[]) => labels.findIndex((label) => wanted.includes(label));
  const [zip, fips] = [find(headers.zip), find(headers.fips)];
  const rents = [0, 1, 2, 3, 4].map((count) => find(headers.rent.map((header) => header.replace('N', `${count}`))));
  if ((zip === -1 && fips === -1) || rents.includes(-1)) throw unknownHeaders(name);
  const areas = lines.map((line, index): RawRow | RowReject => {
    const code = (zip === -1 ? countyOf(line[fips]) : withZeros(line[zip], 3, 5)) ?? '';
    if (code === '')
      return { reject: 'not_relevant', key: `${name}:${index + 2}`, detail: 'The row is not of a whole county.' };
    const areaKind = zip === -1 ? 'county' : 'zip';
    return toAreaRow({ areaKind, areaCode: code, fiscalYear, rents: rents.map((column) => line[column]) });
  });
  const isArea = (row: RawRow | RowReject): row is RawRow => 'payload' in row;
  return [...keepLowest(areas.filter(isArea)), ...areas.filter((row) => !isArea(row))];
}

async function readWhole(file: string, name: string): Promise<Buffer> {
  const status = await stat(file).catch(() => undefined);
  if (status?.isFile() !== true)
    throw new SourceError('delivery_missing', `The file of ${name} does not exist. Correct its path.`);
  if (status.size > maxBytes) throw new SourceError('upstream_too_large', `The file of ${name} is larger than 64 MiB.`);
  return readFile(file);
}

function parseCsv(bytes: Buffer, name: string): string[][] {
  try {
    return parse(bytes, { bom: true, relax_column_count: true, skip_empty_lines: true });
  } catch {
    throw unreadable(
      `The file of ${name} is neither a workbook (.xlsx) nor CSV (UTF-8). Download HUD's workbook again.`,
    );
  }
}

/** Normalizes a header, even one with line breaks: `SAFMR\n2BR` is `safmr 2br`. */
function labelOf(header: string): string {
  return header
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** The county of HUD's ten-digit code; towns have other last five digits. */
function countyOf(fips: string | undefined): string | undefined {
  return /^(\d{5})99999$/.exec(withZeros(fips, 9, 10))?.[1];
}

/**
 * A code of `digits` digits, with the leading zeros that a spreadsheet removed, if at least `least` digits are left.
 */
function withZeros(code: string | undefined, least: number, digits: number): string {
  const text = code?.trim() ?? '';
  return /^\d+$/.test(text) && text.length >= least ? text.padStart(digits, '0') : text;
}

function unknownHeaders(name: string): SourceError {
  return unreadable(
    `The file of ${name} lacks columns: a ZIP or FIPS code and five rents (such as "SAFMR 2BR" or "fmr_2") are expected.`,
  );
}
