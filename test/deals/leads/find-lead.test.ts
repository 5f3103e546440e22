import assert from 'node:assert/strict';
import fc from 'fast-check';
import type * as Wire from '../../../generated/types.gen.js';
import { absent, isKnown, known } from '../../../src/absence.js';
import { addressStatuses } from '../../../src/places/addresses/own-address.js';
import { dealToWire } from '../../../src/records/deal.js';
import { leadToWire } from '../../../src/records/lead.js';
import type { Auction } from '../../../src/counties/auctions/auction.js';
import { loadContract } from '../../../src/contract/load-contract.js';
import { createValidators } from '../../../src/contract/validators.js';
import type { Deal } from '../../../src/deals/deal.js';
import { distressOf } from '../../../src/deals/distress-of.js';
import { findAuctionLead, findDealLead, findSignalLead } from '../../../src/deals/leads/find-lead.js';
import type {
  MatchedAuction,
  MatchedSignal,
  PropertyMatches,
} from '../../../src/counties/matches/match-county-records.js';
import type { Signal } from '../../../src/counties/signals/signal.js';
import { observeAuction } from '../../counties/auctions/observed-auction.js';
import { anyDeal, composeDeal } from '../reports/arbitrary-deal.js';
import { matchAuction, matchSignal } from '../reports/arbitrary-matches.js';
import { buildScoreInputs } from '../scoring/build-score-inputs.js';
import { observeSignal } from '../../counties/signals/observed-signal.js';

const now = new Date('2026-11-21T06:00:00.000Z');
const fresh = new Date('2026-11-14T06:00:00.000Z');
const stale = new Date('2026-11-14T05:59:59.999Z');

const pageOf = (id: string): string => `https://county.example/${id}`;
const debt = (id: string, others: Partial<MatchedSignal>) => matchSignal({ id, sourceUrl: pageOf(id), ...others });
const sale = (id: string, others: Partial<MatchedAuction>) => matchAuction({ id, sourceUrl: pageOf(id), ...others });

const licence = { class: 'public_record', mayStore: true, mayResell: true, attribution: 'By the county' } as const;
const seen = { sourceName: 'county', sourceNames: ['county'], firstSeenAt: new Date(0), demonstration: true } as const;
const unstated = absent('not_stated_by_source');

describe('findAuctionLead', () => {
  const auction: Auction = { ...observeAuction({ saleDate: '2026-11-28' }), ...seen, id: 'a1', lastSeenAt: fresh };
  const lead = (overrides: Partial<Auction> = {}, at = now) =>
    findAuctionLead({ ...auction, ...overrides }, licence, at);

  it('accepts a sale seen exactly seven days ago, and none seen a millisecond earlier', () => {
    assert.deepEqual([lead()?.address, lead()?.verifiedAt], ['100 Example Ave', fresh]);
    assert.equal(lead({ lastSeenAt: stale }), undefined);
  });

  it('accepts no sale that is without an address, canceled or past', () => {
    assert.equal(lead({ address: absent('no_situs_address') }), undefined);
    assert.equal(lead({ saleStatus: 'withdrawn' }), undefined);
    assert.equal(lead({ saleDate: '2026-11-20' }), undefined);
    assert.equal(lead({ saleDate: '2026-11-21' })?.score.rationale.urgency, '20 points: sale today');
  });

  it("counts the days in the county's calendar", () => {
    assert.equal(lead()?.score.rationale.urgency, '20 points: sale in 7 days');
    const eveningBefore = new Date('2026-11-21T03:00:00.000Z');
    assert.equal(lead({}, eveningBefore)?.score.rationale.urgency, '15 points: sale in 8 days');
  });
});

describe('findSignalLead', () => {
  const signal: Signal = {
    ...observeSignal({ yearsOwed: unstated, taxSaleDate: known('2026-12-21') }),
    ...seen,
    id: 's1',
    addressStatus: 'complete',
    lastSeenAt: fresh,
  };
  const lead = (overrides: Partial<Signal> = {}, at = now) => findSignalLead({ ...signal, ...overrides }, licence, at);

  it('accepts a debt seen exactly seven days ago, and none seen a millisecond earlier', () => {
    assert.deepEqual([lead()?.address, lead()?.verifiedAt], ['100 Example Ave', fresh]);
    assert.equal(lead({ lastSeenAt: stale }), undefined);
  });

  it('accepts only a complete address', () => {
    for (const addressStatus of addressStatuses)
      assert.equal(lead({ addressStatus }) !== undefined, addressStatus === 'complete', addressStatus);
    assert.equal(lead({ address: absent('no_situs_address') }), undefined);
  });

  it("counts the days to the tax sale in the county's calendar, when its day is known", () => {
    assert.equal(lead()?.score.rationale.urgency, '30 points: tax sale in 30 days');
    const eveningBefore = new Date('2026-11-21T03:00:00.000Z');
    assert.equal(lead({}, eveningBefore)?.score.rationale.urgency, '20 points: tax sale in 31 days');
    assert.match(lead({ taxSaleDate: unstated })?.score.rationale.urgency ?? '', /^0 points: neither/);
  });
});

describe('findDealLead', () => {
  it('names a debt seen within seven days when the sale was not', () => {
    const lead = leadOf({
      signals: [debt('debt', { lastSeenAt: fresh })],
      auctions: [sale('sale', { lastSeenAt: stale })],
    });
    assert.deepEqual([lead?.sourceUrl, lead?.verifiedAt], [pageOf('debt'), fresh]);
    assert.match(lead?.score.rationale.base ?? '', /tax-delinquency record/);
  });

  it('names the sale when both were seen within seven days', () => {
    const lead = leadOf({
      signals: [debt('debt', { lastSeenAt: now })],
      auctions: [sale('sale', { lastSeenAt: fresh })],
    });
    assert.deepEqual([lead?.sourceUrl, lead?.verifiedAt], [pageOf('sale'), fresh]);
    assert.match(lead?.score.rationale.base ?? '', /sheriff sale/);
  });

  it('names a smaller debt and a later sale when the first of their kind was not seen within seven days', () => {
    const signals = [debt('large', { lastSeenAt: stale }), debt('small', { lastSeenAt: fresh, amount: '1' })];
    const auctions = [
      sale('next', { lastSeenAt: stale }),
      sale('later', { lastSeenAt: fresh, saleDate: '2027-01-12' }),
    ];
    assert.equal(leadOf({ signals, auctions: [] })?.sourceUrl, pageOf('small'));
    assert.equal(leadOf({ signals: [], auctions })?.sourceUrl, pageOf('later'));
  });

  it('accepts a match at exactly 0.85, and skips one below it', () => {
    const signals = [debt('unsure', { confidence: '0.84' }), debt('sure', { confidence: '0.85' })];
    const auctions = [sale('sale', { confidence: '0.84' })];
    assert.equal(leadOf({ signals, auctions })?.sourceUrl, pageOf('sure'));
    assert.equal(leadOf({ signals: [], auctions }), undefined);
  });

  it('finds no lead without a record, with a past sale, without an address, or with an old listing', () => {
    const matches = { signals: [debt('debt', {})], auctions: [] };
    assert.ok(leadOf(matches));
    assert.equal(leadOf({ signals: [], auctions: [] }), undefined);
    assert.equal(leadOf({ signals: [], auctions: [sale('sale', { saleDate: '2026-11-19' })] }), undefined);
    assert.equal(leadOf(matches, { address: absent('not_stated_by_source') }), undefined);
    assert.equal(leadOf(matches, { lastSeenAt: stale }), undefined);
    assert.ok(leadOf(matches, { address: known('1 Example St'), lastSeenAt: fresh }));
  });

  it('is found only for those records, and keeps the values and the reasons of the deal', () => {
    const check = createValidators(loadContract()).at<Wire.MotivatedListingLead>(
      '#/components/schemas/MotivatedListingLead',
    );
    let found = 0;
    const property = fc.property(recentDeals, (deal) => {
      const { listing, matches, scoredAt: at } = deal;
      const isRecent = ({ lastSeenAt }: { readonly lastSeenAt: Date }) =>
        at.getTime() - lastSeenAt.getTime() <= 7 * dayMs;
      const today = at.toISOString().slice(0, 10);
      const records = [
        ...matches.auctions.filter(({ saleDate, saleStatus }) => saleDate >= today && open.has(saleStatus)),
        ...matches.signals,
      ].filter(isRecent);
      const lead = findDealLead(deal, at);
      assert.equal(lead !== undefined, records.length > 0 && isKnown(listing.address) && isRecent(listing));
      if (lead === undefined) return;
      found++;
      const wire = leadToWire(lead);
      assert.ok(check(wire), JSON.stringify(check.faults()[0]));
      const { source_url: page, lead_type: _, lead_score: score, score_rationale: rationale, ...record } = wire;
      assert.deepEqual(record, dealToWire(deal));
      assert.equal(page, records[0]?.sourceUrl);
      const points = Object.values(rationale).map((text) => Number.parseInt(text));
      assert.equal(
        score,
        Math.min(
          100,
          points.reduce((sum, each) => sum + each, 0),
        ),
      );
    });
    fc.assert(property, { numRuns: 400 });
    assert.ok(found > 80 && found < 320, `${found} leads`);
  });
});

const dayMs = 86_400_000;
const open: ReadonlySet<string> = new Set(['scheduled', 'adjourned', 'unknown']);

/** Random deals, seen within ten days like their county records; at noon, when the day is the same in every county. */
const recentDeals = fc
  .tuple(anyDeal, fc.infiniteStream(fc.integer({ min: 0, max: 10 * 24 })))
  .map(([{ listing, underwriting, matches, scoredAt }, hours]) => {
    const now = new Date(`${scoredAt.toISOString().slice(0, 10)}T18:00:00.000Z`);
    const seen = <Record extends object>(record: Record) => ({
      ...record,
      lastSeenAt: new Date(now.getTime() - Number(hours.next().value) * 3_600_000),
    });
    const recent = { signals: matches.signals.map(seen), auctions: matches.auctions.map(seen) };
    const inputs = { listing: seen(listing), underwriting, metroMedianCapPct: known('7.40'), now };
    return composeDeal({ ...inputs, distress: distressOf(recent, now) }, recent);
  });

/** The lead of a deal whose listing was seen today, with these county records. */
function leadOf(matches: PropertyMatches, listing: Partial<Deal['listing']> = {}) {
  const inputs = buildScoreInputs({ lastSeenAt: now, ...listing }, { distress: distressOf(matches, now), now });
  return findDealLead(composeDeal(inputs, matches), now);
}
