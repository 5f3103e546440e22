import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.js';
import type { PossiblySuppressed, SuppressionList } from '../../src/policy/suppression-list.js';
import { openTestDatabase } from '../support/database.js';
import { setDay } from '../sources/scripted-source.js';
import { openSuppression } from './suppression.js';

const cleveland = { city: 'Cleveland', state: 'OH', zip: '44105', countyFips: '39035', parcelId: undefined };
const at = (street: string, overrides: Partial<PossiblySuppressed> = {}): PossiblySuppressed => ({
  street,
  ...cleveland,
  ...overrides,
});

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
    for (const street of ['3457 Example St', '3460 Example St', '204-206 Example St'])
      assert.equal(list.isSuppressed(at(street)), false, street);
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

  it('learns by a refresh what another process suppressed, and says when', async () => {
    const other = openSuppression(database.knex);
    assert.equal(list.grownAt(), undefined);
    const later = setDay(3);
    await other.suppressAddress('100 Example Ave, Cleveland, OH 44105', 'asked by the owner');
    assert.equal(list.isSuppressed(at('100 Example Ave')), false);
    await list.refresh();
    assert.equal(list.isSuppressed(at('100 Example Ave')), true);
    assert.deepEqual(list.grownAt(), later);
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
});
