import assert from 'node:assert/strict';
import { isEvidence, matchConfidences, type MatchType } from '../../../src/places/addresses/match-types.js';
import { matchAddresses, type MatchContext } from '../../../src/places/addresses/match.js';
import { normalizeAddress } from '../../../src/places/addresses/normalize.js';
import { isNormalizedAddress, type NormalizedAddress } from '../../../src/places/addresses/normalized-address.js';

const elm = '500 E Elm St, Dallas, TX 75202';

describe('matchAddresses', () => {
  const cases: readonly (readonly [guarantee: string, a: string, b: string, expected: MatchType | 'none'])[] = [
    [
      'takes one unit written in two ways for one unit',
      '1 Elm St Apt 2, Akron, OH 44301',
      '1 Elm St #2, Akron, OH 44301',
      'exact_unit',
    ],
    [
      'takes suites and rooms for apartments',
      '1 Elm St Ste 2, Akron, OH 44301',
      '1 Elm St Apt 2, Akron, OH 44301',
      'exact_unit',
    ],
    ['takes a room for a unit', '1 Elm St Room 2, Akron, OH 44301', '1 Elm St Unit 2, Akron, OH 44301', 'exact_unit'],
    [
      'keeps the basement and a flat apart',
      '1 Elm St Bsmt, Akron, OH 44301',
      '1 Elm St Lower, Akron, OH 44301',
      'building_level',
    ],
    [
      'keeps floor and apartment apart',
      '1 Elm St Fl 2, Akron, OH 44301',
      '1 Elm St #2, Akron, OH 44301',
      'building_level',
    ],
    [
      'takes an equal range in an equal ZIP for exact',
      '10-14 Elm St, Akron, OH 44301',
      '10/14 Elm St, Akron, OH 44301',
      'exact_normalized',
    ],
    ['finds a range within a range', '10-16 Elm St, Akron, OH 44301', '12-14 Elm St, Akron, OH', 'range_contains'],
    [
      'does not take the other side of the street into a range',
      '10-16 Elm St, Akron, OH 44301',
      '13 Elm St, Akron, OH 44301',
      'none',
    ],
    [
      'does not take ranges that only overlap',
      '10-14 Elm St, Akron, OH 44301',
      '12-16 Elm St, Akron, OH 44301',
      'none',
    ],
    [
      'finds a house in a list that names it',
      '100 & 110 Elm St, Akron, OH 44301',
      '110 Elm St, Akron, OH 44301',
      'range_contains',
    ],
    [
      'finds no house that lies between those of a list',
      '100 & 110 Elm St, Akron, OH 44301',
      '104 Elm St, Akron, OH 44301',
      'none',
    ],
    [
      'finds a list within a range',
      '100 & 110 Elm St, Akron, OH 44301',
      '98-112 Elm St, Akron, OH 44301',
      'range_contains',
    ],
    [
      'takes an equal list for exact',
      '100 & 110 Elm St, Akron, OH 44301',
      '110 and 100 Elm Street, Akron, OH 44301',
      'exact_normalized',
    ],
    [
      'keeps two lists apart that have one house in common',
      '100 & 110 Elm St, Akron, OH 44301',
      '100 & 112 Elm St, Akron, OH 44301',
      'none',
    ],
    [
      'keeps a letter of the number apart from a directional',
      '123-E Oak St, Akron, OH 44301',
      '123 E Oak St, Akron, OH 44301',
      'none',
    ],
    ['needs the same city where a ZIP is missing', '1 Elm St, Akron, OH 44301', '1 Elm St, Kent, OH', 'none'],
    [
      'lets the ZIP overrule the postal city',
      '1 Elm St, Lakewood, OH 44107',
      '1 Elm St, Cleveland, OH 44107',
      'exact_normalized',
    ],
    [
      'takes two cities of one ZIP in different counties for review',
      '1 Elm St, Waukesha, WI 53151',
      '1 Elm St, West Allis, WI 53151',
      'review_city_conflict',
    ],
    [
      'doubts the building as well as the address in another county',
      '1 Elm St Apt 2, Waukesha, WI 53151',
      '1 Elm St, West Allis, WI 53151',
      'review_city_conflict',
    ],
    [
      'lets the ZIP overrule a city whose county is not known',
      '1 Elm St, Waukesha, WI 53151',
      '1 Elm St, New Berlin, WI 53151',
      'exact_normalized',
    ],
    ['takes a missing pre-directional for review', elm, '500 Elm St, Dallas, TX 75202', 'review_predir'],
    ['rejects two post-directionals', '1 Elm St N, Akron, OH 44301', '1 Elm St S, Akron, OH 44301', 'none'],
    [
      'does not stretch a missing post-directional over another suffix',
      '1 Elm St N, Akron, OH 44301',
      '1 Elm Ave, Akron, OH 44301',
      'none',
    ],
    [
      'keeps a lettered number apart from the plain one',
      '1A Elm St, Akron, OH 44301',
      '1 Elm St, Akron, OH 44301',
      'none',
    ],
    [
      'resolves aliases without a ZIP, given the city',
      '1 MLK Blvd, Tampa, FL',
      '1 Dr. M.L. King Jr. Blvd, Tampa, FL 33602',
      'street_alias',
    ],
    [
      'does not call an alias with another suffix evidence',
      '1 MLK Blvd, Tampa, FL 33602',
      '1 M L King Dr, Tampa, FL 33602',
      'review_suffix_conflict',
    ],
    ['does not match on street alone', '0 Elm St, Akron, OH 44301', '0 Elm St, Akron, OH 44301', 'none'],
  ];
  for (const [guarantee, a, b, expected] of cases) {
    it(guarantee, () => {
      assert.equal(typeOf(a, b), expected);
      assert.equal(typeOf(b, a), expected);
    });
  }

  it('gives each type of match its confidence and counts it as evidence from .85', () => {
    assert.deepEqual(matchAddresses(read(elm), read(elm)), { matchType: 'exact_normalized', confidence: '0.98' });
    const evidence = (Object.keys(matchConfidences) as MatchType[]) // Object.keys loses the keys' type
      .filter((matchType) => isEvidence({ matchType, confidence: matchConfidences[matchType] }));
    assert.deepEqual(evidence, [
      'parcel_exact',
      'exact_normalized',
      'exact_unit',
      'exact_no_zip',
      'range_equal',
      'range_contains',
      'building_level',
      'suffix_missing',
      'street_alias',
    ]);
  });

  it('ranks an equal parcel first, but not above contradicting addresses', () => {
    const parcels = ['US:48113:1', 'US:48113:1'] as const;
    assert.equal(typeOf(elm, '500 E Elm Ave, Dallas, TX 75202', { parcels }), 'parcel_exact');
    assert.equal(typeOf(elm, '500 W Elm St, Dallas, TX 75202', { parcels }), 'none');
    assert.equal(typeOf(elm, elm, { parcels: ['US:48113:1', 'US:48113:2'] }), 'exact_normalized');
  });

  it('matches a record without a usable address only by its parcel', () => {
    const noAddress = normalizeAddress('PO Box 1, Dallas, TX');
    const match = matchAddresses(noAddress, read(elm), { parcels: ['US:48113:1', 'US:48113:1'] });
    assert.deepEqual(match, { matchType: 'parcel_exact', confidence: '1.00' });
    assert.equal(matchAddresses(noAddress, read(elm), { parcels: [undefined, undefined] }), undefined);
    assert.equal(matchAddresses(noAddress, noAddress), undefined);
  });

  describe('a missing suffix', () => {
    const bare = '500 E Elm, Dallas, TX 75202';

    it('is evidence when the ZIP has only one such street', () => {
      assert.equal(typeOf(bare, elm, { candidates: [read('500 E Oak Ave, Dallas, TX 75202')] }), 'suffix_missing');
    });

    it('is for review when a second suffix is known, or nothing is known', () => {
      const candidates = [read('500 E Elm Ave, Dallas, TX 75202')];
      assert.equal(typeOf(bare, elm, { candidates }), 'review_suffix_conflict');
      assert.equal(typeOf(bare, elm), 'review_suffix_conflict');
    });

    it('is for review when a ZIP is missing', () => {
      assert.equal(typeOf(bare, '500 E Elm St, Dallas, TX', { candidates: [] }), 'review_suffix_conflict');
    });
  });

  describe('a name that differs in blanks alone', () => {
    const at = (street: string): string => `12 ${street}, Akron, OH 44301`;
    const [one, other] = [at('McKinley Ave'), at('Mc Kinley Ave')];
    const typeAmong = (a: string, b: string, ...rivals: string[]): string =>
      typeOf(a, b, { candidates: [a, b, ...rivals].map(read) });

    it('is one name in a ZIP that has no street with a similar name at this number', () => {
      assert.equal(typeAmong(one, other, at('Oak St')), 'street_alias');
      assert.equal(typeAmong(at('La Salle St'), at('LaSalle St')), 'street_alias');
      assert.equal(typeAmong(one, other, at('McKinley Ct')), 'none');
      assert.equal(typeOf(one, other), 'none', 'nothing is known of the ZIP');
      assert.equal(typeAmong('12 McKinley Ave, Akron, OH', other), 'none');
    });

    it('is another name where the blank is between the letters or numbers of a road', () => {
      assert.equal(typeAmong(at('Avenue A B'), at('Avenue AB')), 'none');
      assert.equal(typeAmong(at('FM 12 B'), at('FM 12B')), 'none');
    });
  });

  describe('a misspelled name', () => {
    const right = '1234 Kinsman Rd, Cleveland, OH 44104';
    const wrong = '1234 Kinsmann Rd, Cleveland, OH 44104';

    it('is a possible match, never evidence, when no other name is close', () => {
      const candidates = [read('1234 Oakdale Ave, Cleveland, OH 44104'), read(right), read(wrong)];
      const match = matchAddresses(read(right), read(wrong), { candidates });
      assert.deepEqual(match, { matchType: 'fuzzy_trigram', confidence: '0.70' });
      assert.ok(match && !isEvidence(match));
    });

    it('shares more than half of its trigrams with the right name, and at most two fifths with its rivals', () => {
      const at = (street: string): string => `1234 ${street}, Cleveland, OH 44104`;
      const similar = (a: string, b: string, ...rivals: string[]): string =>
        typeOf(at(a), at(b), { candidates: rivals.map((rival) => read(at(rival))) });
      assert.equal(similar('Maplewood Ave', 'Mapelwood Ave'), 'fuzzy_trigram', '10 of 18');
      assert.equal(similar('Larkspur', 'Larspur'), 'none', '6 of 11');
      assert.equal(similar('Larkspur', 'Larkspurr', 'Larspur Ave'), 'fuzzy_trigram', '6 of 15');
      assert.equal(similar('Bellflower', 'Belleflower', 'Belltower St'), 'none', '7 of 17');
      assert.equal(similar('Governor Washington St', 'Governor Washingten St'), 'fuzzy_trigram');
      assert.equal(similar('Governor Washington St', 'Governor Washingten Ave'), 'none', 'another suffix');
    });

    it('has no rival in its own building, without a ZIP or as part of a range', () => {
      const own = [
        '1234 Kinsman Rd, Cleveland, OH',
        '1234 Kinsman Rd Apt 2, OH 44104',
        '1234-1238 Kinsman Rd, Cleveland, OH',
      ];
      assert.equal(typeOf(right, wrong, { candidates: own.map(read) }), 'fuzzy_trigram');
      assert.equal(typeOf(wrong, right, { candidates: own.map(read) }), 'fuzzy_trigram');
      for (const rival of [
        '1234 E Kinsman Rd, Cleveland, OH',
        '1234 Kinsman Rd N, Cleveland, OH',
        '1234 Kinsman Ave, OH 44104',
      ])
        assert.equal(typeOf(right, wrong, { candidates: [read(rival)] }), 'none', rival);
    });

    it('has no rival in another ZIP of the city, or at another number', () => {
      for (const elsewhere of ['1234 Kinsmon Rd, Cleveland, OH 44120', '1250 Kinsmon Rd, Cleveland, OH 44104'])
        assert.equal(typeOf(right, wrong, { candidates: [read(elsewhere)] }), 'fuzzy_trigram');
    });

    it('is no match when a rival is close, or the other candidates are unknown', () => {
      assert.equal(typeOf(right, wrong, { candidates: [read('1234 Kinsmon Rd, Cleveland, OH 44104')] }), 'none');
      assert.equal(typeOf(right, wrong), 'none');
    });

    it('is no match in another ZIP, at another number, or for the digits of a name', () => {
      assert.equal(typeOf(right, '1234 Kinsmann Rd, Cleveland, OH', { candidates: [] }), 'none');
      assert.equal(typeOf(right, '1236 Kinsmann Rd, Cleveland, OH 44104', { candidates: [] }), 'none');
      assert.equal(
        typeOf('1 E 193rd St, Euclid, OH 44119', '1 E 194th St, Euclid, OH 44119', { candidates: [] }),
        'none',
      );
    });
  });
});

function typeOf(a: string, b: string, context?: MatchContext): MatchType | 'none' {
  return matchAddresses(normalizeAddress(a), normalizeAddress(b), context)?.matchType ?? 'none';
}

function read(text: string): NormalizedAddress {
  const address = normalizeAddress(text);
  assert.ok(isNormalizedAddress(address), text);
  return address;
}
