import assert from 'node:assert/strict';
import { timetable } from '../../jobs/timetable.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { livePath } from '../support/live-path.js';
import { nothingMatches } from '../support/nothing-matches.js';
import { askPrice, buy, signPayment } from '../support/pay.js';
import { ask, assertProblem, buyRaw } from '../support/raw-http.js';
import { assertResponse } from './responses.js';
import type { Served } from './served.js';
import { errors, readRows } from './tables.js';

const { operations, document } = loadContract();
const priced = operations.filter(({ priceUsd }) => priceUsd !== undefined);
const unknownId = '3f0f3c1e-6d7b-5a4e-9d52-0c6b8b1f2a11';
const report = '/api/deals/{id}/report';
const hourMs = 3_600_000;

/** Tests the specification of errors, billing, authentication, limits and versioning, rule by rule. */
export function specifyRules(read: () => Served): void {
  let served: Served;
  before(() => void (served = read()));

  const problemAt = async (path: string): Promise<[number, Record<string, unknown>]> => {
    const { status, body } = await ask(served.app.url, path);
    return [status, JSON.parse(body.toString()) as Record<string, unknown>];
  };
  const assertUnbilled = async (run: () => Promise<void>): Promise<void> => {
    const before = served.settler.settled.length;
    await run();
    assert.equal(served.settler.settled.length, before, 'nothing is billed');
  };

  const rows: Readonly<Record<string, () => Promise<void>>> = {
    async [`400 ${report}`]() {
      for (const id of ['{id}', '%7Bid%7D', '1', `${unknownId}0`]) {
        const [status, problem] = await problemAt(`/api/deals/${id}/report`);
        assert.deepEqual([status, problem['billed']], [400, false], id);
      }
    },
    async '402 every paid endpoint'() {
      for (const { path } of priced) {
        const [status, problem] = await problemAt(livePath(served.app, path));
        assert.deepEqual([status, problem['reason'], problem['x402Version']], [402, 'payment_required', 2], path);
      }
    },
    async [`404 ${report}`]() {
      assertProblem(await buyRaw(`${served.app.url}/api/deals/${unknownId}/report`), 404, 'unknown_deal');
    },
    async '404 filtered paid queries'() {
      for (const { path, parameters } of priced) {
        const isFiltered = parameters.some((each) => each.in === 'query' && each.name !== 'limit');
        if (!isFiltered) continue;
        const target = nothingMatches[path];
        assert.ok(target, `say in test/support/nothing-matches.ts what ${path} does not have`);
        const reply = await buy(served.app.url + target);
        const { reason, billed } = (await reply.json()) as { reason: string; billed: boolean };
        assert.deepEqual([reply.status, billed], [404, false], path);
        assert.ok(reasons().includes(reason), reason);
      }
    },
  };
  const assertRow = async (row: string): Promise<void> => {
    const run = rows[row];
    assert.ok(run, 'nothing is asserted of this row');
    await assertUnbilled(run);
  };

  describe('errors', () => {
    for (const { Status: status, Endpoint: endpoint, Condition: condition, Billed: billed } of readRows(errors))
      it(`${status} | ${endpoint} | ${condition} | billed: ${billed}`, () => assertRow(`${status} ${endpoint}`));
  });

  describe('endpoints', () => {
    it('1. /api/deals, /api/deals/hot and /api/signals answer 200 on success and 402 when payment is required', async () => {
      for (const path of ['/api/deals', '/api/deals/hot', '/api/signals']) {
        assert.equal((await ask(served.app.url, path)).status, 402);
        assert.equal((await buy(served.app.url + path)).status, 200);
      }
    });

    it('2. the report answers 200, 400 (invalid id), 402 and 404 (unknown deal); 400 and 404 are not billed', async () => {
      const url = (id: string): string => `${served.app.url}/api/deals/${id}/report`;
      const deal = served.deals[0]?.id ?? '';
      assert.equal((await buy(url(deal))).status, 200);
      await assertUnbilled(async () => {
        const payment = { headers: { 'PAYMENT-SIGNATURE': await signPayment(await askPrice(url(unknownId))) } };
        assert.equal((await fetch(url(deal))).status, 402);
        assert.equal((await fetch(url('1'), payment)).status, 400);
        assert.equal((await fetch(url(unknownId), payment)).status, 404);
      });
    });

    it('3. a filtered query that matches nothing is 404 with a typed reason, and not billed', () =>
      assertRow('404 filtered paid queries'));

    it('4. the metadata gives a worked example report of a live deal', async () => {
      const { url } = served.meta.example_report;
      assert.ok(served.ids.ids.some(({ report_url: each }) => each === url));
    });

    it('5. from_date and to_date take days, and min_appraised a number', async () => {
      const refused = async (query: string): Promise<string[]> => {
        const [, { errors: faults = [] }] = await problemAt(`/api/auctions?${query}`);
        return [...new Set((faults as { parameter: string }[]).map(({ parameter }) => parameter))].sort();
      };
      assert.deepEqual(await refused('from_date=2026-12-01&to_date=2026-12-31&min_appraised=50000.50'), []);
      assert.deepEqual(await refused('from_date=2026-13-01&to_date=1.12.2026&min_appraised=much'), [
        'from_date',
        'min_appraised',
        'to_date',
      ]);
    });
  });

  describe('authentication', () => {
    it('1. /api/meta requires neither authentication nor payment', async () => {
      const [status] = await problemAt('/api/meta');
      assert.equal(status, 200);
    });

    it('2. paid endpoints accept x402 version 2, in USDC on the network that they name', async () => {
      for (const { path } of priced.filter((each) => !each.path.includes('{') && each.path !== '/api/lookup')) {
        const { accepts } = await askPrice(served.app.url + path);
        const { scheme, network, extra } = accepts[0] as unknown as Record<string, Record<string, string>>;
        assert.deepEqual([scheme, network], ['exact', served.meta.pricing.network], path);
        assert.ok(extra?.['name'] && extra['version'], 'the domain of the token is told');
      }
    });

    it('3. no account, API key or token is required', () => {
      assert.deepEqual(document['security'], []);
      assert.equal(document.components['securitySchemes'], undefined);
    });
  });

  describe('limits', () => {
    it('1. each call is charged once, and a filtered call costs the same as the unfiltered one', async () => {
      const before = served.settler.settled.length;
      await served.buyAt('/api/deals');
      await served.buyAt('/api/deals?state=OH&limit=1');
      assert.deepEqual(
        served.settler.settled.slice(before).map(({ value }) => value),
        [50_000n, 50_000n],
      );
    });

    it('2. deal_score is 0-100, confidence_score is 0-1', () => {
      assert.ok(served.deals.length > 0);
      for (const { deal_score: score, confidence_score: confidence } of served.deals) {
        assert.ok(Number.isInteger(score) && score >= 0 && score <= 100, String(score));
        assert.ok(Number(confidence) >= 0 && Number(confidence) <= 1, confidence);
      }
    });

    it('3. the hot feed starts at an advertised cap of 8.5%', () => assertResponse('/api/deals/hot', served));

    it('4. auctions are future sales only, unless include_past=true', () => assertResponse('/api/auctions', served));

    it('5. listings are refreshed daily, underwriting every 2 days', () => {
      assert.match(served.meta.refresh_cadence, /listings.*(daily|every day).*underwriting.*(2|two) days/i);
      const hoursOf = (name: string) =>
        timetable.filter(({ job }) => job === name).map((each) => each.periodMs / hourMs);
      assert.deepEqual([hoursOf('listings'), hoursOf('underwriting')], [[24], [48]]);
    });
  });

  describe('versioning', () => {
    it('1. the interface description is version 1.0.0', () => assert.equal(document.info.version, '1.0.0'));

    it('2. payments follow x402 version 2', async () => {
      const [, problem] = await problemAt('/api/deals');
      assert.equal(problem['x402Version'], 2);
    });
  });
}

function reasons(): readonly string[] {
  return (document.components['schemas']?.['Reason'] as { enum: string[] }).enum;
}
