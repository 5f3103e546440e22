import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../../generated/client/index.js';
import { listSources } from '../../generated/sdk.gen.js';
import { getMeta } from '../support/full-deals.js';
import type { Signal, SourceState } from '../../generated/types.gen.js';
import { concatBytes } from '../../src/contract/rendered.js';
import { readSourceTable } from '../../jobs/source-table.js';
import { nextRunOf } from '../../jobs/timetable.js';
import { startMockServer, type MockServer } from '../sources/upstream/mock-server.js';
import { createApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';

const columns = {
  objectid: 'esriFieldTypeOID',
  opa_number: 'esriFieldTypeString',
  owner: 'esriFieldTypeString',
  total_due: 'esriFieldTypeDouble',
  street_address: 'esriFieldTypeString',
  zip_code: 'esriFieldTypeString',
  num_years_owed: 'esriFieldTypeInteger',
  payment_agreement: 'esriFieldTypeString',
  bankruptcy: 'esriFieldTypeString',
};
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
const hourMs = 3_600_000;
const minuteMs = 60_000;

describe('a source whose server fails and recovers', () => {
  const directory = mkdtempSync(join(tmpdir(), 'recovery-'));
  let now = new Date('2026-11-22T05:00:00.000Z');
  let works = true;
  let layer: MockServer;
  const file = join(directory, 'sources.json');
  /** Writes the file of sources, with these members of its one entry changed. */
  let configure: (changes: object) => void;
  let app: TestApp;
  let client: Client;

  before(async () => {
    layer = await startMockServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      const error = { code: 400, message: 'Unable to complete operation.', details: [] };
      const fields = Object.entries(columns).map(([name, type]) => ({ name, type, alias: name }));
      const page = { fields, features: [{ attributes }] };
      const description = { editingInfo: { lastEditDate: 1_763_791_200_000 } };
      const answer = request.url?.includes('/query') === true ? page : description;
      response.end(JSON.stringify(works ? answer : { error }));
    });
    const example = JSON.parse(readFileSync('sources.example.json', 'utf8')) as { sources: Record<string, unknown>[] };
    const entry = example.sources.find(({ kind }) => kind === 'arcgis');
    const licence = { ...(entry?.['licence'] as object), class: 'demonstration' };
    const source = { ...entry, name: 'county', enabled: true, baseUrl: layer.url, allowPrivate: true, licence };
    configure = (changes) => writeFileSync(file, JSON.stringify({ sources: [{ ...source, ...changes }] }));
    configure({});
    app = await startTestApp({
      withData: false,
      now: () => now,
      nextRunOf,
      environment: { SOURCES_FILE: file, CONTACT_URL: 'https://deals.example/about' },
    });
    client = createApiClient(app.url);
  });
  after(async () => {
    await app.stop();
    await layer.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** One night's work, and the state of the source after it. */
  async function run(at: string): Promise<SourceState> {
    now = new Date(at);
    await app.pipeline.ingest(undefined, { delivers: ['signals'] });
    await app.pipeline.publish('all');
    return state();
  }

  async function state(): Promise<SourceState> {
    const { data } = await listSources({ client });
    return data?.sources[0] ?? assert.fail('No source is told of.');
  }

  /** When the sold record was last seen, according to itself. */
  async function lastSeen(): Promise<string | undefined> {
    const { body } = await app.feeds.signals.page('full', { filter: {}, limit: 10 });
    return (JSON.parse(Buffer.from(concatBytes(body)).toString('utf8')) as Signal[])[0]?.last_seen;
  }

  it('is fresh after a reading, with its counts and its next reading', async () => {
    const { absent, attribution: _, last_import: imported, ...read } = await run('2026-11-22T05:00:00.000Z');
    assert.deepEqual(imported?.rows, { accepted: 1, refused: {} });
    assert.deepEqual(read, {
      name: 'county',
      kind: 'arcgis',
      delivers: 'signals',
      licence_class: 'demonstration',
      in_force: true,
      status: 'fresh',
      promised_every_hours: 24,
      rows: 1,
      records: 1,
      last_success: '2026-11-22T05:00:00.000Z',
      last_error: null,
      next_run: '2026-11-23T03:30:00.000Z',
    });
    assert.deepEqual(absent, { last_error: { reason: 'not_yet_observed' } });
  });

  it('is late when it was not read within the promised time', async () => {
    now = new Date(Date.parse('2026-11-22T05:00:00.000Z') + 26 * hourMs);
    assert.equal((await state()).status, 'fresh');
    const { response } = await getMeta({ client });
    const headers = { 'If-None-Match': response.headers.get('ETag') ?? assert.fail() };
    assert.equal((await getMeta({ client, headers })).response.status, 304);
    now = new Date(now.getTime() + minuteMs);
    assert.equal((await state()).status, 'late');
    const later = await getMeta({ client, headers });
    assert.equal(later.response.status, 200);
    const absent = {};
    assert.deepEqual(later.data?.sources.behind, [
      { name: 'county', delivers: 'signals', status: 'late', last_success: '2026-11-22T05:00:00.000Z', absent },
    ]);
  });

  it('has failed when it is unreadable: its records stay for sale at their age', async () => {
    works = false;
    const failed = await run('2026-11-23T05:00:00.000Z');
    assert.deepEqual([failed.status, failed.records, failed.last_success], ['failed', 1, '2026-11-22T05:00:00.000Z']);
    assert.equal(failed.last_error?.at, '2026-11-23T05:00:00.000Z');
    assert.equal(failed.last_error?.kind, 'refused');
    assert.equal(await lastSeen(), '2026-11-22T05:00:00.000Z');
    const { data: meta } = await getMeta({ client });
    assert.equal(meta?.signals_feed.coverage.freshest, '2026-11-22T05:00:00.000Z');
    assert.equal(meta.signals_feed.coverage.total_signals, 1);
    assert.deepEqual(
      meta.sources.behind.map(({ name, status, last_success: success }) => [name, status, success]),
      [['county', 'failed', '2026-11-22T05:00:00.000Z']],
    );
  });

  it('is fresh again with the next run, and keeps the last problem', async () => {
    works = true;
    const recovered = await run('2026-11-24T05:00:00.000Z');
    assert.deepEqual([recovered.status, recovered.last_success], ['fresh', '2026-11-24T05:00:00.000Z']);
    assert.equal(recovered.last_error?.at, '2026-11-23T05:00:00.000Z');
    assert.equal(await lastSeen(), '2026-11-24T05:00:00.000Z');
    const { data: meta } = await getMeta({ client });
    assert.deepEqual([meta?.sources.configured, meta?.sources.behind], [1, []]);
  });

  it('is reported as misconfigured and unseen, and its records stay for sale, while its entry is invalid', async () => {
    configure({ layer: 7 });
    const { status, in_force, last_error: error, unseen_since: unseenSince } = await run('2026-11-25T05:00:00.000Z');
    assert.deepEqual([status, in_force, unseenSince], ['failed', true, '2026-11-25T05:00:00.000Z']);
    assert.deepEqual([error?.kind, error?.at], ['misconfigured', '2026-11-25T05:00:00.000Z']);
    assert.equal(app.feeds.signals.current().records.length, 1);
    const { data: meta } = await getMeta({ client });
    assert.deepEqual([meta?.sources.configured, meta?.sources.behind[0]?.status], [1, 'failed']);
    const again = await run('2026-11-26T05:00:00.000Z');
    assert.equal(again.last_error?.at, '2026-11-25T05:00:00.000Z');
    const rows = await readSourceTable(app.database, now);
    assert.deepEqual([rows[1]?.[3], /sources\[0\]\.layer/.test(rows[1]?.[6] ?? '')], ['refused', true]);
  });

  it('is seen again with the first run after its entry is corrected', async () => {
    configure({});
    const { status, in_force, records, unseen_since: unseenSince } = await run('2026-11-27T05:00:00.000Z');
    assert.deepEqual([status, in_force, records, unseenSince], ['fresh', true, 1, undefined]);
    assert.equal(app.feeds.signals.current().records.length, 1);
  });
});
