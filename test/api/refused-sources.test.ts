import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceState, Sources } from '../../generated/types.gen.js';
import { readSourceTable } from '../../jobs/source-table.js';
import { startTestApp, type TestApp } from '../support/app.js';

const licence = { class: 'public_record', mayStore: true, mayResell: true, attribution: 'Record of a county' };
const debts = {
  kind: 'arcgis',
  name: 'county-debts',
  baseUrl: 'https://gis.example.com/rest',
  licence,
  county: { fips: '39035', state: 'OH', timeZone: 'America/New_York' },
  delivers: 'signals',
  layer: 'services/x/FeatureServer/0',
  key: ['parcel'],
  columns: { parcelId: 'parcel', ownerName: 'owner', amount: 'due' },
  recordUrl: 'https://county.example.com/{parcel}',
  secret: 'SOURCE_SECRET_COUNTY',
};

describe('a source that is refused before its first reading', () => {
  let app: TestApp;
  let directory: string;
  let aheadMs = 0;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sources-'));
    app = await startTestApp({
      withData: false,
      now: () => new Date(Date.now() + aheadMs),
      environment: { SOURCES_FILE: join(directory, 'sources.json'), CONTACT_URL: 'https://deals.example.com/about' },
    });
  });
  afterEach(async () => {
    await app.stop();
    rmSync(directory, { recursive: true });
  });

  /** As the job of the rents, which has nothing to read here. */
  async function readWith(...sources: readonly unknown[]): Promise<void> {
    writeFileSync(join(directory, 'sources.json'), JSON.stringify({ sources }));
    await app.pipeline.ingest(undefined, { delivers: ['rents'] });
    aheadMs += 60_000;
  }

  const listed = async () => ((await (await fetch(`${app.url}/api/sources`)).json()) as Sources).sources;
  const told = async () => (await readSourceTable(app.database, app.now())).slice(1);

  it('is listed with its current entry, even while it is still refused', async () => {
    await readWith({
      ...debts,
      delivers: 'parcels',
      licence: { ...licence, class: 'demonstration', attribution: 'x' },
    });
    await readWith(debts);
    const [source, ...others] = await listed();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [source?.delivers, source?.licence_class, source?.attribution],
      ['signals', 'public_record', 'Record of a county'],
    );
  });

  it('is listed as failed, with its entry and the problem, to buyers and to the operator', async () => {
    await readWith(debts);
    const [source, ...others] = await listed();
    assert.deepEqual(others, []);
    const expected: Partial<SourceState> = {
      ...{ name: 'county-debts', kind: 'arcgis', delivers: 'signals', licence_class: 'public_record' },
      ...{ attribution: 'Record of a county', status: 'failed', in_force: false, rows: 0, records: 0 },
    };
    for (const [field, value] of Object.entries(expected))
      assert.deepEqual(source?.[field as keyof SourceState], value);
    assert.equal(source?.last_error?.kind, 'misconfigured');
    const problem = 'sources[0].secret: the environment variable SOURCE_SECRET_COUNTY is not set.';
    assert.deepEqual(await told(), [['county-debts', 'arcgis', 'signals', 'refused', '0', '-', problem, '-']]);
  });

  it('is listed with the readable part of an invalid entry, and by its place when it has no name', async () => {
    await readWith({ ...debts, layer: 'misspelt' }, { kind: 'hud-user', name: '' }, 'nothing');
    assert.deepEqual(
      (await listed()).map(({ name, kind, delivers, status, in_force: is }) => [name, kind, delivers, status, is]),
      [
        ['county-debts', 'arcgis', 'signals', 'failed', false],
        ['sources[1]', 'hud-user', 'rents', 'failed', false],
        ['sources[2]', 'unknown', 'listings', 'failed', false],
      ],
    );
  });

  it('is listed when it is a drop folder with any name', async () => {
    mkdirSync(join(app.config.dropDirectory, `deals ${'x'.repeat(200)}`), { recursive: true });
    await readWith();
    const [source] = await listed();
    assert.match(source?.name ?? '', /^deals x+$/);
    assert.deepEqual([source?.kind, source?.delivers, source?.status], ['drop-folder', 'listings', 'failed']);
  });

  it('keeps its first time while it is refused, and takes nothing down, since nothing of it was ever shown', async () => {
    await readWith(debts);
    const at = async () => (await listed())[0]?.last_error?.at;
    const first = (await at()) ?? assert.fail();
    await readWith(debts);
    assert.equal(await at(), first);
    for (const feed of Object.values(app.feeds)) assert.equal(feed.hasTakedowns(), false, feed.name);
  });

  it('is no longer listed when the configuration does not name it', async () => {
    await readWith(debts);
    await readWith();
    assert.deepEqual([await listed(), await told()], [[], []]);
  });

  it('becomes a normal source when the configuration is corrected', async () => {
    await readWith(debts);
    const { secret: _secret, ...open } = debts;
    await readWith(open);
    const [source] = await listed();
    assert.deepEqual([source?.status, source?.in_force, source?.last_error], ['late', true, null]);
  });
});
