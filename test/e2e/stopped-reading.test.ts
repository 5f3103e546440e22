import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOperatorCommands } from '../../jobs/open-operator-commands.js';
import { startMockServer } from '../sources/upstream/mock-server.js';
import { startTestApp } from '../support/app.js';

describe('a server stopped during a reading', () => {
  it('does not wait for the rest of the source, and does not count it as a failure of the source', async () => {
    const stopping = new AbortController();
    const silent = await startMockServer(() => stopping.abort(new Error('The process is stopping.')));
    const directory = mkdtempSync(join(tmpdir(), 'stopped-'));
    const file = join(directory, 'sources.json');
    writeFileSync(file, JSON.stringify({ sources: [countyAt(silent.url)] }));
    const app = await startTestApp({
      withData: false,
      environment: { SOURCES_FILE: file, CONTACT_URL: 'https://deals.example/about' },
    });
    try {
      const reading = openOperatorCommands({ ...app, deliver: async () => {} }, stopping.signal).runJob(
        'signals',
        () => {},
      );
      await assert.rejects(reading, /was cut off: the server is stopping/);
      assert.equal(silent.seen.length, 1);
      assert.deepEqual(await app.database.knex('source_runs').where({ source_name: 'county' }), []);
    } finally {
      await app.stop();
      await silent.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

/** The first county of the examples, at another address. */
function countyAt(baseUrl: string): object {
  const example = JSON.parse(readFileSync('sources.example.json', 'utf8')) as { sources: Record<string, unknown>[] };
  const entry = example.sources.find(({ kind }) => kind === 'arcgis');
  const licence = { ...(entry?.['licence'] as object), class: 'demonstration' };
  return { ...entry, name: 'county', enabled: true, baseUrl, allowPrivate: true, licence };
}
