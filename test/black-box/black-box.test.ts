import assert from 'node:assert/strict';
import { buyer } from '../../src/demo/chain/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { RawReply } from '../support/raw-http.js';
import { type Meddle, startMeddlingProxy } from './meddling-proxy.js';
import { createPurse } from './purse.js';
import { type Outcome, runChecks } from './run-checks.js';

interface Fault {
  readonly name: string;
  readonly only: string;
  readonly meddle: Meddle;
  /** What the checks say of it. */
  readonly found: RegExp;
}

const faults: readonly Fault[] = [
  {
    name: 'asks for another price than its contract',
    only: '/api/deals',
    meddle: async (_, forward) => changeOffer(await forward(), (offer) => offer.replace('"50000"', '"60000"')),
    found: /asks for \$0\.05.*60000/s,
  },
  {
    name: 'leaves out why a value is absent',
    only: '/api/deals',
    meddle: async (request, forward) => {
      const reply = await forward();
      return request.headers['payment-signature'] === undefined ? reply : withoutReasons(reply);
    },
    found: /answered 200 with a body that breaks the contract/,
  },
  {
    name: 'bills for nothing',
    only: '/api/deals',
    meddle: async (request, forward) => {
      const isPaid = request.headers['payment-signature'] !== undefined;
      if (isPaid && request.url === '/api/deals?state=WY') await forward('/api/deals');
      return forward();
    },
    found: /bills nothing where nothing matches/,
  },
  {
    name: 'gives for nothing what has a price',
    only: '/api/deals/basic',
    meddle: async (request, forward) => {
      const reply = await forward();
      return reply.status === 402 && request.method === 'GET'
        ? { ...reply, status: 200, body: Buffer.from('[]') }
        : reply;
    },
    found: /\/api\/deals\/basic/,
  },
  {
    name: 'answers with a status that its contract does not declare',
    only: '/api/meta',
    meddle: async (_, forward) => {
      const reply = await forward();
      return reply.status === 400 ? { ...reply, status: 422 } : reply;
    },
    found: /answered 422, which the contract does not declare/,
  },
  {
    name: 'sends again what has not changed',
    only: '/api/meta',
    meddle: async (request, forward) => {
      delete request.headers['if-none-match'];
      const reply = await forward();
      return { ...reply, headers: { ...reply.headers, etag: '"never"' } };
    },
    found: /tells that nothing has changed/,
  },
];

describe('the checks that anybody may run against a server', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.stop());

  const run = (baseUrl: string, only?: string, purse = createPurse(buyer, 2_000_000n)): Promise<readonly Outcome[]> =>
    runChecks(baseUrl, { purse, only, now: app.now, report: () => undefined });
  const told = (outcomes: readonly Outcome[], result: Outcome['result']): readonly string[] =>
    outcomes.filter((each) => each.result === result).map(({ name, why }) => `${name}: ${why}`);

  it('find no fault with this one, and try all that can be tried from outside', async () => {
    const outcomes = await run(app.url);
    assert.deepEqual(told(outcomes, 'failed'), []);
    assert.deepEqual(told(outcomes, 'untried'), [
      '/api/payments/{payment_id}/response answers with every status that it declares: Not seen: 409.',
    ]);
    assert.ok(outcomes.length > 100);
  });

  it('buy nothing without a purse, nor above its limit, and say so', async () => {
    const count = async () => (await app.database.knex('payments')).length;
    const before = await count();
    const outcomes = await runChecks(app.url, { purse: undefined, only: '/api/deals', now: app.now, report: () => {} });
    assert.match(told(outcomes, 'untried').join(), /PRIVATE_KEY/);
    assert.match(
      told(await run(app.url, '/api/deals', createPurse(buyer, 49_999n)), 'untried').join(),
      /costs \$0\.05/,
    );
    assert.equal(await count(), before);
  });

  for (const { name, only, meddle, found } of faults)
    it(`find a server that ${name}`, async () => {
      const proxy = await startMeddlingProxy(app.url, meddle);
      try {
        assert.match(told(await run(proxy.url, only), 'failed').join('\n'), found);
      } finally {
        await proxy.close();
      }
    });
});

function withoutReasons(reply: RawReply): RawReply {
  if (reply.status !== 200) return reply;
  const deals = (JSON.parse(reply.body.toString()) as object[]).map((deal) => ({ ...deal, absent: {} }));
  return { ...reply, body: Buffer.from(JSON.stringify(deals)) };
}

function changeOffer(reply: RawReply, change: (offer: string) => string): RawReply {
  const header = reply.headers['payment-required'];
  if (typeof header !== 'string') return reply;
  const offer = change(Buffer.from(header, 'base64').toString('utf8'));
  return { ...reply, headers: { ...reply.headers, 'payment-required': Buffer.from(offer).toString('base64') } };
}
