import assert from 'node:assert/strict';
import { known } from '../../src/absence.js';
import type { Database } from '../../src/db/database.js';
import type { Listing, ObservedListing } from '../../src/listings/listing.js';
import { createListingReader } from '../../src/listings/listing-reader.js';
import type { FindRent } from '../../src/rents/hud-rent.js';
import { ingestSource } from '../../src/sources/ingest-source.js';
import { assumptionSet } from '../../src/underwriting/assumption-set.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import {
  underwriteListings,
  type UnderwriteListingsOptions,
  type UnderwritingProgress,
} from '../../src/underwriting/underwrite-listings.js';
import { underwritingInputs } from '../../src/underwriting/underwriting-inputs.js';
import { createUnderwritingReader } from '../../src/underwriting/underwriting-reader.js';
import { observe } from '../listings/observation.js';
import { clock, createScriptedSource, ingestOptions, licence, setDay } from '../sources/scripted-source.js';
import { openTestDatabase } from '../support/database.js';
import { buildListing, buildRent } from './build-listing.js';

const rent = buildRent('1000');
const findRent: FindRent = () => rent;
const monday = new Date('2026-11-16T00:00:00.000Z');
const wednesday = new Date('2026-11-18T00:00:00.000Z');

function listings(count: number): Listing[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    return buildListing({ id, listPrice: known(String(300_000 + index)), units: known(6) });
  });
}

describe('underwriteListings', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  function run(pages: readonly (readonly Listing[])[], others: Partial<UnderwriteListingsOptions> = {}) {
    return underwriteListings({
      knex: database.knex,
      async *readListings() {
        yield* pages;
      },
      findRent,
      assumptions: assumptionSet,
      now: monday,
      all: false,
      ...others,
    });
  }

  async function computedAt(listing: Listing): Promise<Date | undefined> {
    const kept = await createUnderwritingReader(database.knex).readUnderwritings([listing.id]);
    return kept.get(listing.id)?.computedAt;
  }

  it('keeps for each listing the figures of the pure rule', async () => {
    const [listing] = listings(1);
    assert.ok(listing);
    await run([[listing]]);
    const kept = await createUnderwritingReader(database.knex).readUnderwritings([listing.id]);
    const expected = createUnderwrite(assumptionSet)(underwritingInputs(listing, rent));
    assert.deepEqual(kept.get(listing.id), { underwriting: expected, computedAt: monday });
  });

  it('underwrites an unchanged listing again only when all are due', async () => {
    const [listing] = listings(1);
    assert.ok(listing);
    await run([[listing]]);
    assert.deepEqual(await run([[listing]], { now: wednesday }), { seen: 1, underwritten: 0 });
    assert.deepEqual(await computedAt(listing), monday);
    assert.deepEqual(await run([[listing]], { now: wednesday, all: true }), { seen: 1, underwritten: 1 });
    assert.deepEqual(await computedAt(listing), wednesday);
  });

  it('does not use the figures of before a licence was narrowed, and underwrites anew even where they are the same', async () => {
    const reader = createListingReader(database.knex, () => clock.now);
    const ingest = (withheldFields: readonly string[]) =>
      ingestSource(
        createScriptedSource([observe()], { licence: { ...licence, withheldFields } }),
        ingestOptions(database.knex),
      );
    const underwriteAll = () => run([], { readListings: () => reader.readActive(), now: clock.now });
    const find = async () => {
      for await (const [listing] of reader.readActive()) return listing && computedAt(listing);
      return assert.fail('nothing is offered');
    };
    setDay(0);
    await ingest([]);
    await underwriteAll();
    assert.deepEqual(await find(), clock.now);
    setDay(1);
    await ingest(['remarks']);
    assert.equal(await find(), undefined);
    assert.equal((await underwriteAll()).underwritten, 1);
    assert.deepEqual(await find(), clock.now);
    setDay(2);
    await ingest([]);
    assert.equal((await underwriteAll()).underwritten, 0, 'what is shown again takes nothing back');
    assert.notEqual(await find(), undefined);
  });

  it('is overdue where a source was narrowed that showed the listing before, and does no more', async () => {
    const reader = createListingReader(database.knex, () => clock.now);
    const ingest = (name: string, rows: readonly ObservedListing[], withheldFields: readonly string[] = []) =>
      ingestSource(createScriptedSource(rows, { name, licence: { ...licence, withheldFields } }), {
        ...ingestOptions(database.knex),
        acceptShrink: true,
      });
    setDay(0);
    const elsewhere = observe({ sourceKey: 'k9', address: known('9 Elm St') });
    for (const name of ['a', 'b']) await ingest(name, [observe(), elsewhere]);
    setDay(1);
    await ingest('b', [elsewhere]);
    await run([], { readListings: () => reader.readActive(), now: clock.now });
    setDay(2);
    await ingest('b', [elsewhere], ['remarks']);
    const overdue = await createUnderwritingReader(database.knex).listOverdue(assumptionSet.version, clock.now);
    assert.equal(overdue.length, 2);
  });

  it('underwrites at once what changed in price, units, income, rent or assumptions', async () => {
    const [listing] = listings(1);
    assert.ok(listing);
    await run([[listing]]);
    const changes: Partial<Listing>[] = [
      { listPrice: known('1') },
      { units: known(7) },
      { capRate: known('9') },
      { noi: known('30000') },
      { unitMix: known([{ bedrooms: 1, units: 6 }]) },
      { expenseItems: known([{ name: 'taxes', amount: '9000' }]) },
      { saleCondition: 'auction', terms: ['cash_only'] },
    ];
    for (const change of changes) {
      assert.equal((await run([[{ ...listing, ...change }]])).underwritten, 1, JSON.stringify(change));
      assert.equal((await run([[listing]])).underwritten, 1);
    }
    const otherRent: FindRent = () => buildRent('1010');
    assert.equal((await run([[listing]], { findRent: otherRent })).underwritten, 1);
    const otherSet = { ...assumptionSet, version: 'uw-2.0.0' };
    assert.equal((await run([[listing]], { assumptions: otherSet })).underwritten, 1);
  });

  it('leaves alone a listing that changed in nothing underwriting reads', async () => {
    const [listing] = listings(1);
    assert.ok(listing);
    await run([[listing]]);
    const seenAgain = { ...listing, lastSeenAt: wednesday, remarks: known('New roof') };
    assert.equal((await run([[seenAgain]], { now: wednesday })).underwritten, 0);
  });

  it('works in chunks of at most 50 rows and says how far it is after each', async () => {
    const progress: UnderwritingProgress[] = [];
    await run([listings(120), listings(3)], { onProgress: (each) => progress.push(each) });
    assert.deepEqual(progress, [
      { seen: 50, underwritten: 50 },
      { seen: 100, underwritten: 100 },
      { seen: 120, underwritten: 120 },
      { seen: 123, underwritten: 120 },
    ]);
  });

  it('finds the underwritings of many listings, and none of a listing that has none', async () => {
    const many = listings(250);
    await run([many]);
    const reader = createUnderwritingReader(database.knex);
    const unknown = 'ffffffff-0000-4000-8000-000000000000';
    const kept = await reader.readUnderwritings([...many.map(({ id }) => id), unknown]);
    assert.equal(kept.size, 250);
    assert.equal(kept.has(unknown), false);
    assert.equal((await reader.readUnderwritings([])).size, 0);
  });
});
