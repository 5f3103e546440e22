import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import type { Auction } from '../../../src/counties/auctions/auction.js';
import { createFindMatches } from '../../../src/publishing/find-matches.js';
import type { Listing } from '../../../src/listings/listing.js';
import { matchCountyRecords } from '../../../src/counties/matches/match-county-records.js';
import { placeOf, type LocatedRecord } from '../../../src/counties/matches/property-place.js';
import type { Signal } from '../../../src/counties/signals/signal.js';
import { observeAuction } from '../auctions/observed-auction.js';
import { observeSignal } from '../signals/observed-signal.js';
import { buildListing } from '../../underwriting/build-listing.js';

const notStated = absent('not_stated_by_source');
const property: LocatedRecord = {
  address: known('3456-58 E 93rd St'),
  city: 'Cleveland',
  state: 'OH',
  zip: known('44105'),
  countyFips: known('39035'),
  parcelId: notStated,
};
const seen = {
  sourceName: 'county',
  sourceNames: ['county'],
  firstSeenAt: new Date(0),
  lastSeenAt: new Date(0),
  demonstration: true,
} as const;

function signal(id: string, overrides: Parameters<typeof observeSignal>[0]): Signal {
  return {
    ...observeSignal(overrides),
    ...seen,
    id,
    addressStatus: 'complete',
  };
}

function auction(id: string, overrides: Parameters<typeof observeAuction>[0]): Auction {
  return { ...observeAuction(overrides), ...seen, id };
}

function locate<Record extends LocatedRecord>(record: Record) {
  return { record, place: placeOf(record) };
}

function matchSignals(place: LocatedRecord, ...signals: Signal[]) {
  return matchCountyRecords(placeOf(place), { signals: signals.map(locate), auctions: [] }).signals.map(
    ({ id, matchType, confidence }) => `${id} ${matchType} ${confidence}`,
  );
}

describe('county records of a property', () => {
  it('are found by its address, in any spelling', () => {
    const same = signal('a', { address: known('3456-3458 EAST 93RD STREET') });
    assert.deepEqual(matchSignals(property, same), ['a exact_normalized 0.98']);
    const contained = signal('b', { address: known('3458 East 93 St.') });
    assert.deepEqual(matchSignals(property, contained), ['b range_contains 0.88']);
  });

  it('are found by its parcel when their address is not known', () => {
    const nameless = signal('a', { address: absent('pending_parcel_lookup'), parcelId: '131-01-001' });
    assert.deepEqual(matchSignals({ ...property, parcelId: known('13101001') }, nameless), ['a parcel_exact 1.00']);
    assert.deepEqual(matchSignals(property, nameless), [], 'the listing does not name its parcel');
  });

  it('exclude those of a neighbor, of the other side of a street, or of another city', () => {
    const others = ['3460 E 93rd St', '3456 W 93rd St', '3457 E 93rd St', '3456 E 92nd St'];
    const signals = others.map((address, index) => signal(`${index}`, { address: known(address) }));
    assert.deepEqual(matchSignals(property, ...signals), []);
    const elsewhere = signal('x', { address: known('3456 E 93rd St'), zip: known('44144') });
    assert.deepEqual(matchSignals(property, elsewhere), []);
  });

  it('match no property when they omit what distinguishes two', async () => {
    const bare = signal('a', { address: known('3456 E 93rd') });
    const [street, avenue] = ['3456 E 93rd St', '3456 E 93rd Ave'].map((line) =>
      buildListing({ id: line, address: known(line), parcelId: notStated }),
    );
    assert.ok(street && avenue);
    assert.deepEqual(matchSignals(street, bare), ['a suffix_missing 0.85']);
    const find = async (
      composed: readonly Listing[],
      published: readonly Listing[],
      observed: readonly Listing[] = [],
    ) => {
      const findMatches = createFindMatches({
        findPublished: async () =>
          new Map([
            ['signals', ['a']],
            ['deals', published.map(({ id }) => id)],
          ]),
        listings: {
          listAtHouseNumbers: async () => observed.map(({ id }) => id),
          async *readSome(ids) {
            yield [...published, ...observed]
              .filter(({ id }) => ids.includes(id))
              .map((listing) => ({ id: listing.id, listing }));
          },
        },
        signals: { readByIds: async () => [bare] },
        auctions: { readByIds: async () => [] },
      });
      const found = await findMatches(new Map(composed.map((listing) => [listing.id, placeOf(listing)])));
      return [...found].filter(([, { signals }]) => signals.length > 0).map(([id]) => id);
    };
    assert.deepEqual(await find([street], [street]), [street.id]);
    assert.deepEqual(await find([street], [street, avenue]), []);
    assert.deepEqual(await find([street, avenue], []), [], 'nor where neither is published yet');
    assert.deepEqual(await find([street], [], [street, avenue]), [], 'nor where the other comes later');
  });

  it('are ordered by largest debt, and by next sale', () => {
    const address = known('3456 E 93rd St');
    const signals = ['10.00', '9000', '250.5'].map((amount, index) => signal(`s${index}`, { address, amount }));
    const auctions = ['2027-01-04', '2026-12-07'].map((saleDate, index) => auction(`a${index}`, { address, saleDate }));
    const candidates = { signals: signals.map(locate), auctions: auctions.map(locate) };
    const matches = matchCountyRecords(placeOf(property), candidates);
    assert.deepEqual(
      matches.signals.map(({ id }) => id),
      ['s1', 's2', 's0'],
    );
    assert.deepEqual(
      matches.auctions.map(({ id }) => id),
      ['a1', 'a0'],
    );
  });

  it('share a key with it, as the lookup requires', () => {
    const keys = new Set(placeOf(property).keys);
    for (const address of ['3456 E 93rd St', '3458 East 93rd Street Apt 2', '3456/3458 E 93 ST'])
      for (const zip of [known('44105'), notStated])
        assert.ok(
          placeOf({ ...property, address: known(address), zip }).keys.some((key) => keys.has(key)),
          address,
        );
  });
});
