import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';

describe('the work on the feed', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false });
  });
  after(() => app.stop());

  it('reports a delivery folder that it refuses, with the reason, and reads the others', async () => {
    await app.deliver(app.now());
    mkdirSync(join(app.config.dropDirectory, 'my-broker'), { recursive: true });
    writeFileSync(join(app.config.dropDirectory, 'my-broker', 'manifest.json'), '{');
    const reports = await app.work.ingest();
    const refused = reports.filter(({ status }) => status === 'refused');
    assert.deepEqual(
      refused.map(({ source, problem, rows }) => ({ source, problem, rows })),
      [
        {
          source: 'my-broker',
          problem: 'manifest.json is not JSON. Check it with a JSON tool and load again.',
          rows: 0,
        },
      ],
    );
    assert.equal(reports.filter(({ status }) => status === 'completed').length, 5);
  });
});
