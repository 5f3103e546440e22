import assert from 'node:assert/strict';
import type { Database } from '../../../src/db/database.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import type { WholeSource } from '../../../src/sources/source.js';
import { openTestDatabase } from '../../support/database.js';
import { createScriptedSource, ingestOptions, observeMany } from './scripted-source.js';

describe('ingestSource, of a source that is read in one go', () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  /** A file of six listings in three pages; `onPage` is called before each. */
  function createFile(onPage: () => void = () => {}, name = 'exchange'): WholeSource<'listings'> {
    const { fetchPage, ...scripted } = createScriptedSource(observeMany(6), { pageSize: 2, name });
    return {
      ...scripted,
      async *readPages() {
        for (const cursor of ['0', '2', '4']) {
          onPage();
          yield { ...(await fetchPage(cursor)), nextCursor: undefined };
        }
      },
    };
  }

  it('reads it from its beginning when its run was cut off, and doubles nothing', async () => {
    let left = 2;
    const file = createFile(() => (left -= 1));
    const stop = new AbortController();
    const betweenPages = async () => {
      if (left === 0) stop.abort(new Error('The process is stopping.'));
    };
    const options = ingestOptions(database.knex);
    await assert.rejects(ingestSource(file, { ...options, signal: stop.signal, betweenPages }), /stopping/);
    assert.equal((await database.knex('listings')).length, 4);
    left = 3;
    const report = await ingestSource(file, options);
    assert.deepEqual([report.status, report.rows, report.created, report.retired], ['completed', 6, 2, 0]);
    assert.equal((await database.knex('raw_records')).length, 6);
  });

  it('publishes takedowns between pages of a file, not after the last', async () => {
    const file = createFile(undefined, 'takedowns');
    const rowsRead: number[] = [];
    const betweenPages = async () => {
      rowsRead.push((await database.knex('raw_records').where({ source_name: 'takedowns' })).length);
    };
    await ingestSource(file, { ...ingestOptions(database.knex), betweenPages });
    assert.deepEqual(rowsRead, [2, 4]);
  });
});
