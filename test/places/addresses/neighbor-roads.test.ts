import assert from 'node:assert/strict';
import { matchAddresses } from '../../../src/places/addresses/match.js';
import type { MatchType } from '../../../src/places/addresses/match-types.js';
import { normalizeAddress } from '../../../src/places/addresses/normalize.js';
import { isNormalizedAddress } from '../../../src/places/addresses/normalized-address.js';
import { parsed } from './parsed.js';

type Case = readonly [a: string, b: string, expected: MatchType | 'none'];

describe('the number or letter of a road', () => {
  const cases: readonly Case[] = [
    ['2000 Texas Hwy 6', '2000 TEXAS HWY 249', 'none'],
    ['2000 Texas Hwy 6', '2000 TX Highway 6', 'exact_normalized'],
    ['2000 Texas Hwy 6', '2000 State Hwy 6', 'exact_normalized'],
    ['2000 Texas State Highway 6', '2000 TX-6', 'none'],
    ['2000 Texas Hwy 6 Apt 2', '2000 Texas Hwy 6', 'building_level'],
    ['2000 N Texas Hwy 6', '2000 N Texas Hwy 249', 'none'],
    ['1000 Private Road 12', '1000 Private Road 14', 'none'],
    ['1000 Private Road 12', '1000 Pvt Rd 12', 'exact_normalized'],
    ['1000 Private Road 12', '1000 Private Road', 'none'],
    ['1000 Private Road 12345', '1000 Private Road 12346', 'none'],
    ['1000 Ohio Highway 4', '1000 Ohio Highway 48', 'none'],
    ['1000 Iowa Highway 5', '1000 Iowa Highway 7', 'none'],
    ['1000 North Dakota Highway 5', '1000 North Dakota Highway 7', 'none'],
    ['1000 Business Highway 5', '1000 Business Highway 7', 'none'],
    ['1000 Range Road 5', '1000 Range Road 6', 'none'],
    ['1000 Town Road 5', '1000 Town Road 6', 'none'],
    ['1000 Camp Road 5', '1000 Camp Road 6', 'none'],
    ['1000 Forest Service Road 5', '1000 Forest Service Road 6', 'none'],
    ['1000 Farm Road 1110', '1000 Farm Road 1112', 'none'],
    ['1000 N RM 620', '1000 N RM 2222', 'none'],
    ['100 Route A', '100 Route B', 'none'],
    ['100 Route AA', '100 Route AB', 'none'],
    ['100 State Highway K', '100 State Highway M', 'none'],
    ['100 River Road AA', '100 River Road BB', 'none'],
    ['100 US Highway 6 Bypass', '100 US Highway 6', 'review_suffix_conflict'],
    ['100 State Highway 6 Spur', '100 State Highway 6', 'review_suffix_conflict'],
    ['100 Broadway A', '100 Broadway B', 'none'],
    ['100 United States Highway 6', '100 United States Highway 8', 'none'],
  ];
  for (const each of cases)
    it(`belongs to the road: ${each[0]} / ${each[1]}`, () => expectMatch(each, 'Paris, TX 75462'));

  it('is not a city of two words', () => {
    const address = parsed('100 State Highway La Porte TX 77571');
    assert.deepEqual([address.street, address.city], ['STATE', 'LA PORTE']);
  });

  it('may name a state also outside that state', () => {
    expectMatch(['1000 Ohio Highway 4', '1000 Ohio Hwy 4', 'exact_normalized'], 'Covington, KY 41011');
    expectMatch(['1000 Ohio Highway 4', '1000 State Hwy 4', 'fuzzy_trigram'], 'Covington, KY 41011');
  });
});

describe('a number or letter after an ordinary suffix', () => {
  const cases: readonly Case[] = [
    ['1234 N Main St 2', '1234 N Main St Apt 2', 'exact_unit'],
    ['1234 N Main St 2', '1234 N Main St 2', 'exact_unit'],
    ['1234 N Main St 2', '1234 N Main St 3', 'review_unit'],
    ['1234 N Main St 2', '1234 N Main St Apt 3', 'review_unit'],
    ['1234 N Main St B', '1234 N Main St', 'review_unit'],
    ['1234 N Main St, B', '1234 N Main St', 'review_unit'],
    ['1234 A&B N Main St', '1234 N Main St', 'review_unit'],
    ['100 Broadway, B', '100 Broadway, C', 'review_unit'],
    ['100 Broadway, B', '100 Broadway Apt B', 'exact_unit'],
    ['1230-1240 N Main St 2', '1234 N Main St', 'review_unit'],
    ['1234 MLK Blvd 2', '1234 M L King Blvd', 'review_unit'],
    ['1234 Oak Rd 2', '1234 Oak Rd # 2', 'exact_unit'],
    ['1234 N Main St Apt 2', '1234 N Main St Apt 3', 'building_level'],
    ['1234 N Main St No. 2', '1234 N Main St', 'building_level'],
  ];
  for (const each of cases)
    it(`is a presumed unit: ${each[0]} / ${each[1]}`, () => expectMatch(each, 'Akron, OH 44301'));
});

describe('text after the street', () => {
  const cases: readonly Case[] = [
    ['150 Calle A, Urb Las Gladiolas', '150 Calle A, Urb Royal Oak', 'none'],
    ['150 Calle A, Urb Las Gladiolas', '150 Calle A, Urbanizacion Las Gladiolas', 'exact_normalized'],
    ['150 Calle A, Urb Las Gladiolas', '150 Calle A Urb. Las Gladiolas', 'exact_normalized'],
    ['150 Calle A, Urb Las Gladiolas', 'Urb Las Gladiolas, 150 Calle A', 'exact_normalized'],
    ['150 Calle A, Urb Las Gladiolas', '150 Calle A', 'review_subdivision'],
    ['150 Calle A, Las Gladiolas', '150 Calle A, Royal Oak', 'review_subdivision'],
    ['3000 Main St, 3100 Oak St', '3000 Main St', 'several_properties'],
    ['1200 Main St; 56 Oak Ave', '1200 Main St', 'several_properties'],
    ['1200 Main St & 56 Oak Ave', '1200 Main St', 'several_properties'],
    ['1200 Main St and 56 County Road 5', '1200 Main St', 'several_properties'],
    ['1200 Main St, 56 Oak Ave', '1200 Main St, 58 Oak Ave', 'several_properties'],
    ['100 Main St, Lot 5', '100 Main St, Lot 6', 'none'],
    ['100 Main St Lot 5', '100 Main St Lot 6', 'none'],
    ['100 Main St Lot 5', '100 Main St', 'review_subdivision'],
    ['100 Main St Lot 5', '100 Main St, Lot 5', 'exact_unit'],
    ['100 Main St Apt 2, Lot 5', '100 Main St Apt 2, Lot 6', 'none'],
    ['100 Main St, Section 2', '100 Main St, Section 3', 'none'],
    ['100 Main St Apt 2 Section 5', '100 Main St Apt 2 Section 6', 'none'],
    ['100 Main St Apt 2 Section 5', '100 Main St Apt 2, Sec 5', 'building_level'],
    ['100 Main St # 2 Tract B', '100 Main St # 2', 'review_subdivision'],
    ['100 Main St Lot 5 Block 2', '100 Main St Lot 5 Block 3', 'none'],
    ['100 Main St, Sec. 2, Block 4', '100 Main St, Block 4, Section 2', 'exact_normalized'],
    ['100 Main St, Tract B', '100 Main St', 'review_subdivision'],
    ['100 Main St, Cuyahoga County', '100 Main St', 'exact_normalized'],
    ['100 Main St, PO Box 5', '100 Main St', 'exact_normalized'],
    ['100 Main St Unit A & B', '100 Main St', 'building_level'],
  ];
  for (const each of cases)
    it(`is part of the address: ${each[0]} / ${each[1]}`, () => expectMatch(each, 'Akron, OH 44301'));

  it('is not part of it when it is the city itself, or another city with its state', () => {
    const plain = { street: '100 Main St', city: 'Cleveland', state: 'OH', zip: '44107' };
    for (const street of ['100 Main St, Lakewood', '100 Main St, Smallville, OH 44107', '100 Main St, Cleveland'])
      assert.equal(parsed({ ...plain, street }).key, parsed(plain).key, street);
  });

  it('is part of the key', () => {
    const keys = ['150 Calle A', '150 Calle A, Urb Las Gladiolas', '150 Calle A, Urb Royal Oak'].map(
      (street) => parsed({ street, city: 'San Juan', state: 'PR', zip: '00926' }).key,
    );
    assert.equal(new Set(keys).size, 3);
  });
});

/** In both orders; the pair is everything known of its ZIP. */
function expectMatch([first, second, expected]: Case, place: string): void {
  const [a, b] = [first, second].map((street) => normalizeAddress(`${street}, ${place}`));
  assert.ok(a && b);
  const candidates = [a, b].filter(isNormalizedAddress);
  assert.equal(candidates.length, 2);
  assert.equal(matchAddresses(a, b, { candidates })?.matchType ?? 'none', expected);
  assert.equal(matchAddresses(b, a, { candidates })?.matchType ?? 'none', expected);
}
