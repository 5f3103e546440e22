import { parseAreaRow, type AreaRow, keepLowest, toAreaRow } from './hud/area-rents-row.js';
import type { Licence, PagedSource, RawRow, RowReject, SourcePage } from '../source.js';
import { isKnown } from '../../absence.js';
import { fiscalYearInForce } from '../../underwriting/rents/fiscal-year.js';
import { parseZip } from '../values/places.js';
import { textOf } from '../values/text.js';
import { accessOf, type SourceAccess } from '../source-access.js';
import { SourceError } from '../source-error.js';
import { expectList, expectObject, getJson, isObject } from '../upstream/get-json.js';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { maxRentFileBytes, readRentFile } from './hud/read-rent-file.js';

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
 * rents by ZIP. Rows that are neither are rejected, and so is a county that HUD does not know. Source: HUD USER FMR
 * API, `listCounties/{state}` and `data/{entityid}`; not `statedata`, which has no figures by ZIP.
 */
async function fetchFromApi(source: HudApi): Promise<SourcePage> {
  const { name, counties, now, baseUrl } = source;
  const year = fiscalYearInForce(now());
  const rows: (RawRow | RowReject)[] = [];
  for (const state of new Set(counties.map((county) => county.state))) {
    const entities = await listEntities(state);
    for (const { countyFips } of counties.filter((county) => county.state === state)) {
      const own = entities.filter((entity) => entity.startsWith(countyFips));
      if (own.length === 0) rows.push(unknownCounty(countyFips));
      for (const entity of own) rows.push(...(await fetchEntity(entity, countyFips)));
    }
  }
  const refused = rows.filter((row) => 'reject' in row);
  const figures = keepLowest(rows.filter((row) => 'payload' in row));
  return { rows: [...figures, ...refused], nextCursor: undefined, fetchedAt: now(), sourceUrl: baseUrl };

  /**
   * Entities are counties, and in New England their towns: of ten digits the first five are the county's, in
   * Connecticut the planning region's.
   */
  async function listEntities(state: string): Promise<readonly string[]> {
    const counties = expectList(await ask(`listCounties/${state}`), `The list of counties of ${name}`);
    return counties.flatMap((county) =>
      isObject(county) && typeof county.fips_code === 'string' ? county.fips_code : [],
    );
  }

  async function fetchEntity(entity: string, countyFips: string): Promise<(RawRow | RowReject)[]> {
    const document = expectObject(await ask(`data/${entity}?year=${year}`), `The figures of ${name}`);
    const data = expectObject(document.data, `The figures of ${name}`);
    // Where HUD sets rents by ZIP, a list with one more row for the whole area; else one object.
    const figures = Array.isArray(data.basicdata) ? (data.basicdata as unknown[]) : [data.basicdata];
    return figures.filter(isObject).map((row, index) => {
      const place = placeOf(row.zip_code, countyFips);
      if (place === undefined)
        return {
          reject: 'missing_key',
          key: `${entity}:${index}`,
          detail: 'zip_code: a ZIP of five digits or "MSA level" is expected.',
        };
      return toAreaRow({
        ...place,
        fiscalYear: row.year ?? data.year,
        // A town is an area of its county, and a county of a ZIP: both keep their code when HUD renames them.
        area: place.areaKind === 'zip' ? countyFips : entity === `${countyFips}99999` ? '' : entity,
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

/** The ZIP or county of a row's figures; undefined when the row does not state it. */
function placeOf(zipCode: unknown, countyFips: string): Pick<AreaRow, 'areaKind' | 'areaCode'> | undefined {
  if (zipCode === undefined || zipCode === null || zipCode === 'MSA level')
    return { areaKind: 'county', areaCode: countyFips };
  const text = textOf(zipCode);
  const zip = isKnown(text) ? parseZip(text.value) : text;
  return isKnown(zip) ? { areaKind: 'zip', areaCode: zip.value } : undefined;
}

function unknownCounty(countyFips: string): RowReject {
  return {
    reject: 'missing_key',
    key: countyFips,
    detail: `HUD lists no county ${countyFips}: correct the configuration.`,
  };
}

/** Increased when rows are parsed differently, so that an unchanged file is read again. */
const readerVersion = 3;

interface HudFile {
  readonly name: string;
  readonly now: () => Date;
  /** Path of the workbook (.xlsx), or of its sheet saved as CSV. */
  readonly file: string;
  /** The year of the file's figures. */
  readonly fiscalYear: number;
}

/** The rows of a yearly file; see `readRentFile`. A file with `knownEtag` is not read. */
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

async function readAreas(bytes: Buffer, { name, fiscalYear }: HudFile): Promise<readonly RawRow[]> {
  const { kind: areaKind, lines } = await readRentFile(bytes, name);
  return keepLowest(
    lines.map(({ code: areaCode, area, rents }) => toAreaRow({ areaKind, areaCode, fiscalYear, area, rents })),
  );
}

async function readWhole(file: string, name: string): Promise<Buffer> {
  const status = await stat(file).catch(() => undefined);
  if (status?.isFile() !== true)
    throw new SourceError('delivery_missing', `The file of ${name} does not exist. Correct its path.`);
  if (status.size > maxRentFileBytes)
    throw new SourceError('upstream_too_large', `The file of ${name} is larger than 64 MiB.`);
  return readFile(file);
}
