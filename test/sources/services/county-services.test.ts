import assert from 'node:assert/strict';
import { valueOf } from '../../../src/absence.js';
import type { ObservedSignal } from '../../../src/counties/signals/signal.js';
import { createSales } from '../../../src/demo/counties/create-sales.js';
import { demoCounties } from '../../../src/demo/counties/demo-counties.js';
import type { AnySource } from '../../../src/sources/registry/create-source.js';
import type { DeliveryKind, Source } from '../../../src/sources/source.js';
import { readSource } from '../read-source.js';
import { createTestClock, createTestUpstream } from '../upstream/mock-server.js';
import { type RunningServices, serveServices } from './serve-services.js';

const morning = '2026-11-22T12:00:00.000Z';

describe('the records of counties over HTTP', () => {
  const clock = createTestClock(morning);
  let services: RunningServices;
  let sources: readonly AnySource[];

  before(async () => {
    services = await serveServices(clock.now);
    const loaded = await services.load(createTestUpstream(clock));
    sources = loaded.filter(({ delivers }) => !['listings', 'rents'].includes(delivers));
  });
  after(() => services.close());

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

  it('come in every wire format and of every kind', () => {
    const kinds = new Set(sources.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), ['arcgis', 'fixed-width', 'html-table', 'socrata']);
    const delivered = new Set(sources.map(({ delivers }) => delivers));
    assert.deepEqual([...delivered].sort(), ['auctions', 'parcels', 'signals']);
  });

  it('are read whole from each service, except for rows that must be rejected', async () => {
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

  it('have house numbers in the tax roll of Dallas, including ranges', async () => {
    const roll = (await read(morning)).get('dallas-tax-roll')?.taken ?? [];
    const addresses = roll.flatMap((row) => valueOf((row as ObservedSignal).address) ?? []);
    assert.ok(addresses.some((address) => /^\d{4}-\d\d /.test(address)));
    for (const address of addresses) assert.match(address, /^\d+(-\d\d| \d\/\d)? [A-Z0-9]/i);
  });

  it('have each sale of CivilView with its outcome, under a key that is stable from day to day', async () => {
    const hamilton = demoCounties.find(({ name }) => name === 'Hamilton') ?? assert.fail();
    for (const day of ['2026-12-23', '2026-12-31']) {
      const found = (await read(`${day}T12:00:00.000Z`)).get('hamilton-sales')?.taken ?? [];
      assert.deepEqual(
        found.map((row) => [Reflect.get(row, 'sourceKey'), Reflect.get(row, 'saleStatus')]),
        createSales(hamilton, day).map(({ number, status }) => [`F-${number}`, status]),
      );
    }
  });
});
