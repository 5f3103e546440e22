import assert from 'node:assert/strict';
import { readAhead } from '../../../src/db/sql/read-ahead.js';

describe('readAhead', () => {
  let asked: number;
  let isClosed: boolean;
  beforeEach(() => {
    asked = 0;
    isClosed = false;
  });

  async function* count(failAt = Infinity): AsyncGenerator<number> {
    try {
      for (; asked < 5; asked++) {
        if (asked === failAt) throw new Error('the database is away');
        yield asked;
      }
    } finally {
      isClosed = true;
    }
  }

  it('returns all items in order, and requests each while the one before is processed', async () => {
    const seen: number[] = [];
    for await (const item of readAhead(count())) {
      await new Promise(setImmediate);
      assert.equal(asked, item + 1);
      seen.push(item);
    }
    assert.deepEqual(seen, [0, 1, 2, 3, 4]);
  });

  it('throws a failure after the items before it', async () => {
    const seen: number[] = [];
    await assert.rejects(async () => {
      for await (const item of readAhead(count(3))) seen.push(item);
    }, /the database is away/);
    assert.deepEqual(seen, [0, 1, 2]);
  });

  it('ends the source when its reader stops before the end', async () => {
    for await (const item of readAhead(count())) if (item === 1) break;
    assert.equal(isClosed, true);
  });
});
