import assert from 'node:assert/strict';
import type { CountedMatches } from '../../../generated/types.gen.js';
import { loadContract } from '../../../src/contract/load-contract.js';
import { openEventsShop } from '../events-shop.js';

const { operations } = loadContract();
const namesOf = (id: string) =>
  operations.find(({ operationId }) => operationId === id)?.parameters.map(({ name }) => name);

describe('countMatches of events', () => {
  const { app, inDays, offer, publish, buyEvents } = openEventsShop();

  async function count(query: string): Promise<CountedMatches> {
    const reply = await fetch(`${app().url}/api/count?of=events&${query}`);
    assert.equal(reply.status, 200, await reply.clone().text());
    return (await reply.json()) as CountedMatches;
  }

  it('holds what the paid call delivers between its bounds, and tells kinds alone', async () => {
    await publish([offer(1)]);
    await publish(Array.from({ length: 30 }, (_, index) => offer(index + 1)));
    const all = await count('state=OH');
    const { events } = await buyEvents('state=OH');
    assert.ok(all.matches.at_least <= events.length && events.length <= all.matches.at_most);
    assert.deepEqual([all.price, all.buy, all.rows], ['$0.02', '/api/events?state=OH', []]);
    assert.deepEqual(all.about, { event: { listed: events.length } });
    assert.deepEqual((await count('state=OH&event=removed')).matches, { at_least: 0, at_most: 0 });
    assert.deepEqual((await count('max_price=200000')).matches, { at_least: 0, at_most: 0 });
  });

  it('takes a cursor as an hour, so that no question tells of a single event', async () => {
    await publish([offer(1)]);
    await publish(Array.from({ length: 30 }, (_, index) => offer(index + 1)));
    const { events } = await buyEvents();
    const answers = new Set<string>();
    for (const { event_id: cursor } of events) {
      const { matches, counted_with: query } = await count(`cursor=${cursor}`);
      assert.ok(!('cursor' in query) && String(query['since']).endsWith(':00:00.000Z'));
      answers.add(JSON.stringify(matches));
    }
    assert.equal(answers.size, 1);
  });

  it('counts a taken-down event as one that never was', async () => {
    await publish([offer(1)]);
    await publish([offer(1), offer(2)]);
    assert.deepEqual((await count('event=listed')).matches, { at_least: 1, at_most: 4 });
    await app().pipeline.suppress({ address: '2 Example Ave, Cleveland, OH 44105', reason: 'asked for' });
    assert.deepEqual((await count('event=listed')).matches, { at_least: 0, at_most: 0 });
  });

  it('refuses a filter that is not one of the feed', async () => {
    await publish([offer(1)]);
    for (const query of ['feed=auctions&min_dscr=1', 'min_amount=5', `cursor=d1-0&since=${inDays(-1)}`]) {
      const reply = await fetch(`${app().url}/api/count?of=events&${query}`);
      assert.equal(reply.status, 400, query);
    }
  });

  it('and the events themselves take every filter of both feeds', () => {
    const ways = ['sort', 'order', 'view'];
    for (const id of ['listDeals', 'listAuctions'])
      for (const name of namesOf(id) ?? [])
        assert.ok(ways.includes(name) || namesOf('listEvents')?.includes(name), name);
  });
});
