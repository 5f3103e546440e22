import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.js';
import type { PossiblySuppressed, SuppressionList } from '../../src/policy/suppression-list.js';
import { openTestDatabase } from '../support/database.js';
import { setDay } from '../sources/ingest/scripted-source.js';
import { openSuppression } from './suppression.js';

const at = (street: string): PossiblySuppressed => ({
  ...{ street, city: 'Cleveland', state: 'OH', zip: '44105' },
  ...{ countyFips: '39035', parcelId: undefined },
});

describe('the suppression of numbered roads and of what stands behind a street', () => {
  let database: Database;
  let list: SuppressionList;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
    list = openSuppression(database.knex);
  });
  afterEach(() => database.close());

  it('keeps roads of other numbers and urbanizations of other names apart', async () => {
    await list.suppressAddress('2000 Ohio Hwy 4, Cleveland, OH 44105', 'asked by the owner');
    await list.suppressAddress('150 Calle A, Urb Las Gladiolas, Cleveland, OH 44105', 'asked by the owner');
    for (const street of ['2000 Ohio Highway 4', '2000 State Route 4', '150 Calle A Urb Las Gladiolas', '150 Calle A'])
      assert.equal(list.isSuppressed(at(street)), true, street);
    for (const street of ['2000 Ohio Hwy 48', '150 Calle A, Urb Royal Oak'])
      assert.equal(list.isSuppressed(at(street)), false, street);
  });

  it('finds each of several streets that a record or a wish names', async () => {
    await list.suppressAddress('3100 Oak St, Cleveland, OH 44105', 'asked by the owner');
    assert.equal(list.isSuppressed(at('3000 Main St, 3100 Oak St')), true);
    assert.equal(list.isSuppressed(at('3000 Main St; 3102 Oak St')), false);
    await list.suppressAddress('10 Main St & 12 Elm St, Cleveland, OH 44105', 'asked by the owner');
    for (const street of ['10 Main St', '12 Elm St']) assert.equal(list.isSuppressed(at(street)), true, street);
  });
});
