import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Client } from '../../generated/client/index.js';
import { listAuctions } from '../../generated/sdk.gen.js';
import { getMeta } from '../support/full-deals.js';
import type { Auction, ListAuctionsData } from '../../generated/types.gen.js';
import { absent, known } from '../../src/absence.js';
import { saleStatuses } from '../../src/counties/auctions/auction.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { createApiClient, purchase } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { deep } from '../support/depth.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';

type AuctionQuery = NonNullable<ListAuctionsData['query']>;

/** 04:30 UTC on the 22nd is still the 21st in every covered county. */
const start = Date.parse('2026-11-22T04:30:00.000Z');
const days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23', '2026-12-14', '2027-02-01'];
const counties = [
  { countyFips: '39035', state: 'OH' },
  { countyFips: '17031', state: 'IL' },
];

describe('listAuctions', () => {
  let app: TestApp;
  let client: Client;
  let settler: InstantSettler;
  let all: readonly Auction[];
  let skewMs = 0;
  const started = Date.now();
  const now = (): Date => new Date(start + skewMs + Date.now() - started);
  before(async () => {
    settler = createInstantSettler();
    app = await startTestApp({ settler, now, withData: false });
    client = createApiClient(app.url);
    const auctions = Array.from({ length: 126 }, (_, index) =>
      observeAuction({
        ...counties[index % 2],
        sourceKey: `a${index}`,
        parcelId: known(`100-20-${index}`),
        caseNumber: known(`CV-26-${index}`),
        saleDate: days[index % days.length] ?? '2026-12-14',
        saleStatus: saleStatuses[index % saleStatuses.length] ?? 'scheduled',
        appraisedValue: index % 5 === 0 ? absent('not_published_by_source') : known(String(50_000 + index * 1000)),
      }),
    );
    await readCountyRecords(app, { auctions });
    await app.pipeline.publish('all');
    all = (await buy({ include_past: true })).data ?? [];
  });
  after(() => app.stop());

  const buy = (query: AuctionQuery) =>
    purchase((headers) => listAuctions({ client, query, headers }), {
      validAfter: 0n,
      validBefore: BigInt(Math.floor(now().getTime() / 1000) + 200),
    });

  describe('200', () => {
    it('returns every sale with include_past, soonest first, then by id', () => {
      assert.equal(all.length, 126);
      assert.deepEqual(all, [...all].sort(compareAuctions));
    });

    it("returns only upcoming sales without it, by the county's own calendar", async () => {
      const { data = [] } = await buy({});
      assert.deepEqual(
        data,
        all.filter((auction) => isUpcoming(auction, '2026-11-21')),
      );
      assert.ok(
        data.some(({ sale_date }) => sale_date === '2026-11-21'),
        'in UTC that day is over',
      );
    });

    it('does not include past sales because of a past from_date', async () => {
      const { data = [] } = await buy({ from_date: '2026-01-01' });
      assert.deepEqual(
        data,
        all.filter((auction) => isUpcoming(auction, '2026-11-21')),
      );
    });

    it('combines filters with AND, as the reference filter does', async () => {
      const queries = fc.record(
        {
          county: fc.constantFrom('cuyahoga', 'Cook', 'county, oh', 'x'),
          from_date: fc.constantFrom(...days),
          to_date: fc.constantFrom(...days),
          min_appraised: fc.constantFrom(0, 51_000, 51_000.01, 160_000),
          include_past: fc.boolean(),
        },
        { requiredKeys: [] },
      );
      let hits = 0;
      const property = fc.asyncProperty(queries, async (query) => {
        const expected = all.filter((auction) => matchesQuery(auction, query)).map(({ id }) => id);
        if (expected.length > 0) hits++;
        const { data, response } = await buy(query);
        const ids = (data ?? []).map(({ id }) => id);
        assert.deepEqual([response.status, ids], [expected.length > 0 ? 200 : 404, expected]);
      });
      await fc.assert(property, { numRuns: deep(100, 25) });
      assert.ok(hits > deep(30, 6) && hits < deep(100, 25), `${hits} queries matched`);
    });

    it('changes its reply and ETag each day, and is revalidated free until then', async () => {
      const { data: today = [], response } = await buy({});
      const etag = response.headers.get('ETag') ?? '';
      const ask = () => fetch(`${app.url}/api/auctions`, { headers: { 'If-None-Match': etag } });
      assert.equal((await ask()).status, 304);
      skewMs = 3 * 3_600_000;
      assert.equal((await ask()).status, 402);
      const { data: later = [] } = await buy({});
      skewMs = 0;
      assert.deepEqual(
        later,
        today.filter(({ sale_date }) => sale_date > '2026-11-21'),
      );
    });
  });

  describe('404', () => {
    it('is unbilled and explains include_past', async () => {
      const settled = settler.settled.length;
      const past = await buy({ to_date: '2026-11-20' });
      const detail = past.error && 'detail' in past.error ? past.error.detail : '';
      assert.match(detail, /include_past=true/);
      assert.equal(settler.settled.length, settled);
    });
  });

  it('is described in /api/meta as it is sold', async () => {
    const { data: meta } = await getMeta({ client });
    const upcoming = all.filter((auction) => isUpcoming(auction, '2026-11-21'));
    const { upcoming_sales, next_sale_date, furthest_sale_date } = meta?.auctions_feed.coverage ?? {};
    assert.deepEqual(
      [upcoming_sales, next_sale_date, furthest_sale_date],
      [upcoming.length, upcoming[0]?.sale_date, upcoming.at(-1)?.sale_date],
    );
    assert.deepEqual(meta?.free_samples.auctions, upcoming.slice(0, 3));
  });
});

function isUpcoming(auction: Auction, today: string): boolean {
  return auction.sale_date >= today && ['scheduled', 'adjourned', 'unknown'].includes(auction.sale_status);
}

function matchesQuery(auction: Auction, query: AuctionQuery): boolean {
  const { county, from_date: from, to_date: to, min_appraised: least, include_past: isPast } = query;
  return (
    (county === undefined || auction.county.toLowerCase().includes(county.toLowerCase())) &&
    (from === undefined || auction.sale_date >= from) &&
    (to === undefined || auction.sale_date <= to) &&
    (least === undefined || (auction.appraised_value !== null && Number(auction.appraised_value) >= least)) &&
    (isPast === true || isUpcoming(auction, '2026-11-21'))
  );
}

function compareAuctions(one: Auction, other: Auction): number {
  return one.sale_date === other.sale_date ? (one.id < other.id ? -1 : 1) : one.sale_date < other.sale_date ? -1 : 1;
}
