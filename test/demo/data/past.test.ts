import assert from 'node:assert/strict';
import { known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import { createListingPasts, type ListingPast } from '../../../src/demo/data/create-past.js';
import { writePast } from '../../../src/demo/data/past-store.js';
import { identifyByAddress } from '../../../src/listings/listing-identity.js';
import type { ObservedListing } from '../../../src/listings/listing.js';
import { ingestSource } from '../../../src/sources/ingest/ingest-source.js';
import { observe } from '../../listings/observation.js';
import { createScriptedDelivery } from '../../sources/ingest/scripted-delivery.js';
import { openTestDatabase } from '../../support/database.js';

const firstDay = new Date('2026-11-28T05:00:00.000Z');
const minuteMs = 60_000;
const dayMs = 86_400_000;
const price = 300_000;
const pasts = createListingPasts()
  .filter(({ sourceKey }) => sourceKey.startsWith('D'))
  .slice(0, 150);

describe('the past of the demonstration', () => {
  let database: Database;
  let now = firstDay;
  const source = createScriptedDelivery('listings', { name: 'demo-heartland', now: () => now });
  beforeEach(async () => (database = await openTestDatabase()));
  afterEach(() => database.close());

  async function readDay(daysAgo: number): Promise<void> {
    now = new Date(firstDay.getTime() + minuteMs - daysAgo * dayMs);
    source.deliver({ pages: [pasts.flatMap((past, index) => shownAt(past, index, daysAgo))] });
    const options = { identify: identifyByAddress, countyOf: () => undefined, now: () => now };
    const { status } = await ingestSource(source, { ...options, knex: database.knex, acceptShrink: true });
    assert.equal(status, 'completed');
  }

  async function readRows() {
    const sources = await database.knex('listing_sources').join('listings', 'id', 'listing_id').orderBy('source_key');
    const prices = await database
      .knex('listing_prices')
      .join('listing_sources', 'listing_sources.listing_id', 'listing_prices.listing_id')
      .orderBy(['source_key', 'observed_at'])
      .select('source_key', 'observed_at', 'price', 'confirmed_at', 'listing_prices.period_from');
    const columns = ['source_key', 'first_seen_at', 'period_from', 'last_seen_at', 'relisted', 'active'];
    return {
      sources: (sources as Row[]).map((row) => columns.map((column) => dayOf(row[column]))),
      prices: (prices as Row[]).map((row) => Object.values(row).map(dayOf)),
    };
  }

  it('is what readings on each of its days would have kept, however often it is written', async () => {
    for (let daysAgo = 30; daysAgo >= 0; daysAgo -= 1) await readDay(daysAgo);
    const observed = await readRows();
    await database.close();
    database = await openTestDatabase();
    await readDay(0);
    for (const _ of [1, 2]) {
      await writePast(database.knex, firstDay, now);
      const written = await readRows();
      assert.deepEqual(written.sources, observed.sources);
      assert.deepEqual(written.prices, observed.prices);
    }
    assert.ok(observed.prices.length > pasts.length);
  });

  it('has cuts, a mistyped price, an absence of days, and one that ended the offer', () => {
    const kinds = pasts.map(({ relisted, seenDaysAgo, offeredDaysAgo, prices }) => {
      if (relisted) return seenDaysAgo === offeredDaysAgo ? 'paused' : 'offered again';
      return prices.some(({ multiple }) => multiple === 10) ? 'mistyped' : `${prices.length - 1} cuts`;
    });
    const expected = ['0 cuts', '1 cuts', '2 cuts', '3 cuts', 'mistyped', 'offered again', 'paused'];
    assert.deepEqual([...new Set(kinds)].sort(), expected);
  });

  it('is given to nothing that was first read on a later day', async () => {
    await readDay(-1);
    const before = await readRows();
    await writePast(database.knex, firstDay, now);
    assert.deepEqual(await readRows(), before);
  });
});

type Row = Readonly<Record<string, unknown>>;

function dayOf(value: unknown): unknown {
  return value instanceof Date ? value.toISOString().slice(0, 10) : value;
}

/** The listing as its marketplace shows it so many days before the first; none while it is off the market. */
function shownAt(past: ListingPast, index: number, daysAgo: number): ObservedListing[] {
  const { sourceKey, seenDaysAgo, offeredDaysAgo, relisted, prices } = past;
  const day = Math.max(0, daysAgo);
  const middle = Math.floor(seenDaysAgo / 2);
  const stood = prices.findLast((each) => each.daysAgo >= day);
  const isPaused = relisted && offeredDaysAgo === seenDaysAgo && (day === middle || day === middle - 1);
  if (stood === undefined || day < stood.untilDaysAgo || isPaused) return [];
  const listPrice = String(Math.round((price * stood.multiple) / 500) * 500);
  return [observe({ sourceKey, address: known(`${index + 100} Example Ave`), listPrice: known(listPrice) })];
}
