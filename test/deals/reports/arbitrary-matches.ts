import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { absent, known, type Maybe } from '../../../src/absence.js';
import { matchConfidences, type MatchType } from '../../../src/places/addresses/match-types.js';
import { saleStatuses } from '../../../src/counties/auctions/auction.js';
import type {
  MatchedAuction,
  MatchedSignal,
  PropertyMatches,
} from '../../../src/counties/matches/match-county-records.js';
import { instant } from '../scoring/arbitrary-score-inputs.js';

const ofCounty = { countyFips: '39035', state: 'OH', confidence: '0.98', matchType: 'exact_normalized' } as const;

/** A debt with every field; a test changes the relevant ones. */
export function matchSignal(overrides: Partial<MatchedSignal> = {}): MatchedSignal {
  return {
    ...ofCounty,
    id: '7c1f7a52-8f0e-5d3b-a1c4-2d7e9b6f0a31',
    lastSeenAt: new Date('2026-11-20T09:00:00.000Z'),
    sourceUrl: 'https://county.example/1',
    sourceNames: ['county'],
    signalType: 'tax_delinquent',
    parcelId: '123-45-678',
    amount: '8450.1',
    yearsOwed: known(2),
    ...overrides,
  };
}

/** A sale with every field; a test changes the relevant ones. */
export function matchAuction(overrides: Partial<MatchedAuction> = {}): MatchedAuction {
  return {
    ...ofCounty,
    id: '7c1f7a52-8f0e-5d3b-a1c4-2d7e9b6f0a33',
    lastSeenAt: new Date('2026-11-20T09:00:00.000Z'),
    sourceUrl: 'https://county.example/2',
    sourceNames: ['county'],
    auctionType: 'sheriff_sale',
    saleDate: '2026-12-08',
    saleStatus: 'scheduled',
    openingBid: known('60000'),
    appraisedValue: known('90000'),
    caseNumber: known('CV-26-123456'),
    ...overrides,
  };
}

/** A value, or any of the reasons for the absence of a source's value. */
export function maybeStated<T>(values: fc.Arbitrary<T>): fc.Arbitrary<Maybe<T>> {
  const reasons = fc.constantFrom(
    'not_stated_by_source',
    'not_published_by_source',
    'parse_failed',
    'suppressed_by_policy',
  );
  return fc.oneof({ weight: 3, arbitrary: values.map(known) }, { weight: 1, arbitrary: reasons.map(absent) });
}

const isEvidence = (type: MatchType): boolean => Number(matchConfidences[type]) >= 0.85;
const matchTypes = (Object.keys(matchConfidences) as MatchType[]).filter(isEvidence);
const money = fc.integer({ min: 1, max: 500_000_000 }).map((cents) => (cents / 100).toFixed(2));
const day = fc
  .date({ min: new Date('2026-06-01'), max: new Date('2027-06-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const record = fc
  .record({ id: fc.uuid(), lastSeenAt: instant, matchType: fc.constantFrom(...matchTypes) })
  .map((each) => ({
    ...each,
    confidence: matchConfidences[each.matchType],
    sourceUrl: `https://x.example/${each.id}`,
  }));

const anySignal = fc
  .tuple(record, fc.record({ amount: money, yearsOwed: maybeStated(fc.nat(200)) }))
  .map(([match, others]) => matchSignal({ ...match, ...others }));
const anyAuction = fc
  .tuple(
    record,
    fc.record({
      saleDate: day,
      saleStatus: fc.constantFrom(...saleStatuses),
      openingBid: maybeStated(money),
      appraisedValue: maybeStated(money),
      caseNumber: maybeStated(fc.constantFrom('CV-26-1', 'Ł 2')),
    }),
  )
  .map(([match, others]) => matchAuction({ ...match, ...others }));

/** Random county records of a property, none of them in a third of the cases, in the order of their match. */
export const anyMatches: fc.Arbitrary<PropertyMatches> = fc.record({
  signals: fc
    .array(anySignal, { maxLength: 3 })
    .map((signals) => signals.toSorted((one, other) => new Decimal(other.amount).comparedTo(one.amount))),
  auctions: fc
    .array(anyAuction, { maxLength: 3 })
    .map((auctions) => auctions.toSorted((one, other) => (one.saleDate < other.saleDate ? -1 : 1))),
});
