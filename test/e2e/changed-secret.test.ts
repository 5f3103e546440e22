import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.js';
import { findRunningNode } from '../../src/demo/chain/anvil-node.js';
import { OperatorError } from '../../src/errors.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openTestDatabase } from '../support/database.js';
import { dropListings } from '../support/drop-listings.js';

const [old, fresh] = ['the-first-secret-of-this-service-0001', 'the-second-secret-of-this-service-002'];

describe('a service with a changed secret', () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  async function withApp(environment: Record<string, string>, use: (app: TestApp) => Promise<void>): Promise<void> {
    const app = await startTestApp({ database, withData: false, environment });
    try {
      await use(app);
    } finally {
      await app.stop();
    }
  }

  /** The number of deals after everything was read and published again. */
  async function countDeals(app: TestApp): Promise<number> {
    dropListings(app.config.dropDirectory);
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    return app.feeds.deals.current().records.length;
  }

  it('hides every property that was suppressed under the earlier secret', async () => {
    await withApp({ SERVER_SECRET: old }, async (app) => {
      assert.equal(await countDeals(app), 1);
      await app.pipeline.suppress({ address: '100 Example Ave, Cleveland, OH 44105', reason: 'asked by its owner' });
    });
    await withApp({ SERVER_SECRET: fresh, SERVER_SECRET_PREVIOUS: old }, async (app) =>
      assert.equal(await countDeals(app), 0),
    );
    await withApp({ SERVER_SECRET: fresh }, async (app) => assert.equal(await countDeals(app), 0));
  });

  it('does not start with a secret unknown to the database, and says what to do', async () => {
    const start = startTestApp({ database, withData: false, environment: { SERVER_SECRET: old } });
    await assert.rejects(
      start,
      (error) => error instanceof OperatorError && /SERVER_SECRET_PREVIOUS/.test(error.message),
    );
  });

  it('leaves no local chain behind when it does not start', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'deals-feed-'));
    try {
      await assert.rejects(
        startTestApp({ database, withData: false, environment: { SERVER_SECRET: old, DATA_DIR: directory } }),
      );
      assert.equal(await findRunningNode(join(directory, 'chain'), 31337), undefined);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
