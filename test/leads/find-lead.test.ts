import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import type { Deal } from '../../src/deals/deal.js';
import { distressOf } from '../../src/deals/distress-of.js';
import { findDealLead } from '../../src/leads/find-lead.js';
import type { MatchedAuction, MatchedSignal, PropertyMatches } from '../../src/matches/property-matches.js';
import { composeDeal } from '../reports/arbitrary-deal.js';
import { someMatches } from '../reports/some-matches.js';
import { buildScoreInputs } from '../scoring/build-score-inputs.js';

const now = new Date('2026-11-21T06:00:00.000Z');
const fresh = new Date('2026-11-14T06:00:00.000Z');
const stale = new Date('2026-11-14T05:59:59.999Z');

const debt = (id: string, others: Partial<MatchedSignal>): MatchedSignal => merge(someMatches.signals[0], id, others);
const sale = (id: string, others: Partial<MatchedAuction>): MatchedAuction =>
  merge(someMatches.auctions[0], id, others);

describe('findDealLead', () => {
  it('names a debt seen within seven days where the sale was not', () => {
    const lead = leadOf({
      signals: [debt('debt', { lastSeenAt: fresh })],
      auctions: [sale('sale', { lastSeenAt: stale })],
    });
    assert.deepEqual([lead?.sourceUrl, lead?.verifiedAt], ['https://county.example/debt', fresh]);
    assert.match(lead?.score.rationale.base ?? '', /tax-delinquency record/);
  });

  it('names the sale where both were seen within seven days', () => {
    const lead = leadOf({
      signals: [debt('debt', { lastSeenAt: now })],
      auctions: [sale('sale', { lastSeenAt: fresh })],
    });
    assert.deepEqual([lead?.sourceUrl, lead?.verifiedAt], ['https://county.example/sale', fresh]);
    assert.match(lead?.score.rationale.base ?? '', /sheriff sale/);
  });

  it('names a smaller debt and a later sale where the first of their kind was not seen within seven days', () => {
    const signals = [debt('large', { lastSeenAt: stale }), debt('small', { lastSeenAt: fresh, amount: '1' })];
    const auctions = [
      sale('next', { lastSeenAt: stale }),
      sale('later', { lastSeenAt: fresh, saleDate: '2027-01-12' }),
    ];
    assert.equal(leadOf({ signals, auctions: [] })?.sourceUrl, 'https://county.example/small');
    assert.equal(leadOf({ signals: [], auctions })?.sourceUrl, 'https://county.example/later');
  });

  it('takes a match at exactly 0.85, and passes over one below it', () => {
    const signals = [debt('unsure', { confidence: '0.84' }), debt('sure', { confidence: '0.85' })];
    const auctions = [sale('sale', { confidence: '0.84' })];
    assert.equal(leadOf({ signals, auctions })?.sourceUrl, 'https://county.example/sure');
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
});

/** The lead of a deal whose listing was seen today, with these county records. */
function leadOf(matches: PropertyMatches, listing: Partial<Deal['listing']> = {}) {
  const inputs = buildScoreInputs({ lastSeenAt: now, ...listing }, { distress: distressOf(matches, now), now });
  return findDealLead({ ...composeDeal(inputs), matches }, now);
}

function merge<Record extends object>(base: Record | undefined, id: string, others: Partial<Record>): Record {
  assert.ok(base);
  return { ...base, id, sourceUrl: `https://county.example/${id}`, ...others };
}
