import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Maybe } from '../../src/absence.js';
import { createAuctionReader } from '../../src/auctions/auction-reader.js';
import { type Auction, type ObservedAuction, saleStatuses } from '../../src/auctions/auction.js';
import type { Database } from '../../src/db/database.js';
import { createSignalReader } from '../../src/signals/signal-reader.js';
import type { ObservedSignal, Signal } from '../../src/signals/signal.js';
import { ingestSource } from '../../src/sources/ingest-source.js';
import { observeAuction } from '../auctions/observed-auction.js';
import { openSuppression } from '../policy/suppression.js';
import { observeSignal } from '../signals/observed-signal.js';
import { assertMaybe, maybe } from '../support/arbitrary-maybe.js';
import { openTestDatabase } from '../support/database.js';
import { createScriptedDelivery } from './scripted-delivery.js';
import { clock, ingestOptions, setDay } from './scripted-source.js';

const text = fc.string({ minLength: 1, maxLength: 20 }).filter((each) => !/[\p{Cc}\p{Cs}]/u.test(each));
const street = fc.oneof(text, fc.constantFrom('100 Example Ave', '0 Example Ave', 'Justice Center', 'PO Box 1'));
const money = fc
  .bigInt({ min: 1n, max: 10n ** 12n })
  .map((cents) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`);
const dayText = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const anySignals: fc.Arbitrary<ObservedSignal[]> = fc
  .array(
    fc.record({
      address: maybe(street),
      city: maybe(text),
      zip: maybe(fc.constantFrom('44105', '44109')),
      ownerName: text,
      amount: money,
      yearsOwed: maybe(fc.nat()),
      taxSaleDate: maybe(dayText),
      assessedValue: maybe(money),
      sourcePublishedAt: maybe(dayText.map((day) => new Date(day))),
      listYear: maybe(fc.integer({ min: 1990, max: 2030 })),
    }),
    { maxLength: 12 },
  )
  .map((signals) =>
    signals.map((each, index) => observeSignal({ ...each, sourceKey: `s${index}`, parcelId: `P-${index + 1}` })),
  );

const anyAuctions: fc.Arbitrary<ObservedAuction[]> = fc
  .array(
    fc.record({
      saleDate: dayText,
      saleStatus: fc.constantFrom(...saleStatuses),
      address: maybe(street),
      city: maybe(text),
      zip: maybe(fc.constant('44105')),
      parcelId: maybe(text),
      appraisedValue: maybe(money),
      openingBid: maybe(money),
      judgmentAmount: maybe(money),
      depositRequirement: maybe(money),
      plaintiff: maybe(text),
      defendant: maybe(text),
      attorney: maybe(text),
      caseStatus: maybe(text),
      statusHistory: fc.array(fc.record({ status: fc.constantFrom(...saleStatuses), date: maybe(dayText), text }), {
        maxLength: 3,
      }),
    }),
    { maxLength: 12 },
  )
  .map((auctions) =>
    auctions.map((each, index) =>
      observeAuction({ ...each, sourceKey: `a${index}`, caseNumber: { value: `CV-${index}` } }),
    ),
  );

describe('any observation', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
  });
  afterEach(() => database.close());

  const ports = () => ({ knex: database.knex, suppression: openSuppression(database.knex), now: () => clock.now });
  const isMaybe = (value: unknown): value is Maybe<unknown> =>
    typeof value === 'object' && value !== null && ('value' in value || 'absent' in value);
  const assertSame = (kept: Signal | Auction, observed: object, except: readonly string[]) => {
    for (const [name, value] of Object.entries(kept)) if (isMaybe(value)) assertMaybe(name, value);
    for (const [name, value] of Object.entries(observed))
      if (!except.includes(name))
        assert.deepEqual(Object.entries(kept).find(([each]) => each === name)?.[1], value, name);
  };

  it('of a delinquency is read back value for value and reason for reason, whatever is missing', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(anySignals, async (observed) => {
        await database.knex('signals').delete();
        const source = createScriptedDelivery('signals');
        source.deliver({ pages: [observed] });
        const report = await ingestSource(source, { ...ingestOptions(database.knex), acceptShrink: true });
        assert.equal(report.accepted, observed.length);
        const kept: Signal[] = [];
        for await (const chunk of createSignalReader(ports()).readOffered()) kept.push(...chunk);
        assert.equal(kept.length, observed.length);
        for (const signal of kept) {
          const original = observed.find(({ sourceKey }) => sourceKey === signal.sourceKey);
          assert.ok(original);
          assertSame(signal, original, ['address']);
          assert.equal('value' in signal.address, signal.addressStatus === 'complete');
          if ('value' in signal.address) assert.deepEqual(signal.address, original.address);
        }
        const counted = await createSignalReader(ports()).countOffered();
        assert.equal(
          counted.reduce((sum, { withAddress }) => sum + withAddress, 0),
          kept.filter(({ addressStatus }) => addressStatus === 'complete').length,
        );
      }),
      { numRuns: 25 },
    );
  });

  it('of a sale is read back value for value and reason for reason, whatever is missing', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(anyAuctions, async (observed) => {
        await database.knex('auctions').delete();
        await database.knex('auction_statuses').delete();
        const source = createScriptedDelivery('auctions');
        source.deliver({ pages: [observed] });
        await ingestSource(source, { ...ingestOptions(database.knex), acceptShrink: true });
        const kept: Auction[] = [];
        for await (const chunk of createAuctionReader(ports()).readOffered()) kept.push(...chunk);
        assert.equal(kept.length, observed.length);
        for (const auction of kept) {
          const original = observed.find(({ sourceKey }) => sourceKey === auction.sourceKey);
          assert.ok(original);
          assertSame(auction, original, ['address', 'statusHistory']);
          for (const entry of original.statusHistory)
            assert.ok(auction.statusHistory.some((each) => isDeepStrictEqual(each, { ...entry })));
          assert.ok(auction.statusHistory.some(({ status }) => status === auction.saleStatus));
        }
      }),
      { numRuns: 25 },
    );
  });
});
