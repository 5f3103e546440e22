import assert from 'node:assert/strict';
import type { BasicDeal, Deal } from '../../generated/types.gen.js';
import { getPage, listBasicDeals } from '../../generated/sdk.gen.js';
import { listDeals, listHotDeals } from '../support/full-deals.js';
import type { Client } from '../../generated/client/index.js';
import { createPageTokens, type PageCapability } from '../../src/feeds/page-token.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createApiClient, nextLink, purchase } from '../support/api-client.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';
import { askPrice, signPayment } from '../support/pay.js';
import { ask, assertProblem } from '../support/raw-http.js';

const minuteMs = 60_000;

describe('getPage', () => {
  let app: TestApp;
  let client: Client;
  let settler: InstantSettler;
  let aheadMs = 0;
  before(async () => {
    settler = createInstantSettler();
    app = await startTestApp({ settler, now: () => new Date(Date.now() + aheadMs) });
    client = createApiClient(app.url);
  });
  after(() => app.stop());
  beforeEach(() => (aheadMs = 0));

  /** Follows the links from a bought page to the end. Returns all records and the number of pages. */
  async function readOn(first: readonly (Deal | BasicDeal)[], response: Response) {
    const records = [...first];
    let pages = 1;
    for (let next = nextLink(response); next !== undefined; pages++) {
      const page = await fetch(app.url + next);
      assert.equal(page.status, 200);
      assert.equal(page.headers.get('X-Total-Count'), response.headers.get('X-Total-Count'));
      assert.equal(page.headers.get('Feed-Version'), response.headers.get('Feed-Version'));
      assert.equal(page.headers.get('PAYMENT-RESPONSE'), null);
      records.push(...((await page.json()) as Deal[]));
      next = nextLink(page);
    }
    return { ids: records.map(({ id }) => id), pages };
  }

  async function buyFirst(limit = 7): Promise<string> {
    const { response } = await purchase((headers) => listDeals({ client, headers, query: { limit } }));
    const token = nextLink(response)?.replace('/api/pages/', '');
    assert.ok(token);
    return token;
  }

  describe('200', () => {
    for (const [name, list] of [
      ['deals', listDeals],
      ['basic deals', listBasicDeals],
      ['hot deals', listHotDeals],
    ] as const) {
      it(`returns every matching record exactly once and in order, for one payment: ${name}`, async () => {
        const whole = await purchase((headers) => list({ client, headers }));
        const expected = (whole.data ?? []).map(({ id }) => id);
        for (const limit of [17, 100, expected.length - 1, expected.length]) {
          const before = settler.settled.length;
          const { data = [], response } = await purchase((headers) => list({ client, headers, query: { limit } }));
          const { ids, pages } = await readOn(data, response);
          assert.deepEqual(ids, expected, `limit ${limit}`);
          assert.equal(pages, Math.ceil(expected.length / limit));
          assert.equal(settler.settled.length, before + 1);
        }
      });
    }

    it('keeps the filters and columns of the purchase', async () => {
      const query = { state: ['OH'], min_units: 3, limit: 5 };
      const { data = [], response } = await purchase((headers) => listBasicDeals({ client, headers, query }));
      const { ids, pages } = await readOn(data, response);
      const { data: full = [] } = await purchase((headers) =>
        listDeals({ client, headers, query: { ...query, limit: 1000 } }),
      );
      assert.deepEqual(
        ids,
        full.map(({ id }) => id),
      );
      assert.ok(pages > 3);
      const token = nextLink(response)?.replace('/api/pages/', '') ?? '';
      const { data: page = [] } = await getPage({ client, path: { token } });
      assert.ok(Array.isArray(page));
      assert.ok(!('rationales' in (page[0] ?? {})));
    });

    it('returns the same page any number of times, to anyone with its address', async () => {
      const token = await buyFirst();
      const [one, two] = await Promise.all([
        getPage({ client, path: { token } }),
        getPage({ client, path: { token } }),
      ]);
      assert.deepEqual(one.data, two.data);
    });

    it('continues in the bought version while a newer one is published', async () => {
      const whole = await purchase((headers) => listDeals({ client, headers }));
      const { data = [], response } = await purchase((headers) =>
        listDeals({ client, headers, query: { limit: 200 } }),
      );
      aheadMs = 86_400_000;
      const version = app.feeds.deals.current().version;
      await app.pipeline.publish('day');
      assert.ok(app.feeds.deals.current().version > version);
      aheadMs = 0;
      assert.deepEqual(
        (await readOn(data, response)).ids,
        (whole.data ?? []).map(({ id }) => id),
      );
    });
  });

  describe('410', () => {
    it('is returned after 30 minutes, and not before', async () => {
      const token = await buyFirst();
      aheadMs = 30 * minuteMs - 1_000;
      assert.equal((await getPage({ client, path: { token } })).response.status, 200);
      // A link is valid for 30 minutes after the minute of its issue.
      aheadMs = 31 * minuteMs;
      const { response, error } = await getPage({ client, path: { token } });
      assert.deepEqual([response.status, error?.reason], [410, 'cursor_expired']);
    });

    it('tells the buyer of a redelivered reply with an expired link what to do, unbilled', async () => {
      const url = `${app.url}/api/deals?limit=7`;
      const header = await signPayment(await askPrice(url), {
        alter: (payload) => ({
          ...payload,
          extensions: { 'payment-identifier': { info: { required: false, id: 'the-identifier-of-a-buyer' } } },
        }),
      });
      const present = () => fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } });
      const bought = await present();
      await bought.text();
      aheadMs = 24 * 60 * minuteMs;
      const before = settler.settled.length;
      const again = await present();
      assert.deepEqual([again.status, again.headers.get('Link')], [200, bought.headers.get('Link')]);
      const problem = assertProblem(await ask(app.url, nextLink(again) ?? ''), 410, 'cursor_expired');
      assert.match(String(problem['detail']), /30 minutes.*without `limit`.*1,000 records/);
      assert.deepEqual([problem['billed'], problem['retryable'], problem['payment']], [false, false, 'none']);
      assert.equal(settler.settled.length, before);
    });
  });

  describe('404', () => {
    it('is returned for a forged, truncated or extended token, and for one of another server', async () => {
      const token = await buyFirst();
      const [payload = '', signature = ''] = token.split('.');
      const capability = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
      const greedy = Buffer.from(JSON.stringify({ ...capability, limit: 1_000_000 })).toString('base64url');
      const forgeries = [
        `${greedy}.${signature}`,
        `${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
        `${payload}.${signature.slice(0, -1)}`,
        `${payload}.`,
        `${token}.${signature}`,
        `${payload.slice(0, -4)}.${signature}`,
        payload,
        createPageTokens(['the-secret-of-another-server-in-tests']).issue(capability as unknown as PageCapability),
      ];
      for (const forgery of forgeries) {
        const { response, error } = await getPage({ client, path: { token: forgery } });
        assert.deepEqual([response.status, error?.reason], [404, 'not_found'], forgery);
      }
      assert.equal((await getPage({ client, path: { token } })).response.status, 200);
    });
  });

  describe('400', () => {
    it('refuses a parameter beside the token, and an impossible token', async () => {
      const token = await buyFirst();
      assertProblem(await ask(app.url, `/api/pages/${token}?limit=1000`), 400, 'unknown_parameter');
      assertProblem(await ask(app.url, '/api/pages/short'), 400, 'invalid_parameter');
    });
  });
});
