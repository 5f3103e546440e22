import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { Database } from '../../../src/db/database.js';
import { setDay } from '../../sources/ingest/scripted-source.js';
import { openTestDatabase } from '../../support/database.js';
import { openAuctionFixture } from './auction-fixture.js';
import { observeAuction } from './observed-auction.js';

const notStated = absent('not_stated_by_source');
const day = (count: number) => new Date(Date.parse('2026-11-01T00:00:00.000Z') + count * 24 * 3600 * 1000);
const elsewhere = observeAuction({ sourceKey: 'a9', caseNumber: known('CV-9'), address: known('9 Other St') });

describe('the identity of a sale', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
  });
  afterEach(() => database.close());
  const { reader, ingest, readAll, readKey, changes } = openAuctionFixture(() => database);

  it('is given by county and case, for any spelling, source and date', async () => {
    await ingest([observeAuction()]);
    setDay(1);
    await ingest([observeAuction({ sourceKey: 'x', caseNumber: known('cv 24 123456'), saleDate: '2027-01-07' })], {
      name: 'b',
    });
    const [auction, ...others] = await readAll();
    assert.deepEqual(others, []);
    assert.deepEqual([auction?.saleDate, auction?.sourceName, auction?.firstSeenAt], ['2027-01-07', 'b', day(0)]);
    await ingest([observeAuction({ sourceKey: 'y', countyFips: '39049' })], { name: 'c' });
    assert.equal((await readAll()).length, 2);
  });

  it('differs between parcels of one case, in any order', async () => {
    const parcels = ['100-30-1', '100-30-2'].map((parcelId) =>
      observeAuction({
        sourceKey: parcelId,
        parcelId: known(parcelId),
        address: known(`${parcelId.slice(-1)} Main St`),
      }),
    );
    await ingest(parcels);
    const before = (await readAll()).map(({ id, address }) => [id, address]);
    assert.equal(before.length, 2);
    await ingest(parcels.reverse());
    assert.deepEqual(
      (await readAll()).map(({ id, address }) => [id, address]),
      before,
    );
  });

  it('differs between buildings of one case without a stated parcel, for any spelling', async () => {
    const sale = (sourceKey: string, street: string) =>
      observeAuction({ sourceKey, parcelId: notStated, address: known(street) });
    await ingest([sale('a1', '100 Example Avenue'), sale('a2', '102 Example Avenue')]);
    await ingest([sale('b1', '100 EXAMPLE AVE'), sale('b2', '102 Example Ave.')], { name: 'b' });
    assert.equal((await readAll()).length, 2);
  });

  it('differs between towns when neither case nor parcel is known', async () => {
    const nowhere = { caseNumber: notStated, parcelId: notStated, address: known('12 Main St') };
    await ingest([
      observeAuction({ ...nowhere, zip: notStated }),
      observeAuction({ ...nowhere, sourceKey: 'b', city: known('Lakewood'), zip: notStated }),
      observeAuction({ ...nowhere, sourceKey: 'c', zip: known('44109') }),
    ]);
    assert.equal((await readAll()).length, 3);
  });

  it('stays when its source adds or corrects the case number', async () => {
    await ingest([observeAuction({ caseNumber: notStated }), elsewhere]);
    setDay(1);
    await ingest([observeAuction(), elsewhere]);
    const shown = (await readAll()).map(({ sourceKey, caseNumber, saleStatus }) => [sourceKey, caseNumber, saleStatus]);
    assert.deepEqual(shown.sort(), [
      ['a1', observeAuction().caseNumber, 'scheduled'],
      ['a9', known('CV-9'), 'scheduled'],
    ]);
    assert.deepEqual(await changes(day(1)), ['a1', 'gone']);
    setDay(2);
    await ingest([observeAuction({ caseNumber: notStated }), elsewhere]);
    assert.deepEqual((await readKey('a1')).caseNumber, notStated);
    assert.deepEqual(await changes(day(2)), ['a1', 'gone']);
  });

  it('moves to another id only when no source in force shows it under the earlier one', async () => {
    const noParcel = { parcelId: notStated };
    await ingest([observeAuction(noParcel)], { name: 'a' });
    await ingest([observeAuction({ ...noParcel, sourceKey: 'b1' })], { name: 'b' });
    const [former, ...others] = await readAll();
    assert.ok(former && others.length === 0);
    await ingest([observeAuction()], { name: 'a' });
    assert.equal((await readAll()).length, 2, 'the parcel that one source names makes it another');
    assert.deepEqual(await reader().findReplaced([former.id]), []);
    await database.knex('sources').where({ name: 'b' }).update({ removed_at: new Date() });
    const [current] = await readAll();
    assert.deepEqual(await reader().findReplaced([former.id]), [{ former: former.id, current: current?.id }]);
  });

  it('follows a source that still shows the sale, not one that no longer does', async () => {
    await ingest([observeAuction(), elsewhere], { name: 'a' });
    await ingest([observeAuction({ sourceKey: 'b1' })], { name: 'b' });
    for (const count of [1, 2]) {
      setDay(count);
      await ingest([elsewhere], { name: 'a' });
      await ingest([observeAuction({ sourceKey: 'b1' })], { name: 'b' });
    }
    const { sourceName, saleStatus, lastSeenAt } = await readKey('b1');
    assert.deepEqual([sourceName, saleStatus, lastSeenAt], ['b', 'scheduled', day(2)]);
  });
});
