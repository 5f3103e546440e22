import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestApp, type TestApp } from '../../support/app.js';
import { type RunningServices, serveServices } from '../services/serve-services.js';

const source = 'dallas-tax-roll';

describe('a dry run of a tax roll', () => {
  let app: TestApp;
  let services: RunningServices;
  before(async () => {
    services = await serveServices(() => new Date());
    app = await startTestApp({ withData: false, environment: services.environment });
  });
  after(async () => {
    await app.stop();
    await services.close();
  });

  const run = async (dryRun: boolean) => (await app.pipeline.ingest(undefined, { source, dryRun }))[0];
  const files = () =>
    readdirSync(app.config.dataDirectory, { recursive: true, withFileTypes: true })
      // The local chain saves its state each second.
      .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(app.config.dataDirectory, 'chain')))
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]);

  it('counts the rows that a run would accept and reject, and leaves no file behind', async () => {
    const before = files();
    const tried = await run(true);
    assert.equal(tried?.status, 'tried');
    assert.deepEqual(files(), before);
    const read = await run(false);
    assert.ok(read && read.accepted > 0);
    assert.deepEqual([tried.accepted, tried.rejected], [read.accepted, read.rejected]);
  });
});
