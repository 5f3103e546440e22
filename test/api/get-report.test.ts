import assert from 'node:assert/strict';
import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import type { Client } from '../../generated/client/index.js';
import { getReport, listDealIds } from '../../generated/sdk.gen.js';
import { listDeals } from '../support/full-deals.js';
import type { Deal, Report } from '../../generated/types.gen.js';
import { buyer } from '../../src/demo/chain/accounts.js';
import { percentile } from '../deals/reports/recompute.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { attachTestChain, type TestChain } from '../support/chain.js';
import { signPayment, type ChallengeBody } from '../support/pay.js';
import { ask, type RawReply } from '../support/raw-http.js';

const unknownId = '3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11';

describe('getReport', () => {
  let app: TestApp;
  let client: Client;
  let chain: TestChain;
  let skewMs = 0;
  let deals: readonly Deal[];

  before(async () => {
    app = await startTestApp({ now: () => new Date(Date.now() + skewMs) });
    client = createApiClient(app.url);
    chain = attachTestChain(app.selling.localRpcUrl ?? assert.fail('these tests need the local chain'));
    deals = (await purchase((headers) => listDeals({ client, headers }))).data ?? [];
    assert.ok(deals.length > 500);
  });
  afterEach(() => (skewMs = 0));
  after(() => app.stop());

  const buyReport = (id: string) => purchase((headers) => getReport({ client, path: { id }, headers }));
  const bestDeal = (): Deal => deals[0] ?? assert.fail('no deal is published');

  /** The traces of a sale: ledger rows, and dollars on the chain. */
  async function takings(): Promise<{ rows: number; received: bigint }> {
    const [row] = await app.database.knex('payments').count<{ count: string }[]>('* as count');
    return { rows: Number(row?.count), received: await chain.balanceOf(chain.payTo.address) };
  }

  async function assertUnbilled(run: () => Promise<void>): Promise<void> {
    const before = await takings();
    await run();
    assert.deepEqual(await takings(), before);
  }

  describe('200', () => {
    it('is sold to the official client with a raised limit, for exactly $1.50', async () => {
      const schemes = [
        { network: 'eip155:*' as const, client: new ExactEvmScheme(privateKeyToAccount(buyer.privateKey)) },
      ];
      const upTo = (maxAmountPerPayment: string) =>
        wrapFetchWithPaymentFromConfig(fetch, {
          schemes,
          spendControls: { allowedAssets: [{ network: 'eip155:31337', asset: chain.token, maxAmountPerPayment }] },
        });
      const url = `${app.url}/api/deals/${bestDeal().id}/report`;
      const before = await takings();
      await assert.rejects(upTo('1000000')(url));
      assert.deepEqual(await takings(), before);
      const reply = await upTo('1500000')(url);
      assert.equal(reply.status, 200);
      assert.deepEqual(((await reply.json()) as Report).deal, bestDeal());
      assert.deepEqual(await takings(), { rows: before.rows + 1, received: before.received + 1_500_000n });
    });

    it("contains the feed's own record, and names the version and its time", async () => {
      const { data, response } = await buyReport(bestDeal().id);
      const { version, publishedAt } = app.feeds.deals.current();
      assert.deepEqual(data?.deal, bestDeal());
      assert.equal(response.headers.get('Feed-Version'), String(version));
      assert.deepEqual([data.feed_version, data.generated_at], [version, publishedAt.toISOString()]);
      assert.match(response.headers.get('Repr-Digest') ?? '', /^sha-256=/);
      assert.deepEqual(data.scoring.rationales, data.deal.rationales);
      assert.deepEqual(data.scoring.motivation_signals, data.deal.motivation_signals);
      const notices = Object.values(data.deal.rationales).flatMap(({ state_notices: each }) => each);
      assert.deepEqual(data.state_notices, [...new Set(notices)]);
    });

    it('has the address given in the id index', async () => {
      const { data } = await listDealIds({ client });
      const { data: best } = await buyReport(bestDeal().id);
      assert.equal(data?.ids[0]?.report_url, `/api/deals/${best?.deal.id}/report`);
    });

    it('accepts an id in upper case, as UUIDs allow', async () => {
      const { data } = await buyReport(bestDeal().id.toUpperCase());
      assert.equal(data?.deal.id, bestDeal().id);
    });

    it('compares the deal with those of its metro, as in the feed', async () => {
      const deal = deals.find(({ cap_rate: cap, county }) => cap !== null && county !== null) ?? assert.fail();
      const { data } = await buyReport(deal.id);
      const measure = data?.market.measures.find((each) => each.measure === 'deal_score') ?? assert.fail();
      const sameState = deals.filter(({ state }) => state === deal.state);
      assert.ok(measure.count >= 2 && measure.count <= sameState.length, `${measure.count} of ${sameState.length}`);
      assert.equal(measure.count, data?.market.deals);
      assert.equal(measure.value, `${deal.deal_score}.00`);
      assert.equal(measure.percentile, percentile(measure.below ?? 0, measure.equal ?? 0, measure.count));
    });

    it('is available for every kind of deal, whatever is absent in it', async () => {
      const kinds = new Map<string, Deal>();
      for (const deal of deals) {
        const kind = [
          Object.keys(deal.absent).sort().join(),
          deal.noi_source,
          deal.dscr_status,
          deal.underwrite_reliability,
        ];
        kinds.set(kind.join(' '), deal);
      }
      assert.ok(kinds.size >= 15, `${kinds.size} kinds`);
      let withoutOffer = 0;
      for (const [kind, { id }] of kinds) {
        const { data, response } = await buyReport(id);
        assert.equal(response.status, 200, kind);
        if (data?.offer_range === null) withoutOffer++;
      }
      assert.ok(withoutOffer > 0);
    });

    it('stays the report of the published deal while sources deliver new data', async () => {
      // From then on the records of counties without a configuration are not shown.
      await app.pipeline.ingest().then(() => app.pipeline.publishIfBehind());
      const { data: before } = await buyReport(bestDeal().id);
      skewMs = 86_400_000;
      await app.deliver(app.now());
      await app.pipeline.ingest();
      skewMs = 0;
      assert.deepEqual((await buyReport(bestDeal().id)).data, before);
    });

    it('states that no county record matches the deal', async () => {
      const { data } = await buyReport(bestDeal().id);
      assert.deepEqual([data?.signals, data?.auctions], [[], []]);
      assert.deepEqual(data?.scoring.deal_score.absent.tax_amount, { reason: 'not_applicable' });
    });
  });

  describe('304', () => {
    it('is returned while the feeds are unchanged, paid or not, and is never billed', async () => {
      const { response } = await buyReport(bestDeal().id);
      const headers = { 'If-None-Match': response.headers.get('ETag') ?? '' };
      await assertUnbilled(async () => {
        const again = await getReport({ client, path: { id: bestDeal().id }, headers });
        assert.equal(again.response.status, 304);
        const other = await getReport({ client, path: { id: deals[1]?.id ?? '' }, headers });
        assert.equal(other.response.status, 402, 'the tag of one report is none of another');
      });
      const { signals } = app.feeds;
      const published = signals.current();
      signals.replace({ ...published, version: published.version + 1 });
      const later = await getReport({ client, path: { id: bestDeal().id }, headers });
      signals.replace(published);
      assert.equal(later.response.status, 402, 'a county record may have been taken down');
    });
  });

  describe('400', () => {
    const header = async (): Promise<Record<string, string>> => {
      const { error } = await getReport({ client, path: { id: bestDeal().id } });
      return { 'PAYMENT-SIGNATURE': await signPayment(error as ChallengeBody) };
    };
    const placeholders = [
      '{id}',
      '%7Bid%7D',
      '%7bid%7d',
      '%257Bid%257D',
      '{deal_id}',
      ':id',
      '%3Aid',
      '<id>',
      '%3Cid%3E',
    ];
    const wrong = [
      '1',
      'hot',
      `${unknownId}0`,
      unknownId.replaceAll('-', ''),
      `urn:uuid:${unknownId}`,
      '%zz',
      '%00',
      '..',
    ];

    for (const [reason, ids] of [
      ['placeholder_not_replaced', placeholders],
      ['invalid_deal_id', wrong],
    ] as const) {
      it(`${reason}: explains the request, with live examples, paid or not, and is never billed`, async () => {
        await assertUnbilled(async () => {
          for (const id of ids) {
            for (const headers of [{}, await header()]) {
              const reply = await ask(app.url, `/api/deals/${id}/report`, { headers });
              assertGuidance(reply, reason, id);
            }
          }
        });
      });
    }

    function assertGuidance(reply: RawReply, reason: string, id: string): void {
      const body = JSON.parse(reply.body.toString()) as Record<string, unknown>;
      assert.deepEqual([reply.status, body['reason'], body['billed']], [400, reason, false], id);
      assert.equal(reply.headers['payment-required'], undefined);
      for (const name of ['note', 'how_to', 'note_billing']) assert.ok(String(body[name]).length > 10, name);
      assert.deepEqual([body['price'], body['free_id_index']], ['$1.50', '/api/deals/ids']);
      const examples = body['live_examples'] as { url: string; property: string }[];
      assert.equal(examples.length, 3);
      for (const [index, { url }] of examples.entries()) assert.equal(url, `/api/deals/${deals[index]?.id}/report`);
    }

    it('gives examples that can be bought', async () => {
      const reply = await ask(app.url, '/api/deals/{id}/report');
      const { live_examples: examples } = JSON.parse(reply.body.toString()) as { live_examples: { url: string }[] };
      for (const { url } of examples) assert.equal((await ask(app.url, url)).status, 402);
    });

    it('unknown_parameter: accepts no query, and does not use its payment', async () => {
      await assertUnbilled(async () => {
        const { response, error } = await getReport({
          client,
          path: { id: bestDeal().id },
          query: { full: 1 } as never,
          headers: await header(),
        });
        assert.deepEqual([response.status, error && Reflect.get(error, 'reason')], [400, 'unknown_parameter']);
      });
    });
  });

  describe('402', () => {
    it('asks for $1.50 for the report of one deal', async () => {
      const { response, error } = await getReport({ client, path: { id: bestDeal().id } });
      assert.equal(response.status, 402);
      const { accepts, resource } = error as ChallengeBody;
      assert.deepEqual(
        accepts.map(({ amount }) => amount),
        ['1500000'],
      );
      assert.equal(resource.url, `${app.url}/api/deals/${bestDeal().id}/report`);
    });

    it('accepts a payment that names the requested address', async () => {
      const url = `${app.url}/api/deals/${bestDeal().id}/report`;
      const { data } = await purchase((headers) => getReport({ client, path: { id: bestDeal().id }, headers }), {
        alter: (payload) => ({ ...payload, resource: { url } }),
      });
      assert.equal(data?.deal.id, bestDeal().id);
    });
  });

  describe('404', () => {
    it('unknown_deal: is not revealed without a payment', async () => {
      await assertUnbilled(async () => {
        const { response, error } = await getReport({ client, path: { id: unknownId } });
        assert.deepEqual([response.status, error && Reflect.get(error, 'reason')], [402, 'payment_required']);
        assert.equal((await ask(app.url, `/api/deals/${unknownId}/report`, { method: 'HEAD' })).status, 402);
      });
    });

    it('unknown_deal: leaves the payment unused: one that names no report can buy another', async () => {
      const { error } = await getReport({ client, path: { id: bestDeal().id } });
      const alter = ({ resource: _, ...payload }: Record<string, unknown>) => payload;
      const headers = { 'PAYMENT-SIGNATURE': await signPayment(error as ChallengeBody, { alter }) };
      await assertUnbilled(async () => {
        const refused = await getReport({ client, path: { id: unknownId }, headers });
        assert.equal(refused.response.status, 404);
        assert.deepEqual(
          ['reason', 'billed', 'payment'].map((name) => refused.error && Reflect.get(refused.error, name)),
          ['unknown_deal', false, 'not_settled'],
        );
      });
      assert.equal((await getReport({ client, path: { id: bestDeal().id }, headers })).response.status, 200);
    });
  });

  describe('503', () => {
    it('is returned, unbilled, when a report would contradict its record', async () => {
      const { id } = deals.at(-1) ?? assert.fail();
      const rows = app.database.knex('report_inputs').where({ deal_id: id });
      const [kept] = (await rows.clone().select('inputs')) as { inputs: string }[];
      assert.ok(kept);
      for (const change of [{ inputs: null }, { inputs: kept.inputs.replace('uw-2.0.0', 'uw-0.9.0') }]) {
        await rows.clone().update(change);
        await assertUnbilled(async () => {
          const { response, error } = await buyReport(id);
          assert.deepEqual([response.status, error && Reflect.get(error, 'payment')], [503, 'not_settled']);
        });
      }
      await rows.clone().update(kept);
      assert.equal((await buyReport(id)).response.status, 200);
    });
  });
});
