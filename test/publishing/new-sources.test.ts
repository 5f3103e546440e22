import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSourceCoverage } from '../../src/sources/coverage-reader.js';
import { plainManifest } from '../sources/formats/drop-feed.js';
import { startTestApp } from '../support/app.js';
import { dropListings } from '../support/drop-listings.js';

describe('a source of listings that does not say what it covers', () => {
  it('is refused while it is new, and its counties are those of its rows once it was read', async () => {
    const app = await startTestApp({ withData: false });
    const write = (covers: readonly string[] | undefined) => {
      const manifest = JSON.stringify({ ...plainManifest, covers });
      writeFileSync(join(app.config.dropDirectory, 'brokers', 'manifest.json'), manifest);
    };
    const statusOf = async () => (await app.pipeline.ingest()).find(({ source }) => source === 'brokers');
    try {
      dropListings(app.config.dropDirectory);
      write(undefined);
      const { status, problem } = (await statusOf()) ?? {};
      assert.equal(status, 'refused');
      assert.match(problem ?? '', /^covers: say which counties .*kansas-city/);

      write(['OH']);
      assert.equal((await statusOf())?.status, 'completed');
      write(undefined);
      assert.notEqual((await statusOf())?.status, 'refused');
      const [brokers] = await readSourceCoverage(app.database.knex, app.now());
      assert.deepEqual(brokers?.counties, ['39035']);
    } finally {
      await app.stop();
    }
  });
});
