import assert from 'node:assert/strict';
import fc from 'fast-check';
import { auctionKind, type AuctionColumns } from '../../../src/feeds/query/auction-kind.js';
import { dealKind, type DealColumns } from '../../../src/feeds/query/deal-kind.js';
import type { FeedKind } from '../../../src/feeds/query/feed-kind.js';
import type { Identified } from '../../../src/feeds/query/identified.js';
import { compareRanks } from '../../../src/feeds/query/feed-order.js';
import { createRecordStore } from '../../../src/feeds/store/in-memory-records.js';
import {
  createEmptyRecords,
  type InMemoryRecords,
  type RecordChange,
} from '../../../src/feeds/store/in-memory-records.js';
import { hashId } from '../../../src/feeds/query/id-table.js';
import { leadKind, type LeadColumns } from '../../../src/feeds/query/lead-kind.js';
import { signalKind, type SignalColumns } from '../../../src/feeds/query/signal-kind.js';
import { makeDeal } from '../deals.js';
import { deep } from '../../support/depth.js';

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
/** Few, and alike: some are put again and again, and words of theirs are equal. */
const ids = Array.from({ length: 24 }, (_, index) =>
  [`0000000${index % 2}`, '0000-4000-8000', `00000000${String(index).padStart(4, 'f')}`].join('-'),
);
const date = fc.constantFrom('2026-11-21', '2026-11-22', '2026-12-01');
const zip = optional(fc.constantFrom('44105', '00601'));
const place = {
  state: fc.constantFrom('OH', 'TX'),
  county: optional(fc.constantFrom('cuyahoga county, oh', '', '東京')),
  countyFips: optional(fc.constant('39035')),
  metro: optional(fc.constant('cleveland')),
  zip,
  point: optional(fc.nat()),
};
const moment = fc.constantFrom(0, 1_795_300_000_123);

const signal: fc.Arbitrary<Omit<SignalColumns, 'id'>> = fc.record({
  amountCents: fc.constantFrom(0, 1, 99_999, 2 ** 40, Number.MAX_SAFE_INTEGER),
  signalType: fc.constant('tax_delinquent'),
  ...place,
  hasAddress: fc.boolean(),
  firstSeenMs: moment,
  lastSeenMs: moment,
  sources: fc.constantFrom('a-county', 'a-county a-roll'),
});
const lead: fc.Arbitrary<Omit<LeadColumns, 'id'>> = fc.record({
  ...place,
  leadScore: fc.constantFrom(0, 50, 100),
  leadType: fc.constantFrom('motivated_listing', 'tax_delinquent_owner'),
  saleDate: optional(date),
  timeZone: optional(fc.constant('America/New_York')),
  verifiedMs: moment,
  firstSeenMs: moment,
  sources: fc.constant('a-county'),
  matched: optional(fc.constantFrom('one', 'one two')),
});
const auction: fc.Arbitrary<Omit<AuctionColumns, 'id'>> = fc.record({
  ...place,
  saleDate: date,
  saleStatus: fc.constantFrom('scheduled', 'sold'),
  openingBidCents: optional(fc.nat()),
  firstSeenMs: moment,
  timeZone: fc.constant('America/New_York'),
  appraisedCents: optional(fc.nat()),
  isOpen: fc.boolean(),
  lastSeenMs: moment,
  sources: fc.constant('a-county'),
});
const deal: fc.Arbitrary<Omit<DealColumns, 'id'>> = fc
  .record({ dealScore: fc.constantFrom(0, 50, 100), confidenceHundredths: fc.constantFrom(0, 100) })
  .map(({ dealScore, confidenceHundredths }) => {
    const doubts = { isPriceDoubted: false, isCapDoubted: false };
    const { id: _, ...columns } = makeDeal({ id: '', dealScore, confidenceHundredths, ...doubts });
    return columns;
  });

describe('the records of a version in memory', () => {
  describe('of signals, packed', () => itHolds(signalKind, signal));
  describe('of leads, packed', () => itHolds(leadKind, lead));
  describe('of auctions, as objects', () => itHolds(auctionKind, auction));
  describe('of deals, packed', () => itHolds(dealKind, deal));
});

/** Of one id after the other: the record that is put, or undefined where it is removed. */
type Change<Item> = ReadonlyMap<string, Item | undefined>;

function itHolds<Rank extends Identified, Columns extends Rank>(
  kind: FeedKind<Rank, Columns, never>,
  columns: fc.Arbitrary<Omit<Columns, 'id'>>,
): void {
  // An id and what else there is of a record are the record.
  const whole = fc.tuple(fc.constantFrom(...ids), optional(columns));
  const change: fc.Arbitrary<Change<Columns>> = fc
    .array(whole, { maxLength: 30 })
    .map((all) => new Map(all.map(([id, rest]) => [id, rest && ({ ...rest, id } as Identified as Columns)])));

  it('are what was put and not removed, in the order of the feed, in every version that is kept', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const known = new Map<string, Columns>();
        let records = createEmptyRecords<Rank, Columns>(kind);
        const versions = [{ records, expected: [] as readonly Columns[] }];
        for (const each of changes) {
          await tryInVain(records, each);
          const next = records.change();
          putAll(next, each);
          for (const [id, record] of each) {
            known.delete(id);
            if (record !== undefined) known.set(id, record);
          }
          records = await next.finish(turn);
          versions.push({ records, expected: [...known.values()].sort(compareRanks<Rank>(kind.order)) });
        }
        for (const version of versions) {
          assert.deepEqual(
            Array.from(version.records, (record) => copy(kind, record)),
            version.expected.map((record) => copy(kind, record)),
          );
          assert.equal(version.records.length, version.expected.length);
          version.expected.forEach(({ id }, position) => {
            assert.equal(version.records.at(position)?.id, id);
            assert.equal(version.records.idHash(position), hashId(id));
          });
          assert.equal(version.records.at(version.expected.length), undefined);
          assert.equal(version.records.at(-1), undefined);
        }
      }),
      { numRuns: deep(300, 25) },
    );
  });

  it('leave nothing behind of a change that was abandoned, at whatever point', async () => {
    await fc.assert(
      fc.asyncProperty(change, change, fc.boolean(), async (first, second, isFinished) => {
        const store = createRecordStore<Rank, Columns>(kind);
        const records = createEmptyRecords<Rank, Columns>(kind, store).change();
        putAll(records, first);
        const kept = await records.finish(turn);
        const { size } = store;
        const next = kept.change();
        putAll(next, second);
        if (isFinished) await next.finish(turn);
        next.abandon();
        assert.equal(store.size, size);
      }),
      { numRuns: deep(100, 10) },
    );
  });

  it('are in order also when they are sorted in many pieces, with turns of the event loop between', async () => {
    const [sample] = fc.sample(columns, { numRuns: 1 });
    const change = createEmptyRecords<Rank, Columns>(kind).change();
    const count = 30_000;
    for (let index = 0; index < count; index++) {
      const id = `${((index * 104_729) % count).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
      change.put({ ...sample, id } as Identified as Columns);
    }
    let turns = 0;
    const records = await change.finish(() => Promise.resolve(void turns++));
    for (let position = 0; position < count; position++) assert.equal(records.idHash(position), position);
    assert.ok(turns > count / 10_000, `${turns} turns`);
  });
}

const turn = (): Promise<void> => Promise.resolve();

function putAll<Item extends Identified>(change: RecordChange<Item>, all: Change<Item>): void {
  for (const [id, record] of all) {
    if (record === undefined) change.remove(id);
    else change.put(record);
  }
}

/** Loads that fail, one at its beginning and one at its end. */
async function tryInVain<Item extends Identified>(records: InMemoryRecords<Item>, all: Change<Item>): Promise<void> {
  const cutOff = records.change();
  putAll(cutOff, all);
  cutOff.abandon();
  const late = records.change();
  putAll(late, all);
  await late.finish(turn);
  late.abandon();
}

/** The columns that a record has, each read from it. */
function copy<Rank extends Identified, Columns extends Rank>(kind: FeedKind<Rank, Columns, never>, record: Columns) {
  const names = kind.packing === undefined ? Object.keys(record) : ['id', ...Object.keys(kind.packing)];
  return Object.fromEntries(names.map((name) => [name, record[name as keyof Columns]]));
}
