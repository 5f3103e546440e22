import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isKnown, type Maybe, valueOf } from '../../../src/absence.js';
import { createDemoListing, demonstrationSize } from '../../../src/demo/data/create-demo-listing.js';
import { demoMetros } from '../../../src/demo/data/demo-places.js';
import { writeDemonstrationData } from '../../../src/demo/data/write-demonstration-data.js';
import {
  listingTerms,
  type ObservedListing,
  propertyConditions,
  propertyTypes,
  saleConditions,
} from '../../../src/listings/listing.js';
import { loadDropFolder } from '../../../src/sources/formats/load-drop-folder.js';
import type { RowReject } from '../../../src/sources/source.js';
import { readSource } from '../../sources/read-source.js';

/** The data of a demonstration's sources, read as the service reads them. */
async function observeAll(
  directory: string,
): Promise<{ listings: (ObservedListing & { source: string })[]; rejects: RowReject[] }> {
  const { sources, refused } = await loadDropFolder(directory, { now: () => new Date('2026-11-20T00:00:00Z') });
  assert.deepEqual(refused, []);
  const listings = [];
  const rejects: RowReject[] = [];
  for (const source of sources.flatMap((each) => (each.delivers === 'listings' ? [each] : []))) {
    assert.deepEqual(source.licence.class, 'demonstration');
    assert.equal(source.licence.attribution, 'Demonstration data, fictional properties');
    const { taken, refused: refusedRows } = await readSource(() => source);
    rejects.push(...refusedRows);
    listings.push(...taken.map((listing) => ({ ...listing, source: source.name })));
  }
  return { listings, rejects };
}

describe('writeDemonstrationData', () => {
  let root: string;
  let first: Awaited<ReturnType<typeof observeAll>>;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'demonstration-'));
    await writeDemonstrationData(join(root, 'first'));
    first = await observeAll(join(root, 'first'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  const reasonsOf = (field: 'address' | 'zip' | 'listPrice' | 'units' | 'capRate' | 'listingUrl') => {
    const values: readonly Maybe<unknown>[] = first.listings.map((listing) => listing[field]);
    return [...new Set(values.flatMap((value) => (isKnown(value) ? [] : [value.absent])))].sort();
  };
  const bySource = (listings: typeof first.listings) =>
    new Map(listings.map((listing) => [`${listing.source} ${listing.sourceKey}`, listing]));

  it('generates at least 500 listings over the 29 metros, at five marketplaces', () => {
    assert.ok(first.listings.length >= 500, `${first.listings.length} listings`);
    const counties = new Set(first.listings.map(({ state, county }) => `${state} ${valueOf(county) ?? ''}`));
    const expected =
      'OH Cuyahoga,OH Franklin,OH Hamilton,OH Montgomery,OH Lucas,OH Summit,IN Marion,MI Wayne,IL Cook,WI Milwaukee,MO Jackson,MO St. Louis city,NE Douglas,KY Jefferson,PA Allegheny,TN Shelby,TN Davidson,AL Jefferson,GA Fulton,NC Mecklenburg,FL Duval,FL Hillsborough,TX Dallas,TX Tarrant,TX Harris,TX Bexar,OK Oklahoma,OK Tulsa,AZ Maricopa';
    for (const county of expected.split(',')) assert.ok(counties.has(county), county);
    assert.equal(new Set(first.listings.map(({ marketplace }) => marketplace)).size, 5);
  });

  it('covers every property type, term, sale condition and state of repair', () => {
    const seen = (values: readonly unknown[]) => [...new Set(values)].filter((value) => value !== undefined).sort();
    const { listings } = first;
    assert.deepEqual(seen(listings.map(({ propertyType }) => valueOf(propertyType))), [...propertyTypes].sort());
    assert.deepEqual(seen(listings.flatMap(({ terms }) => terms)), [...listingTerms].sort());
    assert.deepEqual(seen(listings.map(({ saleCondition }) => saleCondition)), [...saleConditions].sort());
    assert.deepEqual(seen(listings.map(({ condition }) => valueOf(condition))), [...propertyConditions].sort());
  });

  it('covers every reason for which a source can omit a value', () => {
    assert.deepEqual(reasonsOf('address'), ['not_stated_by_source', 'parse_failed', 'suppressed_by_policy']);
    const plain = ['not_published_by_source', 'not_stated_by_source', 'parse_failed'];
    assert.deepEqual(reasonsOf('zip'), plain);
    assert.deepEqual(reasonsOf('units'), plain);
    assert.deepEqual(reasonsOf('capRate'), plain);
    assert.deepEqual(reasonsOf('listPrice'), ['not_stated_by_source', 'parse_failed']);
    assert.deepEqual(reasonsOf('listingUrl'), plain);
  });

  it('delivers a few rows that are rejected, for different reasons', () => {
    const reasons = first.rejects.map(({ reject }) => reject);
    assert.ok(reasons.length >= 10 && reasons.length <= 20, `${reasons.length} refused`);
    const expected = [
      'invalid_value',
      'missing_city',
      'missing_key',
      'missing_state',
      'row_too_large',
      'row_unreadable',
      'unknown_state',
      'wrong_encoding',
    ];
    assert.deepEqual([...new Set(reasons)].sort(), expected);
  });

  it('covers the prices that underwriting must distinguish: small loans, expensive units, high and low caps, cash-only auctions', () => {
    const rentOf = new Map(demoMetros.flat().map(({ zip, rent }) => [zip, rent]));
    const figures = first.listings.map(({ listPrice, units, capRate, saleCondition, terms, zip }) => ({
      loan: Number(valueOf(listPrice) ?? NaN) * 0.75,
      perUnit: Number(valueOf(listPrice) ?? NaN) / (valueOf(units) ?? NaN),
      rent: rentOf.get(valueOf(zip) ?? '') ?? NaN,
      cap: Number(valueOf(capRate) ?? NaN),
      isCashAuction: saleCondition === 'auction' && terms.includes('cash_only'),
    }));
    const count = (test: (figure: (typeof figures)[number]) => boolean) => figures.filter(test).length;
    assert.ok(count(({ loan }) => loan < 75_000) >= 5, 'loans under $75,000');
    assert.ok(count(({ perUnit, rent }) => perUnit > 14 * 12 * rent) >= 10, 'units beyond the rent of their ZIP');
    assert.ok(count(({ cap }) => cap >= 8.5) >= 100, 'caps of 8.5% or more');
    assert.ok(count(({ cap }) => cap < 6.5) >= 20, 'caps under 6.5%');
    assert.ok(count(({ isCashAuction }) => isCashAuction) >= 10, 'cash-only auctions');
  });

  it('lists some properties at two marketplaces, in two spellings', () => {
    const lakes = first.listings.filter(({ sourceKey }) => sourceKey.startsWith('L-'));
    assert.ok(lakes.length >= 20, `${lakes.length} shared`);
    const others = new Map(first.listings.map((listing) => [listing.sourceKey, listing]));
    const pairs = lakes.map((listing) => [
      valueOf(listing.address),
      valueOf(others.get(listing.sourceKey.slice(2))?.address ?? listing.address),
    ]);
    assert.ok(pairs.filter(([one, other]) => one !== undefined && other !== undefined && one !== other).length >= 15);
  });

  it('links only to example.com', () => {
    for (const { listingUrl } of first.listings)
      assert.match(valueOf(listingUrl) ?? 'https://example.com/', /^https:\/\/example\.com\//);
  });

  it('writes the same bytes for the same seed, and others for another seed', async () => {
    const bytes = async (name: string, seed: number) => {
      const written = await writeDemonstrationData(join(root, name), { seed, count: 60 });
      return Promise.all(written.map(async (file) => (await readFile(file)).toString('base64')));
    };
    assert.deepEqual(await bytes('same-1', 7), await bytes('same-2', 7));
    assert.notDeepEqual(await bytes('same-1', 7), await bytes('same-3', 8));
  });

  it('cuts prices on each day of two months', () => {
    const priceOf = (index: number, revision: number): number => {
      const listing = createDemoListing(demonstrationSize.seed, index, revision);
      return Number(listing?.fields.listPrice ?? Number.NaN);
    };
    const indices = Array.from({ length: demonstrationSize.count }, (_, index) => index);
    for (let revision = 2; revision <= 60; revision += 1) {
      const cuts = indices.filter((index) => priceOf(index, revision) < priceOf(index, revision - 1));
      assert.ok(cuts.length > 0, `none with revision ${revision}`);
    }
  });

  it("delivers the next day's revision over the last one, with price cuts, removals and returns, and most rows unchanged", async () => {
    const directory = join(root, 'days');
    const days = [];
    for (const revision of [1, 2, 3, 4, 5, 6]) {
      await writeDemonstrationData(directory, { revision });
      days.push(bySource((await observeAll(directory)).listings));
    }
    let [cuts, removals, returns] = [0, 0, 0];
    const gone = new Set<string>();
    for (const [index, today] of days.entries()) {
      const yesterday = days[index - 1];
      if (yesterday === undefined) continue;
      const same = [...today].filter(
        ([key, listing]) => JSON.stringify(listing) === JSON.stringify(yesterday.get(key)),
      );
      assert.ok(same.length > today.size * 0.8, `${same.length} of ${today.size} unchanged`);
      for (const [key, { listPrice }] of yesterday) {
        const next = today.get(key);
        if (next === undefined) gone.add(key);
        if (next === undefined) removals += 1;
        else if (Number(valueOf(next.listPrice)) < Number(valueOf(listPrice))) cuts += 1;
      }
      returns += [...today.keys()].filter((key) => !yesterday.has(key) && gone.has(key)).length;
    }
    assert.ok(cuts >= 50 && removals >= 15 && returns >= 10, `${cuts} cuts, ${removals} removals, ${returns} returns`);
  });
});
