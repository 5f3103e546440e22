import assert from 'node:assert/strict';
import { judgeFreshness } from '../../src/sources/judge-freshness.js';
import { readStandings } from '../../src/sources/standings-reader.js';
import { openChangingExchange } from './ingest/changing-exchange.js';
import { clock, observeMany } from './ingest/scripted-source.js';

describe('the state of a source that reports its changes', () => {
  let exchange: Awaited<ReturnType<typeof openChangingExchange>>;
  beforeEach(async () => void (exchange = await openChangingExchange(12)));
  afterEach(() => exchange.database.close());

  const standing = async () => {
    const [only] = await readStandings(exchange.database.knex);
    assert.ok(only);
    return { rows: only.rows, lastSuccessAt: only.lastSuccessAt, status: judgeFreshness(only, clock.now) };
  };

  it('has the rows of the last complete reading, not those of a run of changes', async () => {
    const at = clock.now;
    assert.deepEqual(await standing(), { rows: 12, lastSuccessAt: at, status: 'fresh' });
    await exchange.read(1, { pages: [observeMany(1)], watermark: 'w1' });
    assert.deepEqual(await standing(), { rows: 12, lastSuccessAt: clock.now, status: 'fresh' });
  });

  it("stays failed after a run from an operator's watermark, which misses earlier changes", async () => {
    const at = clock.now;
    exchange.source.onFetch = async () => Promise.reject(new Error('broken off'));
    await exchange.read(1, { pages: [[]], watermark: 'w1' });
    exchange.source.onFetch = async () => {};
    await exchange.read(2, { pages: [[]], watermark: 'w2' }, 'w1');
    assert.deepEqual(await standing(), { rows: 12, lastSuccessAt: at, status: 'failed' });
    await exchange.read(3, { pages: [[]], watermark: 'w3' });
    assert.deepEqual(await standing(), { rows: 12, lastSuccessAt: clock.now, status: 'fresh' });
  });
});
