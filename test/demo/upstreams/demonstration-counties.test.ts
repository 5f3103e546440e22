import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Auction, Deal, Signal } from '../../../generated/types.gen.js';
import { valueOf } from '../../../src/absence.js';
import { concatBytes } from '../../../src/contract/rendered.js';
import { createSales } from '../../../src/demo/counties/create-sales.js';
import { demoCounties } from '../../../src/demo/counties/demo-counties.js';
import { serveDemonstration } from '../../../src/demo/upstreams/serve-demonstration.js';
import { demonstrationSourcesFile, writeDemonstrationSources } from '../../../src/demo/upstreams/demo-upstreams.js';
import type { AnySource } from '../../../src/sources/registry/create-source.js';
import { loadSources } from '../../../src/sources/registry/load-sources.js';
import type { ObservedSignal } from '../../../src/counties/signals/signal.js';
import type { DeliveryKind, Source } from '../../../src/sources/source.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { readSource } from '../../sources/read-source.js';
import { createTestClock, createTestUpstream, rejects, request } from '../../sources/upstream/mock-server.js';

const morning = '2026-11-22T12:00:00.000Z';

describe('the fictional counties of the demonstration', () => {
  const clock = createTestClock(morning);
  const directory = mkdtempSync(join(tmpdir(), 'counties-'));
  const counties = serveDemonstration(directory, clock.now);
  const upstream = createTestUpstream(clock, { send: counties.send });
  let sources: readonly AnySource[];

  before(async () => {
    await writeDemonstrationSources(directory, new Date(morning));
    const loaded = await loadSources(join(directory, demonstrationSourcesFile), {
      upstream,
      now: clock.now,
      readSecret: counties.readSecret,
    });
    assert.deepEqual(loaded.refused, []);
    sources = loaded.sources.filter(({ delivers }) => !['listings', 'rents'].includes(delivers));
  });
  after(async () => {
    await counties.close();
    rmSync(directory, { recursive: true });
  });

  const read = async (instant: string) => {
    clock.set(instant);
    const found = new Map<string, Awaited<ReturnType<typeof readSource>>>();
    for (const source of sources) {
      found.set(source.name, await readSource<DeliveryKind>(() => source as unknown as Source<DeliveryKind>));
    }
    return found;
  };
  const keysOf = (read: Map<string, { readonly taken: readonly object[] }>, key: string) =>
    new Set(
      [...read.values()].flatMap(({ taken }) => taken.flatMap((row) => (key in row ? [Reflect.get(row, key)] : []))),
    );

  const rowsOf = (read: Map<string, { readonly taken: readonly object[] }>) =>
    [...read].map(([name, { taken }]) => [name, taken]);

  it('give the tax roll of Dallas valid house numbers, including ranges', async () => {
    const roll = [...(await read(morning))].find(([name]) => name.includes('dallas'))?.[1].taken ?? [];
    const addresses = roll.flatMap((row) => valueOf((row as ObservedSignal).address) ?? []);
    assert.ok(
      addresses.some((address) => /^\d{4}-\d\d /.test(address)),
      'ranges',
    );
    for (const address of addresses) assert.match(address, /^\d+(-\d\d| \d\/\d)? [A-Z0-9]/i);
  });

  it('cover every wire format of county records, and mark every source as demonstration', () => {
    assert.deepEqual([...new Set(sources.map(({ kind }) => kind))].sort(), [
      'arcgis',
      'fixed-width',
      'html-table',
      'socrata',
    ]);
    assert.deepEqual([...new Set(sources.map(({ delivers }) => delivers))].sort(), ['auctions', 'parcels', 'signals']);
    assert.ok(sources.every(({ licence }) => licence.class === 'demonstration'));
  });

  it('give each source rows, and some that must be rejected', async () => {
    const all = await read(morning);
    for (const [name, { taken }] of all) assert.ok(taken.length >= 25, `${name}: ${taken.length}`);
    const reasons = new Set([...all.values()].flatMap(({ refused }) => refused.map(({ reject }) => reject)));
    assert.deepEqual([...reasons].sort(), ['missing_owner', 'not_relevant', 'row_unreadable']);
  });

  it('are the same at every reading of a day, and differ a month later', async () => {
    const first = await read(morning);
    const again = await read(morning);
    assert.deepEqual(rowsOf(again), rowsOf(first));
    const later = await read('2026-12-22T12:00:00.000Z');
    const [before, after] = [keysOf(first, 'parcelId'), keysOf(later, 'parcelId')];
    assert.ok([...before].some((parcel) => !after.has(parcel)));
    assert.ok([...after].some((parcel) => !before.has(parcel)));
    assert.ok(keysOf(later, 'saleStatus').has('sold'));
  });

  it('show each sale on CivilView with its outcome, under a key that is stable from day to day', async () => {
    const hamilton = demoCounties.find(({ name }) => name === 'Hamilton') ?? assert.fail();
    for (const day of ['2026-12-23', '2026-12-31']) {
      const found = (await read(`${day}T12:00:00.000Z`)).get('demo-oh-hamilton-sheriff-sales')?.taken ?? [];
      assert.deepEqual(
        found.map((row) => [Reflect.get(row, 'sourceKey'), Reflect.get(row, 'saleStatus')]),
        createSales(hamilton, day).map(({ number, status }) => [`F-${number}`, status]),
      );
    }
  });

  it('use the time of the demonstration, not that of this machine', async () => {
    clock.set(morning);
    const { headers } = await upstream.get(request('https://reso.demo-lakes.example/robots.txt'));
    assert.equal(headers.date, new Date(morning).toUTCString());
  });

  it('are reachable only by their own names, and proxy to no other host', async () => {
    await rejects(upstream.get(request('https://example.com/')), 'address_forbidden');
    await rejects(upstream.get(request('http://127.0.0.1/')), 'address_forbidden');
  });
});

describe('the county records of a demonstration', () => {
  let app: TestApp;
  let deals: readonly Deal[];
  let auctions: readonly Auction[];
  before(async () => {
    app = await startTestApp({ withData: false });
    await app.deliver(app.now());
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    const all = { filter: {}, limit: 10_000 };
    deals = parse<Deal>((await app.feeds.deals.page('full', all)).body);
    auctions = parse<Auction>((await app.feeds.auctions.page('full', all)).body);
  });
  after(() => app.stop());
  const parse = <T>(body: Parameters<typeof concatBytes>[0]) =>
    JSON.parse(Buffer.from(concatBytes(body)).toString('utf8')) as readonly T[];

  it('match deals for sale with unpaid taxes and with sheriff sales', () => {
    for (const code of ['tax_delinquent_match', 'sheriff_sale_match'])
      assert.ok(
        deals.filter((deal) => deal.motivation_signals.some((signal) => signal.code === code)).length >= 10,
        code,
      );
  });

  it('include upcoming sheriff sales with a street address, an appraisal and an opening bid', () => {
    const complete = auctions.filter(
      (sale) => sale.property_address !== null && sale.appraised_value !== null && sale.opening_bid !== null,
    );
    assert.ok(complete.length >= 40, `${complete.length}`);
    assert.ok(auctions.every((sale) => sale.provenance.data_class === 'demonstration'));
  });

  it('state why a signal has no street address', async () => {
    const { body } = await app.feeds.signals.page('full', { filter: {}, limit: 10_000 });
    const statuses = new Set(parse<Signal>(body).map((signal) => signal.address_status));
    for (const status of ['complete', 'pending_parcel_lookup', 'parcel_lookup_failed', 'no_situs_address'] as const)
      assert.ok(statuses.has(status), status);
  });
});
