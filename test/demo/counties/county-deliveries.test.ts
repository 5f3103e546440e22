import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSales } from '../../../src/demo/counties/create-sales.js';
import { demoCounties } from '../../../src/demo/counties/demo-counties.js';
import { writeDemonstrationData } from '../../../src/demo/data/write-demonstration-data.js';
import { loadDropFolder } from '../../../src/sources/formats/load-drop-folder.js';
import type { DeliveryKind, Source } from '../../../src/sources/source.js';
import { readSource } from '../../sources/read-source.js';

describe('the deliveries of the fictional counties', () => {
  let directory: string;
  before(async () => (directory = await mkdtemp(join(tmpdir(), 'counties-'))));
  after(() => rm(directory, { recursive: true }));

  async function readAll(day: string) {
    await writeDemonstrationData(directory, { day: new Date(`${day}T12:00:00.000Z`) });
    const { sources, refused } = await loadDropFolder(directory, { now: () => new Date(`${day}T12:00:00.000Z`) });
    assert.deepEqual(refused, []);
    const found = new Map<string, Awaited<ReturnType<typeof readSource>>>();
    for (const source of sources.filter(({ delivers }) => delivers !== 'listings')) {
      assert.equal(source.licence.class, 'demonstration');
      found.set(source.name, await readSource<DeliveryKind>(() => source as unknown as Source<DeliveryKind>));
    }
    return found;
  }

  it('have rows of each kind, and some that must be rejected', async () => {
    const all = await readAll('2026-11-22');
    assert.equal(all.size, demoCounties.flatMap(({ delivers }) => delivers).length);
    for (const [name, { taken }] of all) assert.ok(taken.length >= 25, `${name}: ${taken.length}`);
    const reasons = new Set([...all.values()].flatMap(({ refused }) => refused.map(({ reject }) => reject)));
    assert.deepEqual([...reasons].sort(), ['missing_owner', 'not_relevant']);
  });

  it('show each sale with its day and outcome, whatever happened to it', async () => {
    const [hamilton] = demoCounties.filter(({ name }) => name === 'Hamilton');
    const sales = createSales(hamilton ?? assert.fail(), '2026-12-23');
    const read = (await readAll('2026-12-23')).get('demo-oh-hamilton-sheriff-sales')?.taken ?? [];
    assert.deepEqual(
      read.map((row) => ['sourceKey', 'saleDate', 'saleStatus'].map((field) => Reflect.get(row, field) as unknown)),
      sales.map(({ number, saleDate, status }) => [`F-${number}`, saleDate, status]),
    );
    assert.ok(new Set(sales.map(({ status }) => status)).size >= 5);
  });
});
