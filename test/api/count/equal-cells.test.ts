import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createCountFeed } from '../../../src/api/count/count-feed.js';
import {
  auctionBands,
  dealBands,
  leadBands,
  signalBands,
  type CountBands,
} from '../../../src/api/count/count-bands.js';
import type { QueryValues } from '../../../src/api/count/grid.js';
import {
  auctionFilterFromQuery,
  dealFilterFromQuery,
  leadFilterFromQuery,
  signalFilterFromQuery,
} from '../../../src/api/data/filters-from-query.js';
import type { Feed } from '../../../src/feeds/feed.js';
import { auctionKind, type AuctionColumns } from '../../../src/feeds/query/auction-kind.js';
import { dealKind, type DealColumns } from '../../../src/feeds/query/deal-kind.js';
import type { FeedKind } from '../../../src/feeds/query/feed-kind.js';
import type { Identified } from '../../../src/feeds/query/identified.js';
import { leadKind, type LeadColumns } from '../../../src/feeds/query/lead-kind.js';
import { signalKind, type SignalColumns } from '../../../src/feeds/query/signal-kind.js';
import { createSnapshot } from '../../../src/feeds/query/snapshot.js';
import { createEmptyRecords } from '../../../src/feeds/store/in-memory-records.js';
import { deep } from '../../support/depth.js';

const recordCount = 300;
const questions = deep(10_000, 600);
const dayMs = 86_400_000;
const firstDayMs = Date.parse('2026-03-12T00:00:00.000Z');
const now = new Date('2026-06-10T15:00:00.000Z');

/** Draws a number below another; the same ones for the same seed. */
type Draw = (below: number) => number;

function createDraw(seed: number): Draw {
  let state = (seed % 2_147_483_646) + 1;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

/**
 * A value of a cell, by the cell's number, which both feeds share, and a draw, which they do not: on the mark where the
 * cell begins, or anywhere behind it and before the next one.
 */
function inCell(cell: Draw, own: Draw, cells: number, width: number, start = 0): number {
  const mark = start + cell(cells) * width;
  return cell(4) === 0 ? mark : mark + 1 + own(width - 1);
}

const states = ['OH', 'TX', 'IN'] as const;
const places = [
  { state: 'OH', county: 'cuyahoga county, oh', countyFips: '39035', metro: 'cleveland', zip: '44105' },
  { state: 'OH', county: 'lucas county, oh', countyFips: '39095', metro: 'toledo', zip: '43609' },
  { state: 'TX', county: 'dallas county, tx', countyFips: '48113', metro: 'dallas', zip: '75201' },
  { state: 'IN' },
] as const;
const statuses = ['Hot', 'Warm', 'Pass'] as const;
const idOf = (index: number): string => `${((index * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-0000`;
const dateAt = (days: number): string => new Date(Date.UTC(2026, 5, 1) + days * dayMs).toISOString().slice(0, 10);

/** Records by their numbers; `cell` draws what a cell is, `own` the value within it. */
type DrawRecord<Columns> = (index: number, cell: Draw, own: Draw) => Columns;

const drawDeal: DrawRecord<DealColumns> = (index, cell, own) => ({
  id: idOf(index),
  ...(places[cell(places.length)] ?? places[0]),
  city: ['Cleveland', 'Toledo'][cell(2)] ?? '',
  dealScore: inCell(cell, own, 20, 5),
  confidenceHundredths: inCell(cell, own, 10, 10),
  priceCents: cell(9) === 0 ? undefined : inCell(cell, own, 40, 2_500_000),
  capHundredths: cell(9) === 0 ? undefined : inCell(cell, own, 30, 50),
  units: [1, 2, 3, 4, 5][cell(5)] ?? 1,
  rentalStatus: statuses[cell(3)] ?? 'Pass',
  wholesaleStatus: statuses[cell(3)] ?? 'Pass',
  creativeStatus: statuses[cell(3)] ?? 'Pass',
  reliability: ['ok', 'unknown'][cell(2)] ?? 'ok',
  propertyType: ['duplex', 'triplex', undefined][cell(3)],
  dscrComputed: cell(2) === 0,
  centsPerUnit: inCell(cell, own, 20, 1_000_000),
  // A band of what is told ends at 1.25, within a cell of the grid.
  dscrHundredths: inCell(cell, own, 40, 5),
  capUnderwrittenHundredths: inCell(cell, own, 20, 50),
  capGapHundredths: inCell(cell, own, 20, 50, -500),
  priceCutTenths: inCell(cell, own, 20, 10),
  priceCutCents: inCell(cell, own, 20, 500_000),
  yearBuilt: inCell(cell, own, 12, 10, 1900),
  daysOnFeed: inCell(cell, own, 10, 7),
  firstSeenMs: inCell(cell, own, 60, dayMs, firstDayMs),
  lastCutMs: cell(3) === 0 ? undefined : inCell(cell, own, 60, dayMs, firstDayMs),
  lastVerified: new Date(0),
  sources: 'one',
});
/** Where a cell of amounts begins, and its width, in cents. The marks are 1, 2 and 5 times a power of ten dollars. */
const amountCells = [
  [100_000, 100_000],
  [200_000, 300_000],
  [500_000, 500_000],
  [5_000_000, 5_000_000],
] as const;
function amountIn(cell: Draw, own: Draw): number {
  const [start, width] = amountCells[cell(amountCells.length)] ?? amountCells[0];
  return inCell(cell, own, 1, width, start);
}

const drawSignal: DrawRecord<SignalColumns> = (index, cell, own) => ({
  id: idOf(index),
  ...(places[cell(places.length)] ?? places[0]),
  amountCents: amountIn(cell, own),
  signalType: ['tax_delinquent', 'tax_lien'][cell(2)] ?? '',
  hasAddress: cell(2) === 0,
  firstSeenMs: inCell(cell, own, 60, dayMs, firstDayMs),
  lastSeenMs: now.getTime(),
  sources: 'one',
});
const drawAuction: DrawRecord<AuctionColumns> = (index, cell, own) => ({
  id: idOf(index),
  ...(places[cell(places.length)] ?? places[0]),
  // 2026-06-01 is a Monday. Sales of past days are no question of a cell.
  saleDate: dateAt(14 + cell(10) * 7 + own(7)),
  timeZone: 'America/New_York',
  appraisedCents: cell(5) === 0 ? undefined : amountIn(cell, own),
  isOpen: cell(5) > 0,
  saleStatus: ['scheduled', 'adjourned'][cell(2)] ?? '',
  openingBidCents: cell(5) === 0 ? undefined : amountIn(cell, own),
  firstSeenMs: inCell(cell, own, 60, dayMs, firstDayMs),
  lastSeenMs: now.getTime(),
  sources: 'one',
});
const drawLead: DrawRecord<LeadColumns> = (index, cell, own) => ({
  id: idOf(index),
  ...(places[cell(places.length)] ?? places[0]),
  leadScore: inCell(cell, own, 20, 5),
  leadType: ['sheriff_sale_auction', 'tax_delinquent_owner'][cell(2)] ?? '',
  saleDate: cell(2) === 0 ? undefined : dateAt(14 + cell(10) * 7 + own(7)),
  timeZone: 'America/New_York',
  verifiedMs: now.getTime(),
  firstSeenMs: now.getTime(),
  sources: 'one',
});

const several = <T>(...values: readonly T[]) => fc.subarray([...values], { minLength: 1, maxLength: 2 });
const between = (min: number, max: number) =>
  fc.oneof(
    fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
    fc.double({ min, max, noNaN: true }).map((value) => Number(value.toFixed(2))),
  );
const date = fc.integer({ min: 0, max: 90 }).map(dateAt);
const moment = fc
  .integer({ min: 0, max: 89 * 24 * 60 })
  .map((minutes) => new Date(now.getTime() - minutes * 60_000).toISOString());
const place = {
  state: several(...states),
  county: fc.constantFrom('Lucas', 'Cuyahoga, OH'),
  zip: several('44105', '43609', '99999'),
  metro: several('cleveland', 'toledo'),
};
const dealQuestions = {
  ...place,
  city: fc.constantFrom('Toledo', 'nowhere'),
  min_price: between(0, 1_100_000),
  max_price: between(0, 1_100_000),
  min_cap: between(0, 16),
  min_units: fc.integer({ min: 0, max: 6 }),
  max_units: fc.integer({ min: 0, max: 6 }),
  min_score: fc.integer({ min: 0, max: 100 }),
  status: several(...statuses),
  reliability: several('ok', 'unknown'),
  property_type: several('duplex', 'triplex'),
  min_price_per_unit: between(0, 210_000),
  max_price_per_unit: between(0, 210_000),
  min_dscr: between(0, 2.2),
  min_confidence: between(0, 1),
  min_cap_underwritten: between(0, 11),
  max_cap_gap: between(-6, 6),
  min_year_built: fc.integer({ min: 1890, max: 2030 }),
  max_year_built: fc.integer({ min: 1890, max: 2030 }),
  min_days_on_feed: fc.integer({ min: 0, max: 80 }),
  max_days_on_feed: fc.integer({ min: 0, max: 80 }),
  min_price_cut_pct: between(0, 21),
  min_price_cut: between(0, 110_000),
  price_cut_since: moment,
  first_seen_since: moment,
};
const amounts = between(0, 70_000);

describe('two feeds whose records share the cell of every column give equal free answers', () => {
  itHolds('deals', dealKind, drawDeal, dealBands, dealFilterFromQuery as never, dealQuestions);
  itHolds('signals', signalKind, drawSignal, signalBands, signalFilterFromQuery as never, {
    ...place,
    min_amount: amounts,
    first_seen_since: moment,
    has_address: fc.constant(true),
    signal_type: fc.constant('tax_lien'),
  });
  itHolds('auctions', auctionKind, drawAuction, auctionBands, (query) => auctionFilterFromQuery(query, now), {
    ...place,
    from_date: date,
    to_date: date,
    min_appraised: amounts,
    max_opening_bid: amounts,
    sale_status: several('scheduled', 'adjourned'),
    first_seen_since: moment,
  });
  itHolds('leads', leadKind, drawLead, leadBands, leadFilterFromQuery as never, {
    ...place,
    lead_type: fc.constantFrom('sheriff_sale_auction', 'tax_delinquent_owner'),
    min_score: fc.integer({ min: 0, max: 100 }),
    from_date: date,
    to_date: date,
  });
});

function itHolds<Rank extends Identified, Columns extends Rank & Identified, Filter extends object>(
  name: string,
  kind: FeedKind<Rank, Columns, Filter>,
  drawRecord: DrawRecord<Columns>,
  countBands: CountBands<Columns, Filter>,
  toFilter: (query: QueryValues) => Filter,
  asked: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): void {
  it(`to ${questions} questions about ${name}`, async () => {
    const [one, other] = await Promise.all([1, 2].map((own) => count(own)));
    assert.ok(one && other);
    let told = 0;
    const question = fc
      .subarray(Object.keys(asked), { maxLength: 4 })
      .chain((names) => fc.record(Object.fromEntries(names.map((each) => [each, asked[each] ?? fc.constant('')]))));
    const property = fc.property(question, (query) => {
      const answer = one(query);
      if ((answer.rows ?? []).length > 0) told++;
      assert.deepEqual(answer, other(query), JSON.stringify(query));
    });
    fc.assert(property, { numRuns: questions });
    assert.ok(told > questions / 20, `${told} answers told of records`);
  });

  async function count(own: number) {
    const [cells, owns] = [createDraw(7), createDraw(own * 1_000)];
    const change = createEmptyRecords<Rank, Columns>(kind).change();
    for (let index = 0; index < recordCount; index++) change.put(drawRecord(index, cells, owns));
    const records = await change.finish(() => Promise.resolve());
    const parts = { version: 1, publishedAt: now, records };
    const snapshot = await createSnapshot(kind as never, parts as never, () => Promise.resolve());
    const feed = {
      name,
      current: () => snapshot,
      excludedKey: () => '',
      tally: snapshot.tally,
      first: () => undefined,
    };
    const counter = createCountFeed(feed as unknown as Feed<never, Columns, Filter, never>, toFilter, countBands);
    return (query: QueryValues) => counter.count(query, new Map());
  }
}
