import assert from 'node:assert/strict';
import { deals, failureOf, withBuyer } from '../buyer.js';
import { priced, problem, sold, type Answer } from '../mock-server.js';

const free = (body: unknown, headers: Record<string, string> = {}): Answer => ({ status: 200, headers, body });

describe('reading a whole result set', () => {
  const link = (token: string) => ({ Link: `</api/pages/${token}>; rel="next"`, 'X-Total-Count': '3' });

  it('is free while a one-page result is unchanged; the page tokens of others expire', () =>
    withBuyer(
      [
        priced(),
        sold(deals, { ETag: '"v1"' }),
        { status: 304 },
        priced(),
        sold(deals, { ETag: '"v1"', ...link('t1') }),
        priced(),
      ],
      async (buyer) => {
        const client = buyer.open();
        const count = async (limit: number) => {
          let records = 0;
          for await (const _ of client.deals.all({ limit })) records += 1;
          return records;
        };
        assert.deepEqual([await count(9), await count(9), buyer.signed()], [2, 2, 1]);
        assert.equal((await client.listDeals({ limit: 2 })).nextPage, 't1');
        await failureOf(count(2));
        const [, , revalidated, , , anew] = buyer.server.requests.map(({ headers }) => headers['if-none-match']);
        assert.deepEqual([revalidated, anew], ['"v1"', undefined]);
      },
    ));

  it('pays once and reads the further pages free, reporting its progress', () =>
    withBuyer([priced(), sold(deals, link('t1')), free([{ id: 'c' }], { 'X-Total-Count': '3' })], async (buyer) => {
      const told: unknown[] = [];
      const ids: string[] = [];
      for await (const { id } of buyer.open().deals.all({ state: 'OH' }, { onProgress: (each) => told.push(each) }))
        ids.push(id);
      assert.deepEqual(ids, ['a', 'b', 'c']);
      assert.deepEqual(told, [
        { received: 2, total: 3, pages: 1 },
        { received: 3, total: 3, pages: 2 },
      ]);
      assert.equal(buyer.signed(), 1);
    }));

  it('reads the pages of an envelope as well', () =>
    withBuyer(
      [priced(), sold({ signals: [{ id: 'a' }], total: 2 }, link('t1')), free({ signals: [{ id: 'b' }], total: 2 })],
      async (buyer) => {
        const ids: string[] = [];
        for await (const { id } of buyer.open().signals.all()) ids.push(id);
        assert.deepEqual(ids, ['a', 'b']);
      },
    ));

  it('retries after a broken connection between two pages', () =>
    withBuyer([priced(), sold(deals, link('t1')), 'hang_up', free([{ id: 'c' }])], async (buyer) => {
      let count = 0;
      for await (const _ of buyer.open().deals.all()) count += 1;
      assert.deepEqual([count, buyer.signed()], [3, 1]);
    }));

  it('ends with the reason when a page is gone, after the records before it', () =>
    withBuyer([priced(), sold(deals, link('t1')), problem(410, 'cursor_expired')], async (buyer) => {
      const ids: string[] = [];
      const read = async () => {
        for await (const { id } of buyer.open().deals.all()) ids.push(id);
      };
      assert.equal((await failureOf(read())).reason, 'cursor_expired');
      assert.deepEqual(ids, ['a', 'b']);
    }));

  it('reads no further than needed', () =>
    withBuyer([priced(), sold(deals, link('t1'))], async (buyer) => {
      for await (const { id } of buyer.open().deals.all()) if (id === 'b') break;
      assert.equal(buyer.server.requests.length, 2);
    }));
});
