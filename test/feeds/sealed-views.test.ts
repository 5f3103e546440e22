import assert from 'node:assert/strict';
import { pino } from 'pino';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators, type Check, type Validators } from '../../src/contract/validators.js';
import { createPageTokens } from '../../src/feeds/page-token.js';
import { openPublishing, type Publishing } from '../../src/publishing/open-publishing.js';
import { openDemonstration } from '../../src/demo/open-demonstration.js';
import { startTestApp, type TestApp } from '../support/app.js';

const at = new Date();
const now = (): Date => at;

/** Validators that tell which schemas values were held against. */
function watchValidators(): { readonly validators: Validators; readonly checked: Set<string> } {
  const validators = createValidators(loadContract());
  const checked = new Set<string>();
  const at = <T>(pointer: string): Check<T> => {
    const check = validators.at<T>(pointer);
    const watched = (value: unknown): value is T => {
      checked.add(pointer.replace('#/components/schemas/', ''));
      return check(value);
    };
    return Object.assign(watched, { faults: () => check.faults() });
  };
  return { validators: { ...validators, at }, checked };
}

describe('deals that another process has published', () => {
  let app: TestApp;
  const others: Publishing[] = [];
  before(async () => (app = await startTestApp({ now })));
  after(async () => {
    for (const other of others) other.close();
    await app.stop();
  });

  async function load() {
    const { config, database } = app;
    const { validators, checked } = watchValidators();
    const other = await openPublishing({
      ...{ config, database, validators, version: '0', now, log: pino({ level: 'silent' }) },
      ...{ tokens: createPageTokens(['a secret of these tests, long enough']), hashKey: 'a key' },
      demonstration: openDemonstration(config.dataDirectory),
    });
    others.push(other);
    await other.pipeline.refresh();
    return { feed: other.feeds.deals, checked };
  }

  it('are loaded without being held against the contract again, in any view', async () => {
    const { feed, checked } = await load();
    assert.ok(feed.current().records.length > 100);
    assert.deepEqual([...checked], []);
  });

  for (const [view, column] of [
    ['Deal', 'full_json'],
    ['BasicDeal', 'basic_json'],
    ['CompactDeal', 'compact_json'],
  ] as const) {
    it(`are held against it where what stands there as ${view} is not what was proven`, async () => {
      const { length } = app.feeds.deals.current().records;
      const published = app.database.knex('published_records').where({ feed: 'deals', retired: false });
      const record = await published.first<Record<string, string>>();
      const at = app.database.knex('published_records').where({ feed: 'deals', id: record?.['id'] });
      await at.clone().update({ [column]: '{}' });
      const { feed, checked } = await load();
      assert.deepEqual([...checked], [view]);
      assert.equal(feed.current().records.length, length - 1);
      await at.clone().update({ [column]: record?.[column] });
    });
  }
});
