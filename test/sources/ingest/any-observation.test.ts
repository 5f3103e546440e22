import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Maybe } from '../../../src/absence.js';
import { createAuctionReader } from '../../../src/counties/auctions/auction-reader.js';
import type { Auction } from '../../../src/counties/auctions/auction.js';
import type { Database } from '../../../src/db/database.js';
import { createSignalReader } from '../../../src/counties/signals/signal-reader.js';
import type { Signal } from '../../../src/counties/signals/signal.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import { openSuppression } from '../../policy/suppression.js';
import { assertMaybe, maybe } from '../../support/arbitrary-maybe.js';
import { openTestDatabase } from '../../support/database.js';
import { anyAuction, anySignal, numberAuctions, numberSignals } from './arbitrary-observation.js';
import { createScriptedDelivery } from './scripted-delivery.js';
import { clock, ingestOptions, setDay } from './scripted-source.js';

const anySignals = fc.array(anySignal(maybe), { maxLength: 12 }).map(numberSignals);
const anyAuctions = fc.array(anyAuction(maybe), { maxLength: 12 }).map(numberAuctions);

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

  it('of a delinquency is read back value for value and reason for reason, for any absence', async function () {
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
      }),
      { numRuns: 25 },
    );
  });

  it('of a sale is read back value for value and reason for reason, for any absence', async function () {
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
