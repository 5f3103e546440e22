import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProjectFile } from '../../../src/project-file.js';
import type { SourcePorts } from '../../../src/sources/registry/create-source.js';
import { loadSources } from '../../../src/sources/registry/load-sources.js';
import { deliveredBy, sourceEntrySchema } from '../../../src/sources/registry/source-entry.js';
import { createTestClock, createTestUpstream, rejects, startMockServer } from '../upstream/mock-server.js';
import type { DeliveryKind, Source } from '../../../src/sources/source.js';
import { readSource } from '../read-source.js';

type Entry = Record<string, unknown>;

const licence = { class: 'public_record', mayStore: true, mayResell: true, attribution: 'Example County' };
const county = { fips: '39035', state: 'OH' };
const sales: Entry = {
  kind: 'html-table',
  name: 'example-sales',
  baseUrl: 'https://sales.example.com/',
  licence,
  county,
  site: 'civilview',
  countyId: '2',
};
const delinquencies: Entry = {
  kind: 'arcgis',
  name: 'example-delinquencies',
  baseUrl: 'https://gis.example.com/rest',
  licence,
  county,
  delivers: 'signals',
  layer: 'services/x/FeatureServer/0',
  key: ['parcel'],
  columns: { parcelId: 'parcel', ownerName: 'owner', amount: 'due' },
  recordUrl: 'https://county.example.com/{parcel}',
};
const rentcast: Entry = {
  kind: 'rentcast',
  name: 'rentcast',
  secret: 'SOURCE_SECRET_RENTCAST',
  licence: { ...licence, class: 'licensed', expiresAt: '2027-06-30' },
  places: [{ city: 'Cleveland', state: 'OH' }],
};

const reso: Entry = {
  kind: 'reso-odata',
  name: 'example-mls',
  baseUrl: 'https://reso.example',
  marketplace: 'Example MLS',
  secret: 'SOURCE_SECRET_RENTCAST',
  licence,
};

describe('loadSources', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sources-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const clock = createTestClock();
  const ports: SourcePorts = {
    upstream: createTestUpstream(clock),
    now: clock.now,
    readSecret: (name) => (name === 'SOURCE_SECRET_RENTCAST' ? 'the-key' : undefined),
  };
  const loadText = async (text: string) => {
    const file = join(directory, 'sources.json');
    await writeFile(file, text);
    return loadSources(file, ports);
  };
  const load = (...sources: unknown[]) => loadText(JSON.stringify({ comment: 'for readers', sources }));
  const problemOf = async (entry: Entry) => {
    const { sources, refused } = await load(entry);
    assert.deepEqual(sources, []);
    return refused[0]?.problem ?? assert.fail('the entry was taken');
  };

  it('creates a source of each entry, with its licence', async () => {
    const { sources, refused } = await load(sales, delinquencies, rentcast);
    assert.deepEqual(refused, []);
    assert.deepEqual(
      sources.map(({ name, kind, delivers }) => [name, kind, delivers]),
      [
        ['example-sales', 'html-table', 'auctions'],
        ['example-delinquencies', 'arcgis', 'signals'],
        ['rentcast', 'rentcast', 'listings'],
      ],
    );
    assert.deepEqual(sources[2]?.licence, {
      class: 'licensed',
      mayStore: true,
      mayResell: true,
      attribution: 'Example County',
      undisplayedFields: [],
      expiresAt: new Date('2027-06-30T00:00:00.000Z'),
    });
  });

  it('reports the rights in entries that are disabled or otherwise invalid', async () => {
    const denied = { ...licence, mayResell: false };
    const { sources, stated } = await load(
      { ...sales, enabled: false, licence: denied },
      { ...delinquencies, licence: { ...denied, expiresAt: 'soon' } },
      rentcast,
    );
    assert.deepEqual(
      sources.map(({ name }) => name),
      ['rentcast'],
    );
    assert.deepEqual(
      stated.map(({ source, mayStore, mayResell, expiresAt }) => [source, mayStore, mayResell, expiresAt]),
      [
        ['example-sales', true, false, undefined],
        ['example-delinquencies', true, false, undefined],
      ],
    );
  });

  it("omits fields outside a licence's display list, if it has one", async () => {
    const shown = { ...licence, displayFields: ['address', 'city', 'zip', 'openingBid', 'appraisedValue'] };
    const { sources, refused } = await load(
      { ...sales, licence: shown },
      { ...delinquencies, licence: { ...licence, displayFields: [] } },
    );
    assert.deepEqual(refused, []);
    assert.deepEqual(sources[0]?.licence.undisplayedFields, [
      ...[
        'parcelId',
        'judgmentAmount',
        'depositRequirement',
        'plaintiff',
        'defendant',
        'attorney',
        'caseNumber',
        'caseStatus',
      ],
    ]);
    assert.deepEqual(sources[1]?.licence.undisplayedFields, [
      ...['address', 'city', 'zip', 'yearsOwed', 'taxSaleDate', 'assessedValue', 'sourcePublishedAt', 'listYear'],
    ]);
  });

  it('reads the published example, with every kind of source in it, each with the right delivery kind', async () => {
    const text = await readFile(findProjectFile('sources.example.json'), 'utf8');
    assert.deepEqual((await loadText(text)).sources, [], 'the example starts nothing by itself');
    const file = JSON.parse(text) as { sources: Entry[] };
    const all = { ...ports, readSecret: () => 'any' };
    const entries = file.sources.map((entry) => ({ ...entry, enabled: true }));
    await writeFile(join(directory, 'all.json'), JSON.stringify({ sources: entries }));
    const { sources, refused } = await loadSources(join(directory, 'all.json'), all);
    assert.deepEqual(refused, []);
    assert.deepEqual(
      entries.map((entry) => deliveredBy(sourceEntrySchema.parse(entry))),
      sources.map(({ delivers }) => delivers),
    );
    assert.deepEqual(
      [...new Set(sources.map(({ kind }) => kind))],
      [...['reso-odata', 'rentcast', 'socrata', 'arcgis', 'fixed-width', 'html-table', 'hud-user']],
    );
  });

  it('rejects an invalid entry by its place in the file and reads the others', async () => {
    const { sources, refused } = await load({ ...sales, county: { ...county, fips: '48113' } }, delinquencies);
    assert.equal(sources.length, 1);
    assert.deepEqual(
      refused.map(({ source, problem }) => [source, problem]),
      [['example-sales', 'sources[0].county.fips: must lie in the state that is given']],
    );
  });

  it('describes a rejected entry as far as it is readable, and gives it no unread right', async () => {
    const { refused } = await load({ ...rentcast, secret: 'SOURCE_SECRET_OTHER' }, { ...sales, countyID: '2' }, 'text');
    assert.deepEqual(
      refused.map(({ outline: { kind, delivers, licence } }) => [kind, delivers, licence.class, licence.mayResell]),
      [
        ['rentcast', 'listings', 'licensed', true],
        ['html-table', 'auctions', 'licensed', false],
        ['unknown', 'listings', 'licensed', false],
      ],
    );
  });

  it('does not start a source without a licence', async () => {
    const { licence: _licence, ...unlicensed } = sales;
    assert.match(await problemOf(unlicensed), /^sources\[0\]\.licence: /);
    assert.match(await problemOf({ ...sales, licence: { ...licence, attribution: ' ' } }), /licence\.attribution/);
  });

  for (const [what, entry, expected] of [
    ['an unknown kind', { ...sales, kind: 'zillow' }, /sources\[0\]\.kind/],
    ['a misspelt word', { ...sales, countyID: '2' }, /countyID/],
    ['an address that is not https', { ...sales, baseUrl: 'http://sales.example.com' }, /baseUrl: must be https/],
    ['an address with a user', { ...sales, baseUrl: 'https://me:pw@sales.example.com' }, /^(?!.*pw).*baseUrl/],
    ['a marketplace that forbids it', { ...sales, baseUrl: 'https://www.loopnet.com' }, /terms forbid/],
    ['a key in the file', { ...rentcast, secret: 'sk-live-123' }, /^(?!.*sk-live).*SOURCE_SECRET_/],
    ['a key that is not set', { ...rentcast, secret: 'SOURCE_SECRET_OTHER' }, /SOURCE_SECRET_OTHER is not set/],
    ['no key where one is needed', { ...rentcast, secret: undefined }, /secret/],
    ['a time zone that is none', { ...sales, county: { ...county, timeZone: 'Ohio' } }, /county\.timeZone/],
    [
      "a time zone that is not the county's",
      { ...sales, county: { fips: '46103', state: 'SD', timeZone: 'America/Chicago' } },
      /county\.timeZone: must be America\/Denver, the county's own, or left out/,
    ],
    ['signals without an owner', { ...delinquencies, columns: { parcelId: 'p', amount: 'a' } }, /columns\.ownerName/],
    ['a table without a parcel', { ...delinquencies, columns: { ownerName: 'o', amount: 'a' } }, /columns/],
    ['a field that is not known', { ...delinquencies, columns: { parcelId: 'p', phone: 'tel' } }, /columns/],
    ['CivilView without a county', { ...sales, countyId: undefined }, /countyId/],
    [
      'a field to show that no signal has',
      { ...delinquencies, licence: { ...licence, displayFields: ['owner'] } },
      /must be among: sourceKey, .*, address/,
    ],
    [
      'fields to show of a roll, which has no records of its own',
      { ...delinquencies, delivers: 'parcels', licence: { ...licence, displayFields: [] } },
      /licence\.displayFields: must not be given/,
    ],
    ['HUD without counties and file', { kind: 'hud-user', name: 'hud', licence }, /counties/],
    ['a file of HUD without its year', { kind: 'hud-user', name: 'hud', licence, file: 'x.csv' }, /fiscalYear/],
  ] as const) {
    it(`rejects ${what}`, async () => assert.match(await problemOf(entry), expected));
  }

  it("accepts any name of the county's time zone", async () => {
    for (const timeZone of ['America/Detroit', 'America/New_York', 'US/Eastern', undefined]) {
      const { refused } = await load({ ...sales, county: { fips: '26163', state: 'MI', timeZone } });
      assert.deepEqual(refused, [], timeZone);
    }
  });

  it('rejects a value that is no entry, and the second of two with one name', async () => {
    const { sources, refused } = await load('text', sales, { ...delinquencies, name: 'example-sales' });
    assert.equal(sources.length, 1);
    assert.deepEqual(
      refused.map(({ source }) => source),
      ['sources[0]', 'example-sales'],
    );
  });

  it('fails on a file that is missing, is not JSON, or is something else', async () => {
    await rejects(loadSources(join(directory, 'none.json'), ports), 'configuration_invalid', /not there/);
    await rejects(loadText('{ // comment\n}'), 'configuration_invalid', /not JSON/);
    await rejects(loadText('{"source": []}'), 'configuration_invalid', /sources/);
  });

  it('distinguishes configurations by what is read, not by limits of time and frequency', async () => {
    const configurationOf = async (changes: Entry) => {
      const { sources } = await load({ ...reso, ...changes });
      return sources[0]?.configuration ?? assert.fail('the entry was refused');
    };
    const usual = await configurationOf({});
    const longer = { ...licence, expiresAt: '2028-06-30' };
    for (const same of [{ licence: longer }, { requestsPerMinute: 5 }, { comment: 'slower' }])
      assert.equal(await configurationOf(same), usual, JSON.stringify(same));
    for (const other of [
      { filter: "PropertyType eq 'Land'" },
      { baseUrl: 'https://other.example' },
      { hasCanView: false },
      { licence: { ...licence, displayFields: ['address'] } },
    ])
      assert.notEqual(await configurationOf(other), usual, JSON.stringify(other));
  });

  it('rejects a filter of listings by which sold or retired ones would never arrive', async () => {
    for (const filter of ["StandardStatus eq 'Active'", '(mlgcanview eq true) and ListPrice gt 1'])
      assert.match(await problemOf({ ...reso, filter }), /filter: must not name StandardStatus or MlgCanView/);
  });

  it('passes address, key, county and adjacent files of its entry to a source', async () => {
    const mockServer = await startMockServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(request.headers['x-api-key'] === 'the-key' ? '[]' : '{}');
    });
    await writeFile(
      join(directory, 'figures.csv'),
      'fips,fmr_0,fmr_1,fmr_2,fmr_3,fmr_4\n3903599999,933,1058,1279,1646,1760\n',
    );
    const { sources, refused } = await load(
      { ...rentcast, baseUrl: mockServer.url, allowPrivate: true },
      { kind: 'hud-user', name: 'hud', licence, file: 'figures.csv', fiscalYear: 2026 },
    );
    assert.deepEqual(refused, []);
    const read = await Promise.all(sources.map((source) => readSource(() => source as Source<DeliveryKind>)));
    assert.deepEqual(
      read.map(({ pages }) => pages.flatMap(({ rows }) => rows.map(({ key }) => key))),
      [[], ['county:39035:2026']],
    );
    await mockServer.close();
  });
});
