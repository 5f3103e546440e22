import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isEvidence } from '../../../src/places/addresses/match-types.js';
import { matchAddresses } from '../../../src/places/addresses/match.js';
import { normalizeAddress } from '../../../src/places/addresses/normalize.js';
import { isNormalizedAddress } from '../../../src/places/addresses/normalized-address.js';
import { renderStreetLine } from '../../../src/places/addresses/render-address.js';
import { parsed } from './parsed.js';

describe('an address without a city', () => {
  const streets: readonly (readonly [street: string, expected: string, unit?: string])[] = [
    ['77 Park Avenue West', '77 PARK AVE W'],
    ['77 Park Avenue West Apt 2', '77 PARK AVE W', 'APT 2'],
    ['77 Park Avenue Northwest', '77 PARK AVE NW'],
    ['100 County Road 12 North', '100 COUNTY RD 12 N'],
    ['100 Broadway East', '100 BROADWAY E'],
    ['1200 Park Place Drive', '1200 PARK PL DR'],
    ['1200 Spring Valley View', '1200 SPRING VALLEY VW'],
    ['100 Elm Ct', '100 ELM CT'],
    ['1200 Elm St, Apt 2', '1200 ELM ST', 'APT 2'],
    ['1200 Elm St, Unit A', '1200 ELM ST', 'UNIT A'],
    ['1200 Elm St, Rear', '1200 ELM ST', 'REAR'],
    ['1200 Elm St, Second Floor', '1200 ELM ST', 'FL 2'],
    ['1200 Elm St, B', '1200 ELM ST', '# B'],
    ['1200 Elm St, Bldg 3, Apt 4', '1200 ELM ST', 'BLDG 3'],
    ['1200 Elm St #2 Rear', '1200 ELM ST', '# 2 REAR'],
    ['1200 Elm St Bldg 3 Apt 4', '1200 ELM ST', 'BLDG 3 APT 4'],
    ['1200 Elm St A & B', '1200 ELM ST', '# A & B'],
    ['Terminal Tower, 50 Public Square', '50 PUBLIC SQ'],
  ];
  for (const [street, expected, unit = ''] of streets) {
    it(`keeps all of its street: ${street}`, () => {
      const address = parsed({ street, city: '', state: 'CT', zip: '06001' });
      assert.deepEqual([renderStreetLine(address), address.unit, address.city], [expected, unit, '']);
      assert.equal(address.key, parsed({ street, city: 'Avon', state: 'CT', zip: '06001' }).key);
    });
  }

  const behind: readonly (readonly [street: string, expected: string, city: string])[] = [
    ['1200 Elm St, Apt 2, Cleveland', '1200 ELM ST', 'CLEVELAND'],
    ['1200 Elm St, Cleveland, Apt 2', '1200 ELM ST', 'CLEVELAND'],
    ['1200 Elm St, Cleveland, OH 44902', '1200 ELM ST', 'CLEVELAND'],
    ['1200 Elm St, Cleveland OH', '1200 ELM ST', 'CLEVELAND OH'],
    ['1200 Elm St, Cleveland, OH', '1200 ELM ST', 'CLEVELAND'],
    ['1200 Elm St North Canton', '1200 ELM ST', 'NORTH CANTON'],
    ['1200 Elm St, Upper Arlington', '1200 ELM ST', 'UPPER ARLINGTON'],
    ['1200 Elm St Mission', '1200 ELM ST', 'MISSION'],
    ['1200 Grand Ave St Paul', '1200 GRAND AVE', 'ST PAUL'],
    ['1200 Elm St 2 Smallville', '1200 ELM ST', 'SMALLVILLE'],
  ];
  for (const [street, expected, city] of behind) {
    it(`finds the city after the street: ${street}`, () => {
      const address = parsed({ street, city: '', state: 'OH', zip: '44902' });
      assert.deepEqual([renderStreetLine(address), address.city], [expected, city]);
    });
  }

  it('finds a city after a two-letter directional', () => {
    const address = parsed('500 Monroe Avenue Northwest Grand Rapids MI 49503');
    assert.equal(address.key, parsed('500 Monroe Ave NW, Grand Rapids, MI 49503').key);
    assert.equal(address.city, 'GRAND RAPIDS');
  });

  it('is refused when neither a city nor a unit follows the street', () => {
    for (const street of ['1200 Elm St Lot 3 Foo 5', '1200 Elm St, Apt 2 Foo', '1200 Elm St 2-4 Foo']) {
      const address = normalizeAddress({ street, city: '', state: 'OH', zip: '44902' });
      assert.equal('notParsed' in address && address.notParsed, 'no_city', street);
    }
  });

  it('has the same key as with its city and matches it in both orders, for any spelling of its street', () => {
    const word = (...words: string[]) => fc.constantFrom(...words);
    const street = fc.tuple(
      word('100', '100-104', '12 1/2', 'N6W2301'),
      word('', 'E', 'West'),
      word(
        'Elm',
        '9th',
        'Ninth',
        'Saint Clair',
        'Park Place',
        'County Road 12',
        'North',
        'Avenue B',
        'Broadway',
        'Old Highway 42',
      ),
      word('', 'St', 'Street', 'Avenue', 'Terrace', 'Parkway'),
      word('', 'N', 'West', 'Southeast', 'N.E.'),
      word('', ' Apt 2', ', Apt 2', ' #2', ' Rear', ', Rear', ' 2nd Floor', ', Unit A & B', ' 2'),
    );
    fc.assert(
      fc.property(street, ([number, pre, name, suffix, post, unit]) => {
        const text = `${[number, pre, name, suffix, post].filter(Boolean).join(' ')}${unit}`;
        const inCity = normalizeAddress({ street: text, city: 'Smallville', state: 'OH', zip: '44902' });
        const alone = normalizeAddress({ street: text, city: '', state: 'OH', zip: '44902' });
        if (!isNormalizedAddress(inCity)) return;
        assert.ok(isNormalizedAddress(alone), text);
        for (const match of [matchAddresses(alone, inCity), matchAddresses(inCity, alone)])
          assert.ok(match && isEvidence(match), text);
        assert.deepEqual({ ...alone, city: inCity.city, keyWithoutZip: inCity.keyWithoutZip }, inCity);
      }),
      { numRuns: 2_000 },
    );
  });
});
