import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileStorage } from '../../src/client/file-storage.js';
import { createDealsClient } from '../../src/client/create-deals-client.js';
import type { PaymentStorage } from '../../src/client/payments/payment-storage.js';
import {
  FaultyRequestError,
  NothingFoundError,
  PaymentRefusedError,
  UnavailableError,
} from '../../src/client/error-classes.js';
import { account, deals, failureOf, withBuyer } from './buyer.js';
import { localToken, priced, problem, sold, transaction, type Answer } from './mock-server.js';

const free = (body: unknown, headers: Record<string, string> = {}): Answer => ({ status: 200, headers, body });

describe('a deals client', () => {
  it('buys at the price of the 402, and returns the records with the payment', () =>
    withBuyer(
      [priced(), sold(deals, { 'X-Total-Count': '7', Link: '</api/pages/t%2B1>; rel="next"' })],
      async (buyer) => {
        const answer = await buyer.open().deals({ state: 'OH', min_cap: 8.5 });
        assert.deepEqual(answer.data, deals);
        assert.deepEqual([answer.total, typeof answer.next, answer.isUnchanged], [7, 'function', false]);
        const { paymentId, ...paid } = answer.paid ?? {};
        assert.match(paymentId ?? '', /^0x[0-9a-f]{64}$/);
        assert.deepEqual(paid, {
          network: 'eip155:31337',
          asset: localToken,
          amount: '0.05',
          payer: account.address,
          isRedelivered: false,
          transaction,
        });
        assert.deepEqual(
          buyer.server.requests.map(({ url }) => url),
          ['/api/deals?min_cap=8.5&state=OH', '/api/deals?min_cap=8.5&state=OH'],
        );
      },
    ));

  it('encodes parameters in path and query, whatever they contain', () =>
    withBuyer([free({})], async (buyer) => {
      const client = buyer.open();
      await client.report({ id: 'a/b' });
      await client.lookup({ address: '1 Main St #2 & Co' });
      assert.deepEqual(
        buyer.server.requests.map(({ url }) => url),
        ['/api/deals/a%2Fb/report', '/api/lookup?address=1%20Main%20St%20%232%20%26%20Co'],
      );
    }));

  it('gets free replies without an account, and reports the missing account for a priced one', () =>
    withBuyer([free({ name: 'feed' }), priced()], async (buyer) => {
      const client = createDealsClient({ baseUrl: buyer.server.url });
      assert.deepEqual((await client.meta()).data, { name: 'feed' });
      const error = await failureOf(client.deals());
      assert.deepEqual(
        [error.reason, error instanceof PaymentRefusedError, buyer.presented()],
        ['key_needed', true, 0],
      );
    }));

  it('returns the price without paying', () =>
    withBuyer([priced(), free({})], async (buyer) => {
      const client = buyer.open();
      assert.equal((await client.price('deals', { state: 'OH' }))?.price, '0.05');
      assert.equal(await client.price('meta'), undefined);
      assert.equal(buyer.presented(), 0);
    }));

  it('throws the error class of the reason', () =>
    withBuyer(
      [
        problem(400, 'invalid_deal_id'),
        problem(404, 'unknown_deal'),
        problem(503, 'temporarily_unavailable'),
        problem(418, 'a_reason_to_come'),
      ],
      async (buyer) => {
        const client = buyer.open();
        for (const kind of [FaultyRequestError, NothingFoundError, UnavailableError])
          assert.ok((await failureOf(client.report({ id: 'x' }))) instanceof kind, kind.name);
        assert.equal((await failureOf(client.meta())).name, 'PurchaseError');
      },
    ));
});

describe('the cached replies of a deals client', () => {
  it('are returned free while the server confirms that they are current', () =>
    withBuyer([priced(), sold(deals, { ETag: '"v1"' }), { status: 304 }, priced(), sold([])], async (buyer) => {
      const client = buyer.open();
      await client.deals();
      const again = await client.deals();
      assert.deepEqual([again.data, again.isUnchanged, again.paid], [deals, true, undefined]);
      assert.equal(buyer.server.requests[2]?.headers['if-none-match'], '"v1"');
      const changed = await client.deals();
      assert.deepEqual([changed.data, changed.isUnchanged, buyer.signed()], [[], false, 2]);
    }));

  it('are never used for another exclusive lead', () =>
    withBuyer(
      [priced(), sold({ lead: 1 }, { ETag: '"v1"' }), priced(), sold({ lead: 2 }, { ETag: '"v1"' })],
      async (buyer) => {
        const client = buyer.open();
        await client.exclusiveLead();
        assert.deepEqual((await client.exclusiveLead()).data, { lead: 2 });
        assert.equal(buyer.server.requests[2]?.headers['if-none-match'], undefined);
      },
    ));
});

describe('a client in a fresh process, with its storage in files', () => {
  let directory: string;
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'payments-'))));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  /** What one process does. It ends as a real one does: after the last change of its files. */
  async function inProcess<T>(use: (options: { readonly storage: PaymentStorage }) => Promise<T>): Promise<T> {
    const storage = createFileStorage(directory);
    const result = await use({ storage });
    await storage.update((text) => text ?? '');
    return result;
  }

  it('asks with the ETag of the reply that an earlier one bought, and pays nothing while nothing changed', () =>
    withBuyer([priced(), sold(deals, { ETag: '"v1"', 'X-Total-Count': '2' }), { status: 304 }], async (buyer) => {
      const bought = await inProcess((files) => buyer.open(files).deals({ state: 'OH' }));
      const again = await inProcess((files) => buyer.open(files).deals({ state: 'OH' }));
      assert.deepEqual([again.data, again.total, again.isUnchanged, again.paid], [bought.data, 2, true, undefined]);
      assert.equal(buyer.signed(), 1);
      assert.equal(buyer.server.requests[2]?.headers['if-none-match'], '"v1"');
    }));

  it('asks without one for another query, and at another server', () =>
    withBuyer([priced(), sold(deals, { ETag: '"v1"' }), priced(), sold(deals)], async (buyer) => {
      await inProcess((files) => buyer.open(files).deals({ state: 'OH' }));
      await inProcess((files) => buyer.open(files).deals({ state: 'TX' }));
      assert.equal(buyer.server.requests[2]?.headers['if-none-match'], undefined);
      await withBuyer([priced(), sold(deals)], async (other) => {
        await inProcess((files) => other.open(files).deals({ state: 'OH' }));
        assert.equal(other.server.requests[0]?.headers['if-none-match'], undefined);
      });
    }));

  it('counts a torn reply as none', () =>
    withBuyer([priced(), sold(deals, { ETag: '"v1"' }), priced(), sold(deals)], async (buyer) => {
      await inProcess((files) => buyer.open(files).deals());
      const [file = ''] = readdirSync(join(directory, 'replies'));
      truncateSync(join(directory, 'replies', file), 40);
      assert.equal((await inProcess((files) => buyer.open(files).deals())).isUnchanged, false);
      assert.deepEqual([buyer.signed(), buyer.server.requests[2]?.headers['if-none-match']], [2, undefined]);
    }));
});
