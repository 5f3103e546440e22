import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listSignals } from '../../generated/sdk.gen.js';
import { startMockServer, type MockServer } from '../sources/upstream/mock-server.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';

/** The mock server answers like an ArcGIS layer. */
const fields = Object.entries({
  objectid: 'esriFieldTypeOID',
  opa_number: 'esriFieldTypeString',
  owner: 'esriFieldTypeString',
  total_due: 'esriFieldTypeDouble',
  street_address: 'esriFieldTypeString',
  zip_code: 'esriFieldTypeString',
  num_years_owed: 'esriFieldTypeInteger',
  payment_agreement: 'esriFieldTypeString',
  bankruptcy: 'esriFieldTypeString',
}).map(([name, type]) => ({ name, type, alias: name }));
const attributes = {
  objectid: 1,
  opa_number: '041040500',
  owner: 'EXAMPLE OWNER LLC',
  total_due: 4041.05,
  street_address: '100 EXAMPLE ST',
  zip_code: '19139',
  num_years_owed: 7,
  payment_agreement: 'false',
  bankruptcy: 'false',
};

describe('a source in the file of sources', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sources-'));
  const file = join(directory, 'sources.json');
  let layer: MockServer;
  let app: TestApp;
  before(async () => {
    layer = await startMockServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      const page = { objectIdFieldName: 'objectid', fields, features: [{ attributes }] };
      const description = { editingInfo: { lastEditDate: 1_763_791_200_000 } };
      response.end(JSON.stringify(request.url?.includes('/query') === true ? page : description));
    });
    const example = JSON.parse(readFileSync('sources.example.json', 'utf8')) as { sources: Record<string, unknown>[] };
    const entry = example.sources.find(({ kind }) => kind === 'arcgis');
    const licence = { ...(entry?.['licence'] as object), class: 'demonstration' };
    const source = { ...entry, enabled: true, baseUrl: layer.url, allowPrivate: true, licence };
    writeFileSync(file, JSON.stringify({ sources: [source] }));
    app = await startTestApp({
      withData: false,
      settler: createInstantSettler(),
      environment: { SOURCES_FILE: file, CONTACT_URL: 'https://deals.example/about' },
    });
  });
  after(async () => {
    await app.stop();
    await layer.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is read over HTTP, published, and sold', async () => {
    const [report] = await app.pipeline.ingest();
    assert.deepEqual([report?.status, report?.accepted], ['completed', 1]);
    await app.pipeline.publish('day');
    const client = createApiClient(app.url);
    const { data } = await purchase((headers) => listSignals({ client, headers }));
    const [signal] = data?.signals ?? [];
    assert.equal(signal?.amount, '4041.05');
    assert.equal(signal?.parcel_id, '041040500');
    assert.equal(signal?.address, '100 EXAMPLE ST');
    assert.equal(signal?.has_address, true);
    assert.equal(signal?.source_url, 'https://property.phila.gov/?p=041040500');
  });

  it('stays in force when the file is unreadable, and the problem is reported', async () => {
    writeFileSync(file, '{');
    const [report] = await app.pipeline.ingest();
    assert.deepEqual([report?.source, report?.status], ['SOURCES_FILE', 'refused']);
    assert.match(report?.problem ?? '', /sources\.json/);
    await app.pipeline.publish('day');
    assert.equal(app.feeds.signals.current().records.length, 1);
  });

  it('stays for sale when it is removed from the file, until an operator removes it', async () => {
    writeFileSync(file, JSON.stringify({ sources: [] }));
    await app.pipeline.ingest();
    await app.pipeline.publish('day');
    assert.equal(app.feeds.signals.current().records.length, 1);
    const [{ name }] = (await app.database.knex('sources').select('name')) as [{ name: string }];
    await app.pipeline.setSourceRemoved(name, true);
    await app.pipeline.publish('day');
    assert.equal(app.feeds.signals.current().records.length, 0);
  });
});
