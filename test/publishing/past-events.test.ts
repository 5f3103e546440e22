import assert from 'node:assert/strict';
import { countChanges } from '../../generated/sdk.gen.js';
import type { EventName, EventValues } from '../../src/feeds/events/event.js';
import { createApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';

interface Row {
  readonly feed: string;
  readonly version: string;
  readonly id: string;
  readonly event: EventName;
  readonly at: Date;
  readonly body: string;
}

describe('the demonstration begins with 30 days of history', () => {
  let app: TestApp;
  let rows: readonly Row[];
  before(async () => {
    app = await startTestApp();
    rows = await app.database.knex<Row>('feed_events').orderBy(['feed', 'version', 'ordinal']);
  });
  after(() => app.stop());

  const partsOf = ({ body }: Row) => JSON.parse(body) as { before: EventValues | null; after: EventValues | null };

  it('of at least 300 events, ten of deals that were listed again, in versions of at least 25 days', () => {
    const deals = rows.filter(({ feed }) => feed === 'deals');
    const count = (event: EventName): number => deals.filter((row) => row.event === event).length;
    assert.ok(deals.length >= 300, `${deals.length} events`);
    assert.ok(count('relisted') >= 10 && count('removed') >= 10 && count('listed') >= 100 && count('repriced') >= 50);
    assert.ok(deals.every(({ version }) => Number(version) <= 30));
    assert.equal(app.feeds.deals.current().version, 31);
    const days = new Map(deals.map(({ version, at }) => [version, at.getTime()]));
    assert.ok(days.size >= 25, `events on ${days.size} of 30 days`);
  });

  it('that leads to the present: each price begins where the one before ended, and the last is published', () => {
    const prices = new Map<string, string>();
    let steps = 0;
    for (const row of rows.filter(({ feed, event }) => feed === 'deals' && event === 'repriced')) {
      const { before, after } = partsOf(row);
      const known = prices.get(row.id);
      if (known !== undefined) assert.equal(before?.['list_price'], known);
      if (known !== undefined) steps += 1;
      prices.set(row.id, after?.['list_price'] ?? '');
    }
    assert.ok(steps > 10);
    const present = new Map([...app.feeds.deals.current().records].map(({ id, priceCents }) => [id, priceCents]));
    for (const [id, price] of prices) assert.equal(Math.round(Number(price) * 100), present.get(id));
  });

  it('that counts as changes, and the first publication as none', async () => {
    const client = createApiClient(app.url);
    const ask = async (days: number) => {
      const since = new Date(app.now().getTime() - days * 86_400_000).toISOString();
      return (await countChanges({ client, query: { since } })).data?.deals ?? assert.fail();
    };
    const [month, day] = [await ask(29), await ask(0.5)];
    assert.ok(month.added >= 100 && month.removed >= 10 && month.repriced >= 50, JSON.stringify(month));
    assert.deepEqual([day.added, day.removed, day.repriced], [0, 0, 0]);
  });
});
