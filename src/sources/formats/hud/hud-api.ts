import { isKnown } from '../../../absence.js';
import { fiscalYearInForce } from '../../../underwriting/rents/fiscal-year.js';
import { parseZip, textOf } from '../field-values.js';
import { accessOf, type SourceAccess } from '../../source-access.js';
import { SourceError } from '../../source-error.js';
import type { RawRow, RowReject, SourcePage } from '../../source.js';
import { expectList, expectObject, getJson, isObject } from '../../upstream/get-json.js';
import { type AreaRow, keepLowest, toAreaRow } from './area-rents-row.js';

const bedrooms = ['Efficiency', 'One-Bedroom', 'Two-Bedroom', 'Three-Bedroom', 'Four-Bedroom'];

export interface HudApi extends SourceAccess {
  /** The counties to read: state, and five-digit FIPS code. */
  readonly counties: readonly { readonly state: string; readonly countyFips: string }[];
}

/**
 * The figures of the configured counties for the fiscal year in force: the county's own, and each ZIP's where HUD sets
 * rents by ZIP. Rows that are neither are rejected. All are one page, since a ZIP may be in several areas. Source: HUD
 * USER FMR API, `listCounties/{state}` and `data/{entityid}`; not `statedata`, which has no figures by ZIP.
 */
export async function fetchFromApi(source: HudApi): Promise<SourcePage> {
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
