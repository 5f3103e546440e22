import assert from 'node:assert/strict';
import { countedOperations } from '../../../src/api/count/counters.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { ask } from '../../support/raw-http.js';

describe('a feed that is published without a record', () => {
  let app: TestApp;

  before(async () => {
    app = await startTestApp({ withData: false });
    await app.pipeline.publish('all');
  });
  after(() => app.stop());

  for (const of of Object.keys(countedOperations))
    it(`is counted as none: ${of}`, async () => {
      const { status, body } = await ask(app.url, `/api/count?of=${of}`);
      assert.equal(status, 200, body.toString());
      const { matches } = JSON.parse(body.toString()) as { matches: object };
      assert.deepEqual(matches, { at_least: 0, at_most: 0 });
    });
});
