import assert from 'node:assert/strict';
import type { Auction, Deal, Signal } from '../../generated/types.gen.js';
import { normalizeAddress } from '../../src/addresses/normalize.js';
import { isNormalizedAddress } from '../../src/addresses/normalized-address.js';
import { findAtAddress } from '../../src/api/find-at-address.js';
import type { PublishedRecords, ReadAt } from '../../src/api/published-records.js';
import type { PlacedRecord } from '../../src/feeds/feed-line.js';

const parcel = 'US:39035:13101001';
const asked = normalizeAddress('3458 E 93rd St, Cleveland, OH 44105');
assert.ok(isNormalizedAddress(asked));

describe('what is found at an address', () => {
  const lying = (id: string, address: string | null) => ({ id, address, city: 'Cleveland', state: 'OH', zip: '44105' });
  const deal = (id: string, address: string | null, ...placeKeys: string[]): PlacedRecord<Deal> => ({
    record: lying(id, address) as Deal,
    placeKeys,
  });
  const signal = (id: string, address: string | null): PlacedRecord<Signal> => ({
    record: lying(id, address) as Signal,
    placeKeys: [parcel],
  });

  /** Finds among what the first question brings, and the second; tells what was asked, and of which versions. */
  async function find(...answers: Partial<PublishedRecords>[]) {
    const questions: Parameters<ReadAt>[] = [];
    const nothing = { deals: [], signals: [], auctions: [] as PlacedRecord<Auction>[] };
    const { found, versions } = await findAtAddress(
      asked as Parameters<typeof findAtAddress>[0],
      async (...question) => {
        const version = questions.push(question);
        return {
          ...nothing,
          versions: { deals: version, signals: version, auctions: version },
          ...answers[version - 1],
        };
      },
    );
    const told = found.map(({ located, match }) => `${located.record.id} ${match.matchType}`);
    return { questions, versions, found: told };
  }

  it('is asked for once where nothing of it names a parcel', async () => {
    const { questions, found } = await find({ deals: [deal('a', '3458 E 93rd St', 'OH|44105|3458')] });
    assert.deepEqual([questions.length, found], [1, ['a exact_normalized']]);
  });

  it('is asked for once where only what is no evidence names a parcel', async () => {
    const { questions, found } = await find({ deals: [deal('a', '3458 E 93rd Ave', 'OH|44105|3458', parcel)] });
    assert.deepEqual([questions.length, found], [1, ['a review_suffix_conflict']]);
  });

  it('is all of the versions that are told, whatever is published between the questions', async () => {
    const { questions, versions } = await find({ deals: [deal('a', '3458 E 93rd St', 'OH|44105|3458', parcel)] });
    const first = { deals: 1, signals: 1, auctions: 1 };
    assert.deepEqual(versions, first);
    assert.deepEqual(questions[1], [[parcel], first]);
  });

  it('is compared with the record whose parcel it shares, which may tell more numbers than were asked for', async () => {
    const whole = deal('a', '3456-58 E 93rd St', 'OH|44105|3458', parcel);
    const { found } = await find({ deals: [whole] }, { deals: [whole], signals: [signal('b', '3456 E 93rd St')] });
    assert.deepEqual(found, ['a range_contains', 'b parcel_exact']);
  });
});
