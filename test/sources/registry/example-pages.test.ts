import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProjectFile } from '../../../src/project-file.js';
import type { AnySource } from '../../../src/sources/registry/create-source.js';
import { loadSources } from '../../../src/sources/registry/load-sources.js';
import type { DeliveryKind, Source } from '../../../src/sources/source.js';
import { readSource } from '../read-source.js';
import {
  createTestClock,
  createTestUpstream,
  rejects,
  startMockServer,
  type MockServer,
} from '../upstream/mock-server.js';

type Entry = Record<string, unknown>;
type Pages = readonly (readonly [RegExp, string, number?])[];

const folder = pathToFileURL(findProjectFile('../shared/fixtures/'));
const isThere = existsSync(folder);
const page = (name: string): string => (isThere ? readFileSync(new URL(name, folder), 'utf8') : '');

/** Tests the entries of the published example file of sources with example pages written by others. */
describe('an entry of sources.example.json reads the example page of its wire format', () => {
  const clock = createTestClock();
  let directory: string;
  let entries: Entry[];
  let mockServer: MockServer | undefined;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'example-'));
    const text = await readFile(findProjectFile('sources.example.json'), 'utf8');
    entries = (JSON.parse(text) as { sources: Entry[] }).sources;
  });
  afterEach(() => mockServer?.close());
  after(() => rm(directory, { recursive: true }));

  function reads(name: string, test: () => Promise<void>): void {
    const title = isThere ? name : `${name}: SKIPPED, ../shared/fixtures is missing`;
    (isThere ? it : it.skip)(title, test);
  }

  /** Serves pages to the named entry: the first whose pattern matches the request. No page: 404. */
  async function read(name: string, pagesAt: (url: string) => Pages, changes: Entry = {}) {
    mockServer = await startMockServer((request, response) => {
      const found = pagesAt(mockServer?.url ?? '').find(([pattern]) => pattern.test(request.url ?? ''));
      response.writeHead(found === undefined ? 404 : (found[2] ?? 200)).end(found?.[1]);
    });
    const { url } = mockServer;
    const file = join(directory, 'sources.json');
    const entry = entries.find((each) => each['name'] === name) ?? assert.fail(name);
    const local = { ...entry, enabled: true, allowPrivate: true, baseUrl: url, requestsPerMinute: 600, ...changes };
    await writeFile(file, JSON.stringify({ sources: [local] }));
    const { sources, refused } = await loadSources(file, {
      upstream: createTestUpstream(clock),
      now: clock.now,
      readSecret: () => 'a key',
    });
    assert.deepEqual(refused, []);
    return readSource(() => sources[0] as AnySource as unknown as Source<DeliveryKind>);
  }

  const pick = (row: object | undefined, ...names: string[]) =>
    names.map((name) => {
      const value: unknown = Reflect.get(row ?? {}, name);
      return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
    });
  const emptyPage = '{"value":[]}';

  reads('reso-odata, whose next link is followed', async () => {
    const { taken, pages } = await read('example-mls', (url) => [
      [/%20gt%20/, emptyPage],
      [/./, page('reso_property_page.json').replaceAll('https://api.example-mls.test', url)],
    ]);
    assert.equal(pages.length, 2);
    assert.deepEqual(pick(taken[0], 'sourceKey', 'units', 'capRate', 'noi', 'vacancyPct', 'propertyType', 'terms'), [
      ...['EX-1000001', 4, '8.9', '25721', '25', 'fourplex'],
      ['cash', 'owner_may_carry'],
    ]);
  });

  reads('reso-odata, which refuses', () =>
    rejects(
      read('example-mls', () => [[/./, page('reso_error.json'), 400]]),
      'upstream_refused',
    ),
  );

  reads('rentcast, whose first city has a listing and whose second has none', async () => {
    const none = '{"status":404,"error":"resource/not-found","message":"No data found"}';
    const { taken } = await read('rentcast', () => [
      [/city=Cleveland.*offset=0/, page('rentcast_listings_sale.json')],
      [/./, none, 404],
    ]);
    assert.deepEqual(
      taken.map((row) => pick(row, 'address', 'zip', 'county', 'listPrice', 'yearBuilt', 'marketplace')),
      [['100 Example Ave', '44105', 'Cuyahoga', '289000', 1920, 'ExampleMLS']],
    );
  });

  reads('rentcast, which is asked too often', () =>
    rejects(
      read('rentcast', () => [[/./, page('rentcast_error_429.json'), 429]]),
      'upstream_unavailable',
    ),
  );

  reads('socrata, joined by the bare spelling of a dashed parcel number', async () => {
    const owner = { pin: '07184110250000', owner_address_name: 'EXAMPLE TRUST', prop_address_full: '1 EXAMPLE ST' };
    const { taken } = await read('cook-annual-tax-sale', () => [
      [/3723-97qp/, JSON.stringify([owner])],
      [/./, page('socrata_cook_annual_tax_sale.json')],
    ]);
    assert.deepEqual(pick(taken[0], 'parcelId', 'amount', 'listYear', 'ownerName', 'address'), [
      ...['07-18-411-025-0000', '125.36', 2013, 'EXAMPLE TRUST', '1 EXAMPLE ST'],
    ]);
  });

  reads('socrata, where a column is gone', () =>
    rejects(
      read('cook-annual-tax-sale', () => [[/./, page('socrata_error_400.json'), 400]]),
      'upstream_refused',
      /no-such-column/,
    ),
  );

  reads('arcgis, whose first page says that there are more', async () => {
    const first = JSON.parse(page('arcgis_phl_delinquency_page.json')) as {
      fields: { name: string }[];
      features: { attributes: object }[];
    };
    // The example names only some of its fields; a server returns every requested one.
    const names = Object.keys(first.features[0]?.attributes ?? {});
    const fields = names.map((name) => first.fields.find((field) => field.name === name) ?? { name });
    const { taken } = await read('philadelphia-delinquencies', () => [
      [/FeatureServer\/0\?/, '{"editingInfo":{"lastEditDate":1763791200000}}'],
      [/resultOffset=0/, JSON.stringify({ ...first, fields })],
      [/./, JSON.stringify({ ...first, fields, features: [], exceededTransferLimit: false })],
    ]);
    assert.deepEqual(
      taken.map((row) => pick(row, 'parcelId', 'amount', 'ownerName', 'address', 'yearsOwed')),
      [['041040500', '4041.05', 'EXAMPLE OWNER LLC', '100 EXAMPLE ST', 7]],
    );
  });

  reads('arcgis, whose error comes inside status 200', () =>
    rejects(
      read('philadelphia-delinquencies', () => [[/./, page('arcgis_error_in_200.json')]]),
      'upstream_refused',
    ),
  );

  reads('fixed-width: years of an account added up, and nothing of the account that is paid', async () => {
    const pages: Pages = [[/./, page('dallas_trw_sample.txt')]];
    const { taken, refused } = await read('dallas-tax-roll', () => pages, { document: { path: 'roll.txt' } });
    assert.deepEqual(refused, []);
    assert.deepEqual(
      taken.map((row) => pick(row, 'parcelId', 'amount', 'yearsOwed', 'address', 'city')),
      [['00000100000000001', '6524.00', 2, '100 EXAMPLE AVE', 'Dallas']],
    );
  });

  reads('html-table, CivilView: the list and the page of each sale', async () => {
    const sale = page('civilview_detail.html');
    const { taken } = await read('example-civilview', () => [
      [/SalesSearch/, page('civilview_listing.html')],
      [/SaleDetails\?PropertyId=900000001/, sale],
      [/SaleDetails/, sale.replace('F-26000101', 'F-26000102')],
    ]);
    assert.deepEqual(
      taken.flatMap((row) => pick(row, 'sourceKey')),
      ['F-26000101', 'F-26000102'],
    );
    assert.deepEqual(pick(taken[0], 'saleDate', 'saleStatus', 'plaintiff', 'judgmentAmount', 'address', 'zip'), [
      ...['2026-12-14', 'adjourned', 'Example Bank, N.A.', '145099.02', '100 Example Avenue', '44105'],
    ]);
  });

  reads('html-table, RealAuction: the preview of a day', async () => {
    const box = `<div class="CALBOX CALSELF" dayid="12/14/2026"><span class="CALACT">1</span><span class="CALSCH">1</span></div>`;
    const { taken } = await read('franklin-sheriff-sales', () => [
      [/selCalDate/, '<div class="CALBOX" dayid="12/01/2026"></div>'],
      [/CALENDAR/, box],
      [/PREVIEW/, page('realauction_preview.html')],
      [/FNC=LOAD/, '{"retHTML":"","rlist":""}'],
    ]);
    assert.deepEqual(
      taken.map((row) => pick(row, 'caseNumber', 'saleDate', 'appraisedValue', 'openingBid', 'depositRequirement')),
      [['CV26000001', '2026-12-14', '90000', '60000', '5000']],
    );
  });

  reads('hud-user: a list where rents are by ZIP, an object where they are not', async () => {
    const { taken } = await read(
      'hud-rents',
      () => [
        [/listCounties/, page('hud_list_counties.json')],
        [/data\/39035/, page('hud_fmr_data_metro_safmr.json')],
        [/data\/39049/, page('hud_fmr_data_county_no_safmr.json')],
      ],
      { counties: ['39035', '39049'].map((fips) => ({ fips, state: 'OH' })) },
    );
    assert.deepEqual(
      taken.map((row) => pick(row, 'areaCode', 'fiscalYear', 'rents')),
      [
        ['39035', 2026, [933, 1058, 1279, 1646, 1760]],
        ['44105', 2026, [730, 830, 1000, 1300, 1380]],
        ['39049', 2026, [769, 820, 1076, 1380, 1454]],
      ],
    );
  });
});
