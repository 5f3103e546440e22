import assert from 'node:assert/strict';
import { layerAt, row, startArcgis } from './mock-arcgis.js';
import { readSource } from '../read-source.js';
import { rejects, type MockServer } from '../upstream/mock-server.js';

const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => row(index + 1));

describe('the count of an ArcGIS layer', () => {
  let mockServer: MockServer | undefined;
  afterEach(() => mockServer?.close());

  async function start(...layer: Parameters<typeof startArcgis>) {
    const arcgis = await startArcgis(...layer);
    mockServer = arcgis;
    return arcgis;
  }
  const keysOf = async (url: string) => {
    const { taken, pages } = await readSource(layerAt(url));
    return { keys: new Set(taken.map(({ sourceKey }) => sourceKey)), pages };
  };

  it('gets all of 1,200 rows from a layer that returns at most 500 at once', async () => {
    const { url, seen } = await start(rowsOf(1_200), 500);
    const { keys, pages } = await keysOf(url);
    assert.deepEqual([keys.size, pages.length], [1_200, 3]);
    const counted = seen.find((line) => line.includes('returnCountOnly')) ?? '';
    assert.equal(new URL(counted.slice(4), url).searchParams.get('where'), 'total_due > 0');
    assert.equal(pages[0]?.problem, undefined);
  });

  it('goes on behind a short page without the flag, and ends with the flag set for ever', async () => {
    const short = await start(rowsOf(5), 3);
    short.state.short = 2;
    assert.equal((await keysOf(short.url)).keys.size, 5);
    await mockServer?.close();
    const flagged = await start(rowsOf(4), 2);
    flagged.state.flagsAll = true;
    const { keys, pages } = await keysOf(flagged.url);
    assert.deepEqual([keys.size, pages.length], [4, 2]);
  });

  it('asks once more for an empty page, then fails with both numbers', async () => {
    const { url, state, seen } = await start(rowsOf(3), 2);
    state.count = () => 5;
    await rejects(readSource(layerAt(url)), 'count_mismatch', /Only 3 of the 5 rows/);
    assert.equal(seen.filter((line) => line.includes('resultOffset=3')).length, 2);
  });

  it('counts a repeated row once', async () => {
    const { url } = await start([row(1), row(2), row(2), row(3)], 2);
    await rejects(readSource(layerAt(url)), 'count_mismatch', /Only 3 of the 4 rows/);
  });

  it('counts the rows of a page in no order by their ids', async () => {
    const { url } = await start([row(7), row(3), row(5), row(1)], 2);
    assert.equal((await keysOf(url)).keys.size, 4);
  });

  it('is not verified where the service does not count, and the operator is told', async () => {
    const { url, state } = await start(rowsOf(3), 2);
    state.count = undefined;
    const { keys, pages } = await keysOf(url);
    assert.equal(keys.size, 3);
    assert.match(pages[0]?.problem ?? '', /^count_unverified/);
  });
});
