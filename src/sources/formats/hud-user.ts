import { parseAreaRow, type AreaRow, keepLowest, toAreaRow } from './hud/area-rents-row.js';
import type { Licence, PagedSource, RawRow, RowReject, SourcePage } from '../source.js';
import { isKnown } from '../../absence.js';
import { fiscalYearInForce } from '../../underwriting/rents/fiscal-year.js';
import { parseZip, textOf } from './field-values.js';
import { accessOf, type SourceAccess } from '../source-access.js';
import { SourceError, unreadable } from '../source-error.js';
import { expectList, expectObject, getJson, isObject } from '../upstream/get-json.js';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { isWorkbook, readWorkbook } from './hud/read-workbook.js';

/** HUD's API, or its yearly workbook, unchanged or saved as CSV. */
export type HudUserSource = HudApi | (HudFile & { readonly licence: Licence });

/**
 * HUD's Fair Market Rents by county and (as Small Area FMRs) by ZIP, as a source. Areas are identified by code and
 * year, since HUD renames them.
 */
export function createHudUserSource(source: HudUserSource): PagedSource<'rents'> {
  return {
    name: source.name,
    kind: 'hud-user',
    delivers: 'rents',
    licence: source.licence,
    fetchPage: (_cursor, _watermark, knownEtag) =>
      'file' in source ? fetchFromFile(source, knownEtag) : fetchFromApi(source),
    parse: parseAreaRow,
  };
}

const bedrooms = ['Efficiency', 'One-Bedroom', 'Two-Bedroom', 'Three-Bedroom', 'Four-Bedroom'];

interface HudApi extends SourceAccess {
  /** The counties to read: state, and five-digit FIPS code. */
  readonly counties: readonly { readonly state: string; readonly countyFips: string }[];
}

/**
 * The figures of the configured counties for the fiscal year in force: the county's own, and each ZIP's where HUD sets
 * rents by ZIP. Rows that are neither are rejected. All are one page, since a ZIP may be in several areas. Source: HUD
 * USER FMR API, `listCounties/{state}` and `data/{entityid}`; not `statedata`, which has no figures by ZIP.
 */
async function fetchFromApi(source: HudApi): Promise<SourcePage> {
  const { name, counties, now, baseUrl } = source;
  const year = fiscalYearInForce(now());
  const rows: (RawRow | RowReject)[] = [];
  for (const state of new Set(counties.map((county) => county.state))) {
    const entities = await listEntities(state);
    for (const { countyFips } of counties.filter((county) => county.state === state)) {
      const entity = `${countyFips}99999`;
      if (!entities.includes(entity)) throw unknownCounty(name, countyFips);
      rows.push(...(await fetchEntity(entity, countyFips)));
    }
  }
  const refused = rows.filter((row) => 'reject' in row);
  const figures = keepLowest(rows.filter((row) => 'payload' in row));
  return { rows: [...figures, ...refused], nextCursor: undefined, fetchedAt: now(), sourceUrl: baseUrl };

  /** Entities are counties, and towns in New England; the first five digits are the county's. */
  async function listEntities(state: string): Promise<readonly unknown[]> {
    const counties = expectList(await ask(`listCounties/${state}`), `The list of counties of ${name}`);
    return counties.map((county) => (isObject(county) ? county.fips_code : undefined));
  }

  async function fetchEntity(entity: string, countyFips: string): Promise<(RawRow | RowReject)[]> {
    const document = expectObject(await ask(`data/${entity}?year=${year}`), `The figures of ${name}`);
    const data = expectObject(document.data, `The figures of ${name}`);
    // Where HUD sets rents by ZIP, a list with one more row for the whole area; else one object.
    const figures = Array.isArray(data.basicdata) ? (data.basicdata as unknown[]) : [data.basicdata];
    return figures.filter(isObject).map((row, index) => {
      const area = areaOf(row.zip_code, countyFips);
      if (area === undefined)
        return {
          reject: 'missing_key',
          key: `${entity}:${index}`,
          detail: 'zip_code: a ZIP of five digits or "MSA level" is expected.',
        };
      return toAreaRow({
        ...area,
        fiscalYear: row.year ?? data.year,
        rents: bedrooms.map((bedroom) => row[bedroom]),
      });
    });
  }

  async function ask(path: string): Promise<unknown> {
    const reply = await getJson(source.upstream, {
      ...accessOf(source),
      url: `${baseUrl}/${path}`,
      credentials: { authorization: `Bearer ${source.secret ?? ''}` },
      isPending: (status) => status === 202,
      findPassingFault: (body) => (body === undefined ? 'it returns no JSON' : undefined),
    });
    return reply.body;
  }
}

/** The area of a row's figures; undefined when the row does not state it. */
function areaOf(zipCode: unknown, countyFips: string): Pick<AreaRow, 'areaKind' | 'areaCode'> | undefined {
  if (zipCode === undefined || zipCode === null || zipCode === 'MSA level')
    return { areaKind: 'county', areaCode: countyFips };
  const text = textOf(zipCode);
  const zip = isKnown(text) ? parseZip(text.value) : text;
  return isKnown(zip) ? { areaKind: 'zip', areaCode: zip.value } : undefined;
}

function unknownCounty(name: string, countyFips: string): SourceError {
  return new SourceError(
    'upstream_refused',
    `${name} does not know the county ${countyFips}. Correct the configuration.`,
  );
}

/** Increased when rows are parsed differently, so that an unchanged file is read again. */
const readerVersion = 2;
const maxBytes = 64 * 1024 * 1024;

interface HudFile {
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
async function fetchFromFile(source: HudFile, knownEtag: string | undefined): Promise<SourcePage> {
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
