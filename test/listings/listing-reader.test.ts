import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { absent, isKnown, known } from '../../src/absence.js';
import type { Database } from '../../src/db/database.js';
import { createListingReader } from '../../src/listings/listing-reader.js';
import type { Listing, ObservedListing } from '../../src/listings/listing.js';
import { ingestSource } from '../../src/sources/ingest/ingest-source.js';
import { openSuppression } from '../policy/suppression.js';
import { openTestDatabase } from '../support/database.js';
import {
  clock,
  createScriptedSource,
  ingestOptions,
  licence,
  observeMany,
  type Script,
  setDay,
} from '../sources/ingest/scripted-source.js';
import { observe } from './observation.js';

const day = (count: number) => new Date(Date.parse('2026-11-01T00:00:00.000Z') + count * 24 * 3600 * 1000);
const priced = (price: string, overrides: Partial<ObservedListing> = {}) =>
  observe({ listPrice: known(price), ...overrides });

describe('createListingReader', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
  });
  afterEach(() => database.close());

  const reader = () => createListingReader(database.knex, () => clock.now);
  const ingest = (rows: readonly ObservedListing[], script?: Script, acceptShrink = false) =>
    ingestSource(createScriptedSource(rows, script), { ...ingestOptions(database.knex), acceptShrink });
  const readChunks = async () => {
    const chunks: (readonly Listing[])[] = [];
    for await (const chunk of reader().readActive()) chunks.push(chunk);
    return chunks;
  };
  const readOnly = async () => {
    const [listing, ...others] = (await readChunks()).flat();
    assert.ok(listing);
    assert.deepEqual(others, []);
    return listing;
  };
  const changes = async (since: Date) => {
    const found: string[] = [];
    for await (const chunk of reader().changedSince(since)) {
      found.push(...chunk.map(({ listing }) => listing?.sourceKey ?? 'gone'));
    }
    return found.sort();
  };

  it('reads back the observation, with identity and history', async () => {
    const observed = observe({ remarks: known('Motivated "seller"; äöü') });
    await ingest([observed]);
    const listing = await readOnly();
    const { id, ...rest } = listing;
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      ...observed,
      aliases: [],
      formerIds: [],
      sourceName: 'exchange',
      sourceFirstSeenAt: day(0),
      otherWords: [],
      sourcesDisagree: false,
      countyFips: known('39035'),
      addressParsed: true,
      firstSeenAt: day(0),
      lastSeenAt: day(0),
      relisted: false,
      prices: [{ observedAt: day(0), price: '250000' }],
      priceHistory: [{ sourceName: 'exchange', offers: [[{ observedAt: day(0), price: '250000' }]] }],
      demonstration: false,
    });
    for await (const some of reader().readSome([id, randomUUID()]))
      assert.deepEqual([some.length, some[0]?.listing, some[1]?.listing], [2, listing, undefined]);
  });

  it('reads every listing once, in chunks of at most 100 by id', async () => {
    await ingest(observeMany(120));
    const chunks = await readChunks();
    assert.deepEqual(
      chunks.map(({ length }) => length),
      [100, 20],
    );
    const ids = chunks.flat().map(({ id }) => id);
    assert.equal(new Set(ids).size, 120);
    assert.deepEqual(ids, [...ids].sort());
  });

  it('analyzes the table as soon as its first rows are in, so that the database plans lookups by id', async () => {
    await ingest(observeMany(1_000));
    await database.knex.raw(manyMore);
    const asked: { sql: string; bindings: readonly unknown[] }[] = [];
    const watch = (query: (typeof asked)[number]) => void asked.push(query);
    database.knex.on('query', watch);
    await readChunks();
    database.knex.removeListener('query', watch);
    const reads = asked.filter(({ bindings }) =>
      bindings.some((value) => Array.isArray(value) && value.length === 100),
    );
    assert.ok(reads.length >= 2, 'listings and prices');
    for (const { sql, bindings } of reads.slice(0, 2)) {
      const explain = `explain ${sql.replaceAll(/\$\d+/g, '?')}`;
      const { rows } = await database.knex.raw<{ rows: Record<string, string>[] }>(explain, bindings as string[]);
      const [, expected] = /rows=(\d+)/.exec(rows.flatMap(Object.values).join()) ?? [];
      assert.ok(Number(expected) <= 200, `${expected} rows are expected`);
    }
  });

  it('distinguishes a price seen once from one seen again unchanged', async () => {
    await ingest([priced('250000')]);
    assert.deepEqual((await readOnly()).prices, [{ observedAt: day(0), price: '250000' }]);
    setDay(1);
    await ingest([priced('250000.00')]);
    setDay(2);
    await ingest([priced('250000')]);
    assert.deepEqual((await readOnly()).prices, [
      { observedAt: day(0), price: '250000' },
      { observedAt: day(2), price: '250000' },
    ]);
  });

  it('keeps a row per price change, even when it returns to an old price or is missing for a day', async () => {
    for (const [index, price] of ['250000', '240000', '', '240000', '250000'].entries()) {
      setDay(index);
      await ingest([price === '' ? observe({ listPrice: absent('not_stated_by_source') }) : priced(price)]);
    }
    assert.deepEqual(
      (await readOnly()).prices.map(({ observedAt, price }) => `${observedAt.getUTCDate()} ${price}`),
      ['1 250000', '2 240000', '5 250000'],
    );
    assert.equal((await database.knex('listing_prices')).length, 3);
  });

  it('keeps the history of a listing that returns under another key', async () => {
    await ingest([priced('250000'), observe({ sourceKey: 'k9', address: known('9 Oak St') })]);
    setDay(1);
    await ingest([
      observe({ sourceKey: 'k9', address: known('9 Oak St') }),
      observe({ sourceKey: 'k8', address: known('8 Oak St') }),
    ]);
    setDay(2);
    await ingest([priced('230000', { sourceKey: 'new' })]);
    setDay(3);
    await ingest([priced('230000', { sourceKey: 'new' })]);
    const listing = (await readChunks()).flat().find(({ sourceKey }) => sourceKey === 'new');
    assert.equal(listing?.relisted, true);
    assert.deepEqual(listing?.firstSeenAt, day(0));
    assert.deepEqual(
      listing?.priceHistory.map(({ offers }) => offers.map((prices) => prices.map(({ price }) => price))),
      [[['250000'], ['230000', '230000']]],
    );
    assert.deepEqual(
      listing.prices.map(({ price }) => price),
      ['230000', '230000'],
      'another key is another offer',
    );
  });

  it('offers a property while any source shows it', async () => {
    await ingest([observe()], { name: 'a' });
    await ingest([observe()], { name: 'b' });
    setDay(1);
    const elsewhere = [observe({ address: known('7 Oak St') })];
    await ingest(elsewhere, { name: 'a' });
    assert.deepEqual(
      (await readChunks())
        .flat()
        .map(({ sourceName }) => sourceName)
        .sort(),
      ['a', 'b'],
    );
    await ingest(elsewhere, { name: 'b' });
    assert.deepEqual(
      (await readChunks()).flat().map((listing) => [listing.sourceName, ...othersOf(listing)]),
      [['a', 'b 250000']],
    );
  });

  it('takes down rows at once that may not be resold or whose licence ends, and uses another source', async () => {
    await ingest([priced('250000')], { name: 'a' });
    await ingest([priced('240000')], { name: 'b', licence: { ...licence, expiresAt: day(2) } });
    await ingest([priced('230000')], { name: 'c', licence: { ...licence, mayResell: false } });
    setDay(1);
    assert.deepEqual(othersOf(await readOnly()), ['b 240000']);
    setDay(2);
    const left = await readOnly();
    assert.deepEqual([left.sourceName, left.otherWords, left.listPrice], ['a', [], known('250000')]);
    await ingest([priced('250000')], { name: 'a', licence: { ...licence, mayResell: false } });
    assert.deepEqual(await readChunks(), []);
  });

  it('marks listings of a demonstration source', async () => {
    await ingest([observe()], { licence: { ...licence, class: 'demonstration' } });
    assert.equal((await readOnly()).demonstration, true);
  });

  it('gives the reason for an unknown county', async () => {
    const options = { ...ingestOptions(database.knex), countyOf: () => undefined };
    await ingestSource(createScriptedSource([observe()]), options);
    assert.deepEqual((await readOnly()).countyFips, absent('not_collected'));
    setDay(1);
    const placeless = observe({ zip: absent('parse_failed') });
    await ingestSource(createScriptedSource([placeless]), options);
    assert.deepEqual((await readOnly()).countyFips, absent('insufficient_inputs'));
  });

  it('reports changed and removed listings, and no unchanged ones', async () => {
    await ingest(observeMany(4));
    setDay(1);
    const [, one, two, three] = observeMany(4);
    assert.ok(one && two && three);
    await ingest([
      one,
      { ...two, listPrice: known('1') },
      three,
      observe({ sourceKey: 'new', address: known('77 Elm St') }),
    ]);
    assert.deepEqual(await changes(day(1)), ['gone', 'k2', 'new']);
    assert.deepEqual(await changes(day(0)), ['gone', 'k1', 'k2', 'k3', 'new']);
    assert.deepEqual(await changes(day(2)), []);
  });

  it('reports listings changed by a licence', async () => {
    await ingest(observeMany(2), { licence: { ...licence, expiresAt: day(3) } });
    setDay(3);
    assert.deepEqual(await changes(day(1)), ['gone', 'gone']);
    await ingest(observeMany(2), { licence: { ...licence, expiresAt: day(9) } });
    assert.deepEqual(await changes(day(3)), ['k0', 'k1']);
  });

  it('reports listings of a former source whose licence shows less from now on, and none where it shows more', async () => {
    const [both, other] = [observeMany(2), observeMany(2).slice(1)];
    for (const name of ['a', 'b']) await ingest(both, { name });
    setDay(1);
    await ingest(other, { name: 'b' }, true);
    setDay(2);
    await ingest(other, { name: 'b', licence: { ...licence, undisplayedFields: ['remarks'] } });
    assert.deepEqual(await changes(day(2)), ['k0', 'k1']);
    setDay(3);
    await ingest(other, { name: 'b', licence });
    assert.deepEqual(await changes(day(3)), ['k1']);
  });

  it('returns the cap rates of offered listings by county, one per property, from the source that speaks', async () => {
    await ingest([
      ...observeMany(3, { capRate: known('7.25') }),
      observe({ sourceKey: 'unstated', address: known('9 Main St'), capRate: absent('not_stated_by_source') }),
    ]);
    setDay(1);
    await ingest([observe({ sourceKey: 'other', address: known('1 Main St'), capRate: known('9.00') })], {
      name: 'other',
    });
    const caps = await reader().readCapRates();
    assert.deepEqual([...caps.keys()], ['39035']);
    assert.deepEqual([...(caps.get('39035') ?? [])].sort(), ['7.25', '7.25', '7.25']);
  });

  it('takes down suppressed properties, by address or by parcel', async () => {
    const [one, two, three] = observeMany(3);
    assert.ok(one && two && three);
    await ingest([one, { ...two, parcelId: known('100-20-001') }, three]);
    setDay(1);
    const suppression = openSuppression(database.knex);
    await suppression.suppressAddress('1 Main Street, Cleveland, OH 44105', 'owner');
    await suppression.suppressParcel({ countyFips: '39035', parcelId: '10020001' }, 'owner');
    await ingest([one, { ...two, parcelId: known('100-20-001') }, { ...three, listPrice: known('1') }]);
    const guarded = createListingReader(database.knex, () => clock.now, openSuppression(database.knex));
    const offered: string[] = [];
    for await (const chunk of guarded.readActive()) offered.push(...chunk.map(({ sourceKey }) => sourceKey));
    assert.deepEqual(offered, ['k2']);
    const changed: (string | undefined)[] = [];
    for await (const chunk of guarded.changedSince(day(1)))
      changed.push(...chunk.map(({ listing }) => listing?.sourceKey ?? 'gone'));
    assert.deepEqual(changed.sort(), ['k2']);
  });
});

/** Ten thousand more of the first listing. */
const manyMore = `
  with wanted as (select gen_random_uuid() as id from generate_series(1, 10000)), first as (select id from listings limit 1),
    listed as (
      insert into listings select w.id, l.first_seen_at, l.updated_at
      from wanted w, listings l join first on first.id = l.id),
    seen as (
      insert into listing_sources select w.id, s.source_name, cast(w.id as text), cast(w.id as text), null, s.content,
        s.content_hash, s.address_parsed, s.county_fips, s.first_seen_at, s.last_seen_at, s.changed_at, s.active,
        s.relisted, s.retired_at, s.last_run_id, s.period_from
      from wanted w, listing_sources s join first on first.id = s.listing_id)
  insert into listing_prices select w.id, p.source_name, p.observed_at, p.price, p.confirmed_at, p.period_from
  from wanted w, listing_prices p join first on first.id = p.listing_id`;

/** Each other source of a listing, with its price. */
function othersOf({ otherWords }: Listing): readonly string[] {
  return otherWords.map(({ sourceName, listPrice }) => `${sourceName} ${isKnown(listPrice) ? listPrice.value : '-'}`);
}
