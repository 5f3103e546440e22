import type { ArcgisSource } from '../../../src/sources/formats/arcgis.js';
import { createArcgisSource } from '../../../src/sources/formats/arcgis.js';
import type { RecordMapping } from '../../../src/sources/formats/record-mapping.js';
import { accessTo } from '../access.js';
import { startMockServer } from '../upstream/mock-server.js';

export type Attributes = Record<string, unknown>;

export const columns = {
  objectid: 'esriFieldTypeOID',
  opa_number: 'esriFieldTypeString',
  street_address: 'esriFieldTypeString',
  zip_code: 'esriFieldTypeString',
  owner: 'esriFieldTypeString',
  total_due: 'esriFieldTypeDouble',
  num_years_owed: 'esriFieldTypeInteger',
  payment_agreement: 'esriFieldTypeString',
  sale_date: 'esriFieldTypeDate',
};

/**
 * A mock FeatureServer that returns at most `most` rows at once, puts its errors inside status 200, and omits the
 * layer's edit date unless told otherwise.
 */
export async function startArcgis(rows: Attributes[], most = 2) {
  const state: {
    errors: object[];
    types: Record<string, string>;
    lies: boolean;
    ignoresOffset: boolean;
    editedAt: number | undefined;
    /** What the layer counts; undefined where its service does not count. */
    count: (() => number) | undefined;
    /** Sets the flag on each page. */
    flagsAll: boolean;
    /** Rows that are left out of a page, so that it is short, and come with the next one. */
    short: number;
  } = {
    errors: [],
    types: columns,
    lies: false,
    ignoresOffset: false,
    editedAt: undefined,
    count: () => rows.length,
    flagsAll: false,
    short: 0,
  };
  const mockServer = await startMockServer((request, response) => {
    const { pathname, searchParams: asked } = new URL(request.url ?? '', 'http://arcgis');
    response.setHeader('content-type', 'application/json');
    const error = state.errors.shift();
    if (error !== undefined) return void response.end(JSON.stringify({ error }));
    if (!pathname.endsWith('/query')) {
      const editingInfo = state.editedAt === undefined ? {} : { editingInfo: { lastEditDate: state.editedAt } };
      return void response.end(JSON.stringify({ type: 'Feature Layer', objectIdField: 'objectid', ...editingInfo }));
    }
    if (asked.get('returnCountOnly') === 'true')
      return void response.end(
        JSON.stringify(state.count === undefined ? { error: { code: 400 } } : { count: state.count() }),
      );
    if (asked.get('returnIdsOnly') === 'true') {
      const objectIds = rows.length === 0 ? null : rows.map(({ objectid }) => objectid).reverse();
      return void response.end(JSON.stringify({ objectIdFieldName: 'objectid', objectIds }));
    }
    const start = state.ignoresOffset ? 0 : Number(asked.get('resultOffset'));
    const size = Math.min(most, Number(asked.get('resultRecordCount'))) - state.short;
    state.short = 0;
    const page = state.lies ? [] : rows.slice(start, start + size);
    const names = (asked.get('outFields') ?? '').split(',');
    response.end(
      JSON.stringify({
        objectIdFieldName: 'objectid',
        fields: names
          .filter((name) => name in state.types)
          .map((name) => ({ name, type: state.types[name], alias: name })),
        ...(state.flagsAll || state.lies || start + page.length < rows.length ? { exceededTransferLimit: true } : {}),
        features: page.map((row) => ({
          attributes: Object.fromEntries(names.map((name) => [name, row[name]])),
          ...(asked.get('returnGeometry') === 'true' && asked.get('outSR') === '4326' && { geometry: row['geometry'] }),
        })),
      }),
    );
  });
  return { ...mockServer, state };
}

export const row = (objectid: number, rest: Attributes = {}): Attributes => ({
  objectid,
  opa_number: `04104${objectid}`,
  street_address: '100 EXAMPLE ST',
  zip_code: '19139',
  owner: 'EXAMPLE OWNER LLC',
  total_due: 4041.05,
  num_years_owed: 7,
  payment_agreement: 'false',
  sale_date: null,
  ...rest,
});
export const mapping: RecordMapping = {
  countyFips: '42101',
  state: 'PA',
  key: ['opa_number'],
  columns: {
    parcelId: 'opa_number',
    ownerName: 'owner',
    amount: 'total_due',
    address: 'street_address',
    zip: 'zip_code',
    yearsOwed: 'num_years_owed',
    taxSaleDate: 'sale_date',
  },
  constants: { city: 'Philadelphia', listYear: '2026' },
  flags: { payment_agreement: false },
  recordUrl: 'https://county.example/{opa_number}',
};

/** Creates the source of the mock layer, again for each page. */
export const layerAt =
  (baseUrl: string, rest: Partial<ArcgisSource<'signals'>> = {}) =>
  () =>
    createArcgisSource({
      ...accessTo(baseUrl),
      delivers: 'signals' as const,
      layer: 'arcgis/rest/services/delinquencies/FeatureServer/0',
      where: 'total_due > 0',
      orderBy: 'objectid',
      mapping,
      ...rest,
    });
