import assert from 'node:assert/strict';
import fc from 'fast-check';
import type * as Wire from '../../generated/types.gen.js';
import { absent, isKnown, known } from '../../src/absence.js';
import { dealToWire } from '../../src/api/wire/deal.js';
import { leadToWire } from '../../src/api/wire/lead.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { createValidators } from '../../src/contract/validators.js';
import type { Deal } from '../../src/deals/deal.js';
import { distressOf } from '../../src/deals/distress-of.js';
import { findDealLead } from '../../src/leads/find-lead.js';
import type { MatchedAuction, MatchedSignal, PropertyMatches } from '../../src/matches/property-matches.js';
import { anyDeal, composeDeal } from '../reports/arbitrary-deal.js';
import { matchAuction, matchSignal } from '../reports/arbitrary-matches.js';
import { buildScoreInputs } from '../scoring/build-score-inputs.js';

const now = new Date('2026-11-21T06:00:00.000Z');
const fresh = new Date('2026-11-14T06:00:00.000Z');
const stale = new Date('2026-11-14T05:59:59.999Z');

const pageOf = (id: string): string => `https://county.example/${id}`;
const debt = (id: string, others: Partial<MatchedSignal>) => matchSignal({ id, sourceUrl: pageOf(id), ...others });
const sale = (id: string, others: Partial<MatchedAuction>) => matchAuction({ id, sourceUrl: pageOf(id), ...others });

describe('findDealLead', () => {
  it('names a debt seen within seven days where the sale was not', () => {
    const lead = leadOf({
      signals: [debt('debt', { lastSeenAt: fresh })],
      auctions: [sale('sale', { lastSeenAt: stale })],
    });
    assert.deepEqual([lead?.sourceUrl, lead?.verifiedAt], [pageOf('debt'), fresh]);
    assert.match(lead?.score.rationale.base ?? '', /tax-delinquency record/);
  });

  it('names the sale where both were seen within seven days', () => {
    const lead = leadOf({
      signals: [debt('debt', { lastSeenAt: now })],
      auctions: [sale('sale', { lastSeenAt: fresh })],
    });
    assert.deepEqual([lead?.sourceUrl, lead?.verifiedAt], [pageOf('sale'), fresh]);
    assert.match(lead?.score.rationale.base ?? '', /sheriff sale/);
  });

  it('names a smaller debt and a later sale where the first of their kind was not seen within seven days', () => {
    const signals = [debt('large', { lastSeenAt: stale }), debt('small', { lastSeenAt: fresh, amount: '1' })];
    const auctions = [
      sale('next', { lastSeenAt: stale }),
      sale('later', { lastSeenAt: fresh, saleDate: '2027-01-12' }),
    ];
    assert.equal(leadOf({ signals, auctions: [] })?.sourceUrl, pageOf('small'));
    assert.equal(leadOf({ signals: [], auctions })?.sourceUrl, pageOf('later'));
  });

  it('takes a match at exactly 0.85, and passes over one below it', () => {
    const signals = [debt('unsure', { confidence: '0.84' }), debt('sure', { confidence: '0.85' })];
    const auctions = [sale('sale', { confidence: '0.84' })];
    assert.equal(leadOf({ signals, auctions })?.sourceUrl, pageOf('sure'));
    assert.equal(leadOf({ signals: [], auctions }), undefined);
  });

  it('finds no lead without a record, with a sale that is over, without an address, or with an old listing', () => {
    const matches = { signals: [debt('debt', {})], auctions: [] };
    assert.ok(leadOf(matches));
    assert.equal(leadOf({ signals: [], auctions: [] }), undefined);
    assert.equal(leadOf({ signals: [], auctions: [sale('sale', { saleDate: '2026-11-19' })] }), undefined);
    assert.equal(leadOf(matches, { address: absent('not_stated_by_source') }), undefined);
    assert.equal(leadOf(matches, { lastSeenAt: stale }), undefined);
    assert.ok(leadOf(matches, { address: known('1 Example St'), lastSeenAt: fresh }));
  });

  it('of any deal is found for those records alone, and sold with the values and the reasons of the deal', () => {
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
    fc.assert(property, { seed: 20261122, numRuns: 400 });
    assert.ok(found > 80 && found < 320, `${found} leads`);
  });
});

const dayMs = 86_400_000;
const open: ReadonlySet<string> = new Set(['scheduled', 'adjourned', 'unknown']);

/** Any deals, seen within ten days like their county records; midday, when the day is the same in every county. */
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
