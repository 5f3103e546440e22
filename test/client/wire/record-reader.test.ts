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
        assert.ok((await client.deals({ limit: 2 })).next);
        await failureOf(count(2));
        const [, , revalidated, , , anew] = buyer.server.requests.map(({ headers }) => headers['if-none-match']);
        assert.deepEqual([revalidated, anew], ['"v1"', undefined]);
      },
    ));

  it('is free while its first page is unchanged and no older than 25 minutes', async () => {
    const bought = { ETag: '"v1"', Date: 'Fri, 20 Nov 2026 11:59:00 GMT', ...link('t1') };
    const script = [...[priced(), sold(deals, bought), { status: 304 }, free([{ id: 'c' }], { 'X-Total-Count': '3' })]];
    await withBuyer(script, async (buyer) => {
      const client = buyer.open();
      await client.deals({ limit: 2 });
      const ids: string[] = [];
      for await (const { id } of client.deals.all({ limit: 2 })) ids.push(id);
      assert.deepEqual([ids, buyer.signed()], [['a', 'b', 'c'], 1]);
    });
    const old = { ...bought, Date: 'Fri, 20 Nov 2026 11:30:00 GMT' };
    await withBuyer([priced(), sold(deals, old), priced()], async (buyer) => {
      const client = buyer.open();
      await client.deals({ limit: 2 });
      await failureOf(client.deals.all({ limit: 2 })[Symbol.asyncIterator]().next());
      assert.equal(buyer.server.requests.at(-1)?.headers['if-none-match'], undefined);
    });
  });

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

  /** Reads all records until it fails: how many come, why no more do, and the requests. */
  async function readAll(script: readonly Answer[]) {
    let records = 0;
    let message = '';
    let requests = 0;
    await withBuyer(script, async ({ open, server }) => {
      const read = async () => {
        for await (const _ of open().deals.all()) records += 1;
      };
      ({ message } = await failureOf(read()));
      requests = server.requests.length;
    });
    return { records, why: /come to an end: (.*)\.$/.exec(message)?.[1], requests };
  }
  /** A page of records that are in no other, with a link to a further one. */
  const page = (number: number, records: number, headers: Record<string, string> = {}) =>
    free(
      Array.from({ length: records }, (_, index) => ({ id: `${number} ${index}` })),
      { Link: `</api/pages/${number}>; rel="next"`, ...headers },
    );

  it('stops when more records have come than the server counted, and delivers those before', async () => {
    const script = [page(1, 2, { 'X-Total-Count': '5' }), page(2, 2), page(3, 2)];
    assert.deepEqual(await readAll(script), { records: 4, why: '6 records have come of 5', requests: 3 });
    const first = free(deals, { 'X-Total-Count': '1' });
    assert.deepEqual(await readAll([first]), { records: 2, why: '2 records have come of 1', requests: 1 });
  });

  it('stops at a page that is empty or repeats another', async () => {
    const empty = { records: 2, why: 'a page has no records', requests: 2 };
    assert.deepEqual(await readAll([page(1, 2), page(2, 0)]), empty);
    const repeated = { records: 4, why: 'a page repeats', requests: 3 };
    assert.deepEqual(await readAll([page(1, 2), page(2, 2), page(1, 2)]), repeated);
  });

  it('stops when there are two pages more than the first leaves room for', async () => {
    const script = [page(0, 2, { 'X-Total-Count': '8' }), ...[1, 2, 3, 4, 5, 6].map((each) => page(each, 1))];
    assert.deepEqual(await readAll(script), { records: 7, why: 'there are more than 6 pages', requests: 6 });
  });

  it('stops after a thousand pages where the server counts nothing', async () => {
    const { records, why } = await readAll(Array.from({ length: 1_001 }, (_, index) => page(index, 1)));
    assert.deepEqual([records, why], [1_000, 'there are more than 1000 pages']);
  });

  it('reads no further than needed', () =>
    withBuyer([priced(), sold(deals, link('t1'))], async (buyer) => {
      for await (const { id } of buyer.open().deals.all()) if (id === 'b') break;
      assert.equal(buyer.server.requests.length, 2);
    }));
});
