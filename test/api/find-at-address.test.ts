import assert from 'node:assert/strict';
import type { Auction, Deal, Signal } from '../../generated/types.gen.js';
import { normalizeAddress } from '../../src/places/addresses/normalize.js';
import { isNormalizedAddress } from '../../src/places/addresses/normalized-address.js';
import { findAtAddress, type PublishedRecords, type ReadAt } from '../../src/api/data/find-at-address.js';
import type { PlacedRecord } from '../../src/feeds/feed-publisher.js';

const parcel = 'US:39035:13101001';
const asked = normalizeAddress('3458 E 93rd St, Cleveland, OH 44105');
assert.ok(isNormalizedAddress(asked));
/** `number` in its ZIP. */
const key = 'OH|44105|3458';

describe('the records found at an address', () => {
  const lying = (id: string, address: string | null) => ({ id, address, city: 'Cleveland', state: 'OH', zip: '44105' });
  const deal = (id: string, address: string | null, ...placeKeys: string[]): PlacedRecord<Deal> => ({
    record: lying(id, address) as Deal,
    placeKeys,
  });
  const signal = (id: string, address: string | null): PlacedRecord<Signal> => ({
    record: lying(id, address) as Signal,
    placeKeys: [parcel],
  });

  /** Searches the published records; the second call with the same question fails. */
  async function find(published: Partial<PublishedRecords>): Promise<string[]> {
    const nothing = { deals: [], signals: [], auctions: [] as PlacedRecord<Auction>[] };
    const versions = { deals: 1, signals: 1, auctions: 1 };
    const questions: Parameters<ReadAt>[] = [];
    const { found } = await findAtAddress(asked as Parameters<typeof findAtAddress>[0], async (...question) => {
      assert.equal(questions.push(question), 1, 'What is as of one moment is asked for at once.');
      return { ...nothing, versions, ...published };
    });
    return found.map(({ located, match }) => `${located.record.id} ${match.matchType}`);
  }

  it('are those with the address when none of them has a parcel', async () => {
    assert.deepEqual(await find({ deals: [deal('a', '3458 E 93rd St', key)] }), ['a exact_normalized']);
  });

  it('include a record with a parcel only, when it is the parcel of a record with the address', async () => {
    const deals = [deal('a', '3458 E 93rd St', key, parcel)];
    assert.deepEqual(await find({ deals, signals: [signal('b', null)] }), ['a exact_normalized', 'b parcel_exact']);
  });

  it('exclude records on the parcel of a match that is not evidence', async () => {
    const deals = [deal('a', '3458 E 93rd Ave', key, parcel)];
    assert.deepEqual(await find({ deals, signals: [signal('b', null)] }), ['a review_suffix_conflict']);
  });

  it('do not match two records through the absence of their parcels', async () => {
    const deals = [deal('a', '3458 E 93rd St', key), deal('b', null)];
    assert.deepEqual(await find({ deals }), ['a exact_normalized']);
  });

  it("match by parcel when a record's own address is less specific", async () => {
    const deals = [deal('a', '3458 E 93rd St', key, parcel)];
    const debt = { ...signal('b', '3458 E 93rd St'), placeKeys: [key, parcel] };
    const withoutZip = { ...debt, record: { ...debt.record, zip: null } };
    assert.deepEqual(await find({ deals, signals: [withoutZip] }), ['a exact_normalized', 'b parcel_exact']);
    const elsewhere = { ...withoutZip, placeKeys: [key, `${parcel}9`] };
    assert.deepEqual(await find({ deals, signals: [elsewhere] }), ['a exact_normalized', 'b exact_no_zip']);
  });

  it('gain no confidence from another record with equal confidence', async () => {
    const deals = [deal('a', '3458 E 93rd St', key, parcel)];
    const debt = { ...signal('b', '3458 E 93rd St'), placeKeys: [key, parcel] };
    assert.deepEqual(await find({ deals, signals: [debt] }), ['a exact_normalized', 'b exact_normalized']);
  });

  it('are compared with the record that shares the parcel, which may have a wider number range than the question', async () => {
    const deals = [deal('a', '3456-58 E 93rd St', key, parcel)];
    const found = await find({ deals, signals: [signal('b', '3456 E 93rd St')] });
    assert.deepEqual(found, ['a range_contains', 'b parcel_exact']);
  });
});
