import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isEvidence } from '../../../src/places/addresses/match-types.js';
import { matchAddresses } from '../../../src/places/addresses/match.js';
import { normalizeAddress } from '../../../src/places/addresses/normalize.js';
import { isNormalizedAddress } from '../../../src/places/addresses/normalized-address.js';
import { renderAddress } from '../../../src/places/addresses/render-address.js';
import { deep } from '../../support/depth.js';

const numbers = [
  '100',
  '3456-58',
  '3458',
  '12 1/2',
  'N6 W2301',
  'One',
  '7A',
  '100 A & B',
  '005',
  '3 & 5',
  '3 & 8',
  '12-3',
  '7-E',
];
const words =
  'N S E W NE NORTH West St Ave Avenue Street SAINT Ft Fort Mt Mount Park Court 9 93 93rd First Ninth Twenty One 12-14 ' +
  '12/14 1/2 A B D & AND # APT Unit Ste Floor FL Rear Upper Bldg County Road CR US Hwy I-75 US-42 RD ND TH BOX PO P O ' +
  'Main Elm Broadway Dr. King TO - / Courthouse 2-B A-1 OH 44105 Cleveland . , The of é ½ ' +
  'Place Drive Ext Northwest Mission Village Suite Basement No ' +
  'Jr. II IV Parish City Lower Lot State Route Louis';
const tails = [
  ', Cleveland, OH 44105',
  ', Kansas City, MO',
  ' Cleveland OH 44105',
  ' Smallville Ohio',
  ', OH 44105',
  ' North Smallville OH 44105',
];

/** Lines of address words in random order, which reach the parser's boundaries more often than random text. */
const wordSalad = fc
  .tuple(
    fc.constantFrom(...numbers),
    fc.array(fc.constantFrom(...words.split(' ')), { minLength: 1, maxLength: 8 }),
    fc.constantFrom(...tails),
  )
  .map(([number, middle, tail]) => `${number} ${middle.join(' ')}${tail}`);

/** Parts of the same words; a source's city field is not always a city. */
const partsSalad = fc.record({
  street: wordSalad,
  city: fc.array(fc.constantFrom(...words.split(' ')), { minLength: 1, maxLength: 3 }).map((city) => city.join(' ')),
  state: fc.constantFrom('OH', 'NY', 'CT'),
  zip: fc.constantFrom('', '44105', '11101'),
});

/** Equivalent spellings of each part. */
const spellings = {
  pre: [['E', 'East', 'e.'], ['W', 'WEST'], ['']],
  name: [['9th', 'Ninth', '9'], ['Saint Clair', 'St. Clair'], ['Elm'], ['Kinsman'], ['Kinsmann']],
  suffix: [
    ['St', 'Street', 'ST.'],
    ['Ave', 'Avenue', 'AV'],
  ],
  unit: [[''], [' Apt 2', ' #2', ' Apartment 2'], [' Unit A & B']],
  zip: [[' 44115', ' 44115-1302', ' 441151302'], [' 44116'], ['']],
} as const;

/** Two spellings of one address. */
const twoSpellings = fc
  .record({
    number: fc.constantFrom('100', '100-104', '102', '12 1/2'),
    pre: fc.constantFrom(...spellings.pre),
    name: fc.constantFrom(...spellings.name),
    suffix: fc.constantFrom(...spellings.suffix),
    unit: fc.constantFrom(...spellings.unit),
    zip: fc.constantFrom(...spellings.zip),
    picks: fc.tuple(fc.nat(9), fc.nat(9)),
  })
  .map(({ number, pre, name, suffix, unit, zip, picks }) =>
    picks.map((pick) => {
      const spell = (ways: readonly string[]): string => ways[pick % ways.length] ?? '';
      return `${number} ${spell(pre)} ${spell(name)} ${spell(suffix)}${spell(unit)}, Cleveland, OH${spell(zip)}`;
    }),
  );

const spelling = twoSpellings.map(([line]) => normalizeAddress(line ?? '')).filter(isNormalizedAddress);

describe('the laws of addresses', () => {
  it('an address stays unchanged when it is written and normalized again', () => {
    let parsed = 0;
    const salad = fc.property(fc.oneof(wordSalad, partsSalad), (given) => {
      const address = normalizeAddress(given);
      if (!isNormalizedAddress(address)) return;
      parsed += 1;
      assert.deepEqual(normalizeAddress(renderAddress(address)), address);
      assert.deepEqual(normalizeAddress(renderAddress(address).toLowerCase()), address);
    });
    fc.assert(salad, { numRuns: deep(10_000, 1000) });
    assert.ok(parsed > deep(4_000, 400), 'most lines must be addresses, else the law is hardly tested');
  });

  it('nothing throws, for any text or parts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.tuple(wordSalad, fc.string({ unit: 'binary', maxLength: 40 })).map((texts) => texts.join('')),
      fc.string({ unit: 'binary', minLength: 10_000, maxLength: 10_000 }),
    );
    const parts = fc.record({ street: text, city: text, state: fc.oneof(text, fc.constant('OH')), zip: text });
    fc.assert(
      fc.property(fc.oneof(text, parts), (address) => {
        const result = normalizeAddress(address);
        if (isNormalizedAddress(result)) assert.deepEqual(normalizeAddress(renderAddress(result)), result);
        else assert.ok(result.message.length > 0);
      }),
      { numRuns: deep(1_000, 300) },
    );
  });

  it('texts that are built to be slow take little time', () => {
    for (const unit of [
      '1-',
      '1 & ',
      'A&',
      '# ',
      'SAINT ',
      'N ',
      '.',
      'ST ',
      '1 1/2 ',
      'APT ',
      'PO BOX ',
      ',',
      '\u{fdfa}',
    ]) {
      for (let run = 0; run < 50; run += 1) normalizeAddress(`100 ${unit.repeat(300)}`.slice(0, 280) + ', Akron, OH');
    }
  });

  it('all spellings of one address have one key and match as one property, in both orders', () => {
    fc.assert(
      fc.property(twoSpellings, (lines) => {
        const [a, b] = lines.map((line) => normalizeAddress(line));
        assert.ok(a && b && isNormalizedAddress(a) && isNormalizedAddress(b), lines.join(' / '));
        assert.equal(a.key, b.key);
        assert.equal(a.keyWithoutZip, b.keyWithoutZip);
        for (const match of [matchAddresses(a, b), matchAddresses(b, a)]) assert.ok(match && isEvidence(match));
      }),
      { numRuns: deep(1_000, 300) },
    );
  });

  it('equal keys match as the same property, and different keys in one ZIP never match exactly', () => {
    fc.assert(
      fc.property(spelling, spelling, (a, b) => {
        const match = matchAddresses(a, b);
        if (a.key === b.key) assert.ok(match && isEvidence(match));
        else assert.ok(match?.matchType !== 'exact_normalized' && match?.matchType !== 'exact_unit');
      }),
      { numRuns: deep(3_000, 300) },
    );
  });

  it('the order of two addresses does not change their match', () => {
    const anyAddress = fc.oneof(spelling, wordSalad.map(normalizeAddress).filter(isNormalizedAddress));
    const parcel = fc.constantFrom(undefined, 'US:39035:1', 'US:39035:2');
    const context = fc.record({ candidates: fc.array(spelling, { maxLength: 4 }), parcels: fc.tuple(parcel, parcel) });
    fc.assert(
      fc.property(anyAddress, anyAddress, context, (a, b, { candidates, parcels: [first, second] }) => {
        assert.deepEqual(
          matchAddresses(a, b, { candidates, parcels: [first, second] }),
          matchAddresses(b, a, { candidates, parcels: [second, first] }),
        );
      }),
      { numRuns: deep(3_000, 300) },
    );
  });
});
