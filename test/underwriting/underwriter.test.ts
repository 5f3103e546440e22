import assert from 'node:assert/strict';
import { known } from '../../src/absence.js';
import type { Database } from '../../src/db/database.js';
import type { Listing, ObservedListing } from '../../src/listings/listing.js';
import { createListingReader } from '../../src/listings/listing-reader.js';
import type { HudRents, PlaceFigures } from '../../src/underwriting/rents/hud-rent.js';
import { ingestSource } from '../../src/sources/ingest/ingest-source.js';
import { assumptionSet } from '../../src/underwriting/assumption-set.js';
import { createUnderwrite } from '../../src/underwriting/underwrite.js';
import { createUnderwriter, type UnderwriterOptions } from '../../src/underwriting/underwriter.js';
import { nameOfAssumptions, underwritingInputs } from '../../src/underwriting/underwriting-inputs.js';
import { createUnderwritingReader } from '../../src/underwriting/underwriting-reader.js';
import { observe } from '../listings/observation.js';
import { clock, createScriptedSource, ingestOptions, licence, setDay } from '../sources/ingest/scripted-source.js';
import { openTestDatabase } from '../support/database.js';
import { buildListing, buildRent, dated, rates } from './build-listing.js';

const rent = buildRent('1000');
const rentsOf = (figures: Partial<PlaceFigures>): HudRents => ({
  at: () => ({ rent, nonmetropolitan: false, isZipElsewhere: false, ...figures }),
});
const rents = rentsOf({});
const monday = new Date('2026-11-16T00:00:00.000Z');
const wednesday = new Date('2026-11-18T00:00:00.000Z');

function listings(count: number): Listing[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    return buildListing({ id, listPrice: known(String(300_000 + index)), units: known(6) });
  });
}

describe('an underwriter', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  /** Underwrites in a publication of its own. */
  async function run(offered: readonly Listing[], others: Partial<UnderwriterOptions> = {}) {
    const options = {
      knex: database.knex,
      rents,
      rates,
      assumptions: assumptionSet,
      now: monday,
      all: false,
      ...others,
    };
    const underwriter = createUnderwriter(options);
    const underwritings = await underwriter.underwrite(offered);
    await underwriter.done();
    return { underwriter, underwritings, underwritten: underwriter.count() };
  }

  async function computedAt({ id }: Listing): Promise<Date | undefined> {
    const row = await database.knex('underwritings').where({ listing_id: id }).first<{ computed_at: Date }>();
    return row.computed_at;
  }

  it('gives each listing the figures of the pure rule, and knows that it did', async () => {
    const many = listings(100);
    const { underwritings, underwritten } = await run(many);
    assert.equal(underwritten, 100);
    const underwrite = createUnderwrite(assumptionSet);
    const expected = new Map(many.map((listing) => [listing.id, underwrite(underwritingInputs(listing, dated(rent)))]));
    assert.deepEqual(underwritings, expected);
    const again = await run(many, { now: wednesday });
    assert.deepEqual([again.underwritings, again.underwritten], [expected, 0]);
  });

  it('underwrites an unchanged listing again when all are due', async () => {
    const [listing] = listings(1);
    assert.ok(listing);
    await run([listing]);
    assert.equal((await run([listing], { now: wednesday })).underwritten, 0);
    assert.deepEqual(await computedAt(listing), monday);
    assert.equal((await run([listing], { now: wednesday, all: true })).underwritten, 1);
    assert.deepEqual(await computedAt(listing), wednesday);
  });

  it('uses no figures older than two days, such as those of a listing that returned', async () => {
    const [listing] = listings(1);
    assert.ok(listing);
    await run([listing]);
    const later = new Date(wednesday.getTime() + 1);
    assert.equal((await run([listing], { now: later })).underwritten, 1);
    assert.deepEqual(await computedAt(listing), later);
  });

  it('deletes the figures of listings no longer offered, so that the oldest are those of an offer', async () => {
    const { findOldest } = createUnderwritingReader(database.knex);
    assert.equal(await findOldest(), undefined);
    const [gone, offered] = listings(2);
    assert.ok(gone && offered);
    await run([gone, offered]);
    const { underwriter } = await run([offered], { now: wednesday, all: true });
    assert.deepEqual(await findOldest(), monday);
    await underwriter.discardRest();
    assert.deepEqual(await findOldest(), wednesday);
    const friday = new Date('2026-11-20T00:00:00.000Z');
    const { underwriter: later } = await run([offered], { now: friday });
    await later.discardRest();
    assert.deepEqual(await findOldest(), wednesday, 'what is kept for two days stays');
  });

  it('does not use figures from before a licence was narrowed, and underwrites again even for equal results', async () => {
    const reader = createListingReader(database.knex, () => clock.now);
    const ingest = (undisplayedFields: readonly string[]) =>
      ingestSource(
        createScriptedSource([observe()], { licence: { ...licence, undisplayedFields } }),
        ingestOptions(database.knex),
      );
    const underwriteNow = async () => {
      for await (const chunk of reader.readActive()) return run(chunk, { now: clock.now });
      return assert.fail('nothing is offered');
    };
    setDay(0);
    await ingest([]);
    assert.equal((await underwriteNow()).underwritten, 1);
    setDay(1);
    await ingest(['remarks']);
    assert.equal((await underwriteNow()).underwritten, 1);
    assert.equal((await underwriteNow()).underwritten, 0);
    setDay(2);
    await ingest([]);
    assert.equal((await underwriteNow()).underwritten, 0, 'what is shown again takes nothing back');
  });

  it('is outdated when an earlier source of the listing is narrowed, and does nothing else', async () => {
    const reader = createListingReader(database.knex, () => clock.now);
    const ingest = (name: string, rows: readonly ObservedListing[], undisplayedFields: readonly string[] = []) =>
      ingestSource(createScriptedSource(rows, { name, licence: { ...licence, undisplayedFields } }), {
        ...ingestOptions(database.knex),
        acceptShrink: true,
      });
    setDay(0);
    const elsewhere = observe({ sourceKey: 'k9', address: known('9 Elm St') });
    for (const name of ['a', 'b']) await ingest(name, [observe(), elsewhere]);
    setDay(1);
    await ingest('b', [elsewhere]);
    for await (const chunk of reader.readActive()) await run(chunk, { now: clock.now });
    setDay(2);
    await ingest('b', [elsewhere], ['remarks']);
    const { listOutdated } = createUnderwritingReader(database.knex);
    assert.equal((await listOutdated(nameOfAssumptions(assumptionSet.version, rates))).length, 2);
    for await (const chunk of reader.readActive()) await run(chunk, { now: clock.now });
    assert.deepEqual(await listOutdated(nameOfAssumptions(assumptionSet.version, rates)), []);
    assert.equal((await listOutdated(nameOfAssumptions('uw-3.0.0', rates))).length, 2);
  });

  it('underwrites at once after a change in price, units, income, rent, rates or assumptions', async () => {
    const [listing] = listings(1);
    assert.ok(listing);
    await run([listing]);
    const changes: Partial<Listing>[] = [
      { listPrice: known('1') },
      { units: known(7) },
      { capRate: known('9') },
      { noi: known('30000') },
      { taxes: known('9000') },
      { vacancyPct: known('9') },
      { operatingExpenses: known('40000') },
      { yearBuilt: known(2001) },
      { state: 'TX' },
      { unitMix: known([{ bedrooms: 1, units: 6 }]) },
      { expenseItems: known([{ name: 'taxes', amount: '9000' }]) },
      { saleCondition: 'auction', terms: ['cash_only'] },
    ];
    for (const change of changes) {
      assert.equal((await run([{ ...listing, ...change }])).underwritten, 1, JSON.stringify(change));
      assert.equal((await run([listing])).underwritten, 1);
    }
    const otherRents = rentsOf({ rent: buildRent('1010') });
    assert.equal((await run([listing], { rents: otherRents })).underwritten, 1);
    const elsewhere = rentsOf({ nonmetropolitan: true });
    assert.equal((await run([listing], { rents: elsewhere })).underwritten, 1);
    const otherSet = { ...assumptionSet, version: 'uw-3.0.0' };
    assert.equal((await run([listing], { assumptions: otherSet })).underwritten, 1);
    const otherRates = { ...rates, fivePlusUnitsPct: '6.50' };
    assert.equal((await run([listing], { rates: otherRates })).underwritten, 1);
  });

  it('doubts ZIP, county and rent of a listing whose ZIP lies far from its county', async () => {
    const [listing] = listings(1);
    assert.ok(listing);
    const apart = rentsOf({ isZipElsewhere: true });
    const { underwritings } = await run([listing], { rents: apart });
    const figures = underwritings.get(listing.id);
    assert.deepEqual(figures?.dataQuality.includes('zip_county_disagree'), true);
    assert.deepEqual([...(figures?.doubted ?? [])].sort(), ['county', 'rent', 'zip']);
    assert.equal(figures?.minDscr, '1.30');
  });

  it('skips a listing without a change in its inputs', async () => {
    const [listing] = listings(1);
    assert.ok(listing);
    await run([listing]);
    const seenAgain = { ...listing, lastSeenAt: wednesday, remarks: known('New roof') };
    assert.equal((await run([seenAgain], { now: wednesday })).underwritten, 0);
  });
});
