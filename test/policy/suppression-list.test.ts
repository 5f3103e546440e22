import assert from 'node:assert/strict';
import { matchAddresses } from '../../src/places/addresses/match.js';
import { isEvidence, matchConfidences } from '../../src/places/addresses/match-types.js';
import { normalizeAddress } from '../../src/places/addresses/normalize.js';
import { isNormalizedAddress } from '../../src/places/addresses/normalized-address.js';
import { renderAddress, renderStreetLine } from '../../src/places/addresses/render-address.js';
import type { Database } from '../../src/db/database.js';
import type { PossiblySuppressed, SuppressionList } from '../../src/policy/suppression-list.js';
import { addressPairs } from '../places/addresses/address-pairs.js';
import { openTestDatabase } from '../support/database.js';
import { setDay } from '../sources/ingest/scripted-source.js';
import { openSuppression } from './suppression.js';

const cleveland = { city: 'Cleveland', state: 'OH', zip: '44105', countyFips: '39035', parcelId: undefined };
const at = (street: string, overrides: Partial<PossiblySuppressed> = {}): PossiblySuppressed => ({
  street,
  ...cleveland,
  ...overrides,
});

/** The kinds of match that count as evidence, but that by parcel. */
const evidenceByAddress = Object.entries(matchConfidences)
  .flatMap(([type, confidence]) => (Number(confidence) >= 0.85 && type !== 'parcel_exact' ? type : []))
  .sort();

const sameFlat = {
  id: 'one flat',
  a: '200 E Washington St Apt 2, Indianapolis, IN 46204',
  b: '200 East Washington Street #2, Indianapolis, IN 46204',
};

describe('createSuppressionList', () => {
  let database: Database;
  let list: SuppressionList;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
    list = openSuppression(database.knex);
  });
  afterEach(() => database.close());

  it('finds a suppressed building however a record writes it, and no other', async () => {
    await list.suppressAddress('100 North Example Avenue, Cleveland, OH 44105', 'asked by the owner');
    for (const street of [
      '100 N Example Ave',
      '100 N. EXAMPLE AV',
      '100 North Example Avenue Apt 2',
      '0100 N Example Ave',
    ])
      assert.equal(list.isSuppressed(at(street)), true, street);
    assert.equal(list.isSuppressed(at('100 N Example Ave', { city: 'Garfield Heights' })), true, 'the ZIP tells');
    assert.equal(list.isSuppressed(at('100 N Example Ave', { zip: undefined })), true, 'the city tells');
    assert.equal(list.isSuppressed(at('100 N Example Ave', { city: undefined })), true);
    for (const street of ['102 N Example Ave', '100 S Example Ave', '100 1/2 N Example Ave', 'Example Ave', ''])
      assert.equal(list.isSuppressed(at(street)), false, street);
    assert.equal(list.isSuppressed(at('100 N Example Ave', { zip: '44106', city: 'Euclid' })), false);
    await list.suppressAddress('7 Example Rd, OH 44105', 'asked by the owner');
    assert.equal(list.isSuppressed(at('7 Example Rd')), true);
    assert.equal(list.isSuppressed(at('7 Example Rd', { zip: '44106', city: undefined })), false);
    assert.equal(list.isSuppressed(at('100 N Example Ave', { state: 'MI' })), false);
  });

  it('finds a number within a range, and a range that holds the number', async () => {
    await list.suppressAddress('3456-58 Example St, Cleveland, OH 44105', 'asked by the owner');
    await list.suppressAddress('202 Example St, Cleveland, OH 44105', 'asked by the owner');
    for (const street of ['3456 Example St', '3458 Example St', '3456 - 3460 Example St', '200-204 Example St'])
      assert.equal(list.isSuppressed(at(street)), true, street);
    await list.suppressAddress('5450 Example St, Cleveland, OH 44105', 'asked by the owner');
    assert.equal(list.isSuppressed(at('5400-5600 Example St')), true, 'however wide it is');
    for (const street of ['3457 Example St', '3460 Example St', '204-206 Example St'])
      assert.equal(list.isSuppressed(at(street)), false, street);
  });

  it('finds a number within a range however the range is written', async () => {
    await list.suppressAddress('312 Example St, Cleveland, OH 44105', 'asked by the owner');
    for (const street of [
      '310 & 312 Example St',
      '310 and 312 Example St',
      '310 to 314 Example St',
      '310 – 314 Example St',
    ])
      assert.equal(list.isSuppressed(at(street)), true, street);
  });

  it('finds each number of a list, and none between them', async () => {
    await list.suppressAddress('310 & 320 Example St, Cleveland, OH 44105', 'asked by the owner');
    for (const street of ['310 Example St', '320 Example St', '318-322 Example St', '320 and 330 Example St'])
      assert.equal(list.isSuppressed(at(street)), true, street);
    assert.equal(list.isSuppressed(at('312 Example St')), false);
    await list.suppressAddress('414 Example St, Cleveland, OH 44105', 'asked by the owner');
    assert.equal(list.isSuppressed(at('410 & 420 Example St')), false);
    assert.equal(list.isSuppressed(at('410 & 414 Example St')), true);
  });

  it('finds a street under each of its names, whichever of them was suppressed', async () => {
    const names = ['1200 Martin Luther King Jr Blvd', '1200 MLK Blvd', '1200 Dr. M.L. King Boulevard'];
    for (const [index, suppressed] of names.entries()) {
      const zip = `4410${index}`;
      await list.suppressAddress({ street: suppressed, city: 'Cleveland', state: 'OH', zip }, 'asked by the owner');
      for (const street of names) assert.equal(list.isSuppressed(at(street, { zip, city: undefined })), true, street);
      assert.equal(list.isSuppressed(at('1200 MLK Ave', { zip, city: undefined })), false, 'another suffix');
    }
  });

  it('finds a street without its suffix and a suffix that was not told, and takes no suffix for another', async () => {
    await list.suppressAddress('310 Sample Ave, Cleveland, OH 44105', 'asked by the owner');
    assert.equal(list.isSuppressed(at('310 Sample')), true);
    assert.equal(list.isSuppressed(at('310 Sample', { zip: undefined })), true);
    assert.equal(list.isSuppressed(at('310 Sample St')), false);
    assert.equal(list.isSuppressed(at('312 Sample')), false);
    await list.suppressAddress('400 Sample, Cleveland, OH 44105', 'asked by the owner');
    for (const street of ['400 Sample', '400 Sample Ave', '400 Sample St', '398-402 Sample Ct'])
      assert.equal(list.isSuppressed(at(street)), true, street);
    await list.suppressAddress('500 MLK, Cleveland, OH 44105', 'asked by the owner');
    assert.equal(list.isSuppressed(at('500 Martin Luther King Jr Dr')), true);
  });

  it('finds a building whose city stands behind its street', async () => {
    await list.suppressAddress('310 Sample Ave, Cleveland, OH 44105', 'asked by the owner');
    assert.equal(list.isSuppressed(at('310 Sample Ave Cleveland', { city: undefined })), true);
  });

  it('finds whatever the matching of records takes for the suppressed property, whichever of the two it is', async () => {
    const found = new Set<string>();
    for (const { id, a, b } of [...addressPairs, sameFlat]) {
      const [one, other] = [normalizeAddress(a), normalizeAddress(b)];
      const candidates = [one, other].filter(isNormalizedAddress);
      const match = matchAddresses(one, other, { candidates });
      if (match === undefined || !isEvidence(match)) continue;
      found.add(match.matchType);
      for (const [suppressed, record] of [candidates, [...candidates].reverse()]) {
        assert.ok(suppressed && record);
        // A list of its own for each: what was suppressed before would hide that this one finds nothing.
        await database.knex('suppressions').delete();
        await list.suppressAddress(renderAddress(suppressed), 'asked by the owner');
        const { city, state, zip5: zip } = record;
        const place = { street: renderStreetLine(record), city: city || undefined, state, zip: zip || undefined };
        assert.equal(list.isSuppressed({ ...place, countyFips: undefined, parcelId: undefined }), true, id);
      }
    }
    assert.deepEqual([...found].sort(), evidenceByAddress);
  });

  it('does not read the address of a record whose number is on no suppressed address', async () => {
    await list.suppressAddress('310 Sample Ave, Cleveland, OH 44105', 'asked by the owner');
    const unread = (street: string): PossiblySuppressed => ({
      ...at(street),
      get zip(): string {
        return assert.fail(street);
      },
    });
    assert.equal(list.isSuppressed(unread('312 Sample Ave')), false);
    assert.throws(() => list.isSuppressed(unread('310 Sample Ave')));
  });

  it('finds a suppressed parcel in its county, whatever its separators', async () => {
    await list.suppressParcel({ countyFips: '39035', parcelId: '100-20-001' }, 'court order');
    const parcel = (parcelId: string, countyFips = '39035') => at('1 Other St', { parcelId, countyFips });
    assert.equal(list.isSuppressed(parcel('10020001')), true);
    assert.equal(list.isSuppressed(parcel('10020002')), false);
    assert.equal(list.isSuppressed(parcel('10020001', '39049')), false);
    assert.equal(list.isSuppressed({ ...parcel('10020001'), countyFips: undefined }), false);
  });

  it('keeps hashes only: nothing of an address or parcel stands in the database', async () => {
    await list.suppressAddress('100 Example Ave, Cleveland, OH 44105', 'asked by the owner');
    await list.suppressParcel({ countyFips: '39035', parcelId: '100-20-001' }, 'court order');
    const rows = await database.knex('suppressions');
    assert.doesNotMatch(JSON.stringify(rows), /example|44105|cleveland|10020001/i);
    const other = openSuppression(database.knex, 'another secret');
    await assert.rejects(other.refresh(), /another key/);
  });

  it('learns by a refresh what another process suppressed', async () => {
    const other = openSuppression(database.knex);
    setDay(3);
    await other.suppressAddress('100 Example Ave, Cleveland, OH 44105', 'asked by the owner');
    assert.equal(list.isSuppressed(at('100 Example Ave')), false);
    await list.refresh();
    assert.equal(list.isSuppressed(at('100 Example Ave')), true);
  });

  it('takes the same wish twice, and refuses what is no address or parcel without repeating it', async () => {
    const address = { street: '100 Example Ave', city: 'Cleveland', state: 'OH', zip: '44105' };
    await list.suppressAddress(address, 'first');
    const count = (await database.knex('suppressions')).length;
    await list.suppressAddress(address, 'second');
    assert.equal((await database.knex('suppressions')).length, count);
    await assert.rejects(list.suppressAddress('Example Avenue', 'x'), /house number/);
    await assert.rejects(list.suppressParcel({ countyFips: '39035', parcelId: 'N/A' }, 'x'), /That is no parcel/);
  });

  describe('carried over', () => {
    const parcel = (parcelId: string) => at('1 Other St', { parcelId });
    const suppress = (street: string) =>
      list.suppressAddress({ street, city: 'Cleveland', state: 'OH', zip: '44105' }, 'asked by the owner');
    const countHashes = async () => (await database.knex('suppressions')).length;

    it('from a parcel, finds each building at which records place it', async () => {
      await list.suppressParcel({ countyFips: '39035', parcelId: '100-20-001' }, 'court order');
      const named = ['10 Corner St', '20-24 Side Ave'].map((street) => at(street, { parcelId: '10020001' }));
      await list.suppressAliases([named, [at('30 Far St', { parcelId: '10020002' })]]);
      for (const street of ['10 Corner St', '10 Corner', '22 Side Ave'])
        assert.ok(list.isSuppressed(at(street)), street);
      assert.equal(list.isSuppressed(at('30 Far St')), false);
    });

    it('from a building, finds the parcel that records give it under whatever spelling', async () => {
      await suppress('310 Sample Ave');
      await list.suppressAliases([
        [at('310 Sample', { parcelId: '1' })],
        [at('310 Sample St', { parcelId: '2' })],
        [at('5 Other St', { parcelId: '3' }), at('308-312 Sample Ave', { parcelId: '3' })],
      ]);
      const found = ['1', '2', '3'].map((each) => list.isSuppressed(parcel(each)));
      assert.deepEqual(found, [true, false, true], 'the second is of another street');
    });

    it('carries no further from such a parcel, unless the parcel itself is suppressed', async () => {
      await suppress('310 Sample Ave');
      const shared = ['310 Sample Ave', '310 Sample', '99 Far St'].map((street) => [at(street, { parcelId: '7' })]);
      for (let round = 0; round < 2; round++) await list.suppressAliases(shared);
      assert.equal(list.isSuppressed(at('99 Far St', { parcelId: '7' })), true);
      for (const street of ['99 Far St', '310 Sample St']) assert.equal(list.isSuppressed(at(street)), false, street);
      await list.suppressParcel({ countyFips: '39035', parcelId: '7' }, 'court order');
      await list.suppressAliases(shared);
      assert.equal(list.isSuppressed(at('99 Far St')), true);
    });

    it('adds nothing the second time, and nothing of what is not suppressed', async () => {
      await suppress('310 Sample Ave');
      const namings = [[at('310 Sample Ave', { parcelId: '7' })], [at('312 Sample Ave', { parcelId: '8' })]];
      await list.suppressAliases(namings);
      const count = await countHashes();
      await list.suppressAliases(namings);
      assert.equal(await countHashes(), count);
      assert.equal(list.isSuppressed(parcel('8')), false);
    });
  });
});
