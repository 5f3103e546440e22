import assert from 'node:assert/strict';
import { absent, known } from '../../../src/absence.js';
import { type RowMapping, parseListingRow } from '../../../src/sources/formats/parse-listing-row.js';
import type { ObservedListing } from '../../../src/listings/listing.js';
import { mappableFields } from '../../../src/sources/formats/listing-fields.js';

const mapping: RowMapping = {
  marketplace: 'Broker Exchange',
  mapping: Object.fromEntries(
    mappableFields.filter((field) => field !== 'addressDisplay').map((field) => [field, field]),
  ),
};
const base = { sourceKey: 'k1', city: 'Cleveland', state: 'oh' };
const parse = (row: Record<string, unknown>, using = mapping) =>
  parseListingRow({ ...base, ...row }, 'k1', using, 2026);
const observe = (row: Record<string, unknown>, using = mapping): ObservedListing => {
  const result = parse(row, using);
  if ('reject' in result) assert.fail(`refused: ${result.reject} ${result.detail}`);
  return result;
};
const failed = absent('parse_failed');

describe('parseListingRow', () => {
  it('parses plain values and cleans only documented ones', () => {
    const listing = observe({
      address: ' 1 Main  St ',
      zip: '44105-1234',
      county: 'Cuyahoga County',
      listPrice: '$1,234,000',
      units: '12',
      capRate: '8.50%',
      noi: '-1200.5',
      yearBuilt: 1924,
      propertyType: 'Multifamily 5-plus',
      terms: 'Cash; owner will carry, VA',
      listingUrl: 'https://example.com/a?b=1',
      remarks: 'As-is.\n\tBring\u0000 offers',
    });
    assert.deepEqual(
      [listing.address, listing.zip, listing.county, listing.listPrice, listing.units, listing.capRate, listing.noi],
      [
        known('1 Main St'),
        known('44105'),
        known('Cuyahoga'),
        known('1234000'),
        known(12),
        known('8.5'),
        known('-1200.5'),
      ],
    );
    assert.equal(listing.state, 'OH');
    assert.deepEqual(listing.yearBuilt, known(1924));
    assert.deepEqual(listing.propertyType, known('multifamily_5_plus'));
    assert.deepEqual(listing.terms, ['cash', 'owner_will_carry']);
    assert.deepEqual(listing.remarks, known('As-is. Bring offers'));
    assert.equal(listing.saleCondition, 'standard');
    assert.equal(listing.marketplace, 'Broker Exchange');
  });

  const bad: readonly (readonly [keyof ObservedListing, readonly unknown[]])[] = [
    [
      'listPrice',
      [
        '1.2.3M',
        '1,23,000',
        '0.5',
        '-5',
        '1.23457e6',
        '0x10',
        'Infinity',
        '100-200',
        '€5',
        '9'.repeat(200_000),
        {},
        1e21,
      ],
    ],
    ['units', ['4.5', '-2', '4 flats', 'forty', true, '1000000', [4, 6]]],
    ['capRate', ['0.085', '101', 'eight', '8,5', '8.5 - 9', '-1']],
    ['vacancyPct', ['101', '-1']],
    ['zip', ['4410', '441055', 'ABCDE', 1073, '00000']],
    ['yearBuilt', ['1699', '2029', '19-24', '1924.5']],
    ['propertyType', ['castle']],
    ['condition', ['so-so']],
    ['utilitiesPaidBy', ['both', 'yes']],
    [
      'listingUrl',
      [
        'javascript:alert(1)',
        'ftp://example.com/',
        '/relative',
        'https://user:secret@example.com/',
        'https://exa mple.com/',
      ],
    ],
    ['address', ['1 Main\u202e St', '1 Main \ud800 St', 'x'.repeat(201), '1\u0000 Main St']],
    ['loanRatePct', ['0.04', '31']],
    ['unitMix', ['4x2', '4', '0 x 1BR', '2 x 1BR; some', '2 x BR', '2 x 21BR', 'undefined x 2BR', '1.5 x 2BR', {}]],
    ['expenseItems', ['5210', 'taxes: n/a', 'taxes: 5210; insurance', 'taxes: -1', ': 5210', 'taxes: 1.2t', {}]],
  ];
  for (const [field, values] of bad) {
    it(`keeps the row and marks ${field} as parse_failed when it is invalid`, () => {
      for (const value of values)
        assert.deepEqual(observe({ [field]: value })[field], failed, String(value).slice(0, 40));
    });
  }

  it('parses a place on the map where both degrees are numbers', () => {
    const place = { latitude: 41.5, longitude: -81.25 };
    for (const row of [place, { latitude: ' 41.5 ', longitude: '-81.250' }])
      assert.deepEqual(observe(row).location, place);
    for (const row of [{}, { latitude: '41.5' }, { ...place, latitude: 'n/a' }, { ...place, longitude: 1e9 }])
      assert.ok(!('location' in observe(row)), JSON.stringify(row));
  });

  it('parses a unit mix, each bedroom count once and the smallest first', () => {
    const mix = known([
      { bedrooms: 0, units: 2 },
      { bedrooms: 2, units: 5 },
    ]);
    for (const text of ['4 x 2BR; 2 x studio; 1 x 2BR', ['4x2-bed', '2 x 0 bedrooms', '1 X 2br']])
      assert.deepEqual(observe({ unitMix: text }).unitMix, mix);
  });

  it('parses who pays the utilities', () => {
    for (const [text, payer] of [
      ['Owner', 'owner'],
      ['tenant ', 'tenant'],
    ] as const)
      assert.deepEqual(observe({ utilitiesPaidBy: text }).utilitiesPaidBy, known(payer));
  });

  it('parses itemized expenses with their names, to the cent', () => {
    const items = known([
      { name: 'Taxes', amount: '5210' },
      { name: 'Repairs, paint', amount: '3100.5' },
    ]);
    for (const text of ['Taxes: $5,210; Repairs, paint = 3100.4951', ['Taxes:5210', 'Repairs, paint: 3,100.5']])
      assert.deepEqual(observe({ expenseItems: text }).expenseItems, items);
  });

  it('distinguishes a value that is not stated from a column that the source does not publish', () => {
    for (const value of ['', ' ', null, undefined, 'N/A', 'Call for price', '-']) {
      assert.deepEqual(observe({ listPrice: value }).listPrice, absent('not_stated_by_source'));
    }
    const narrow = { ...mapping, mapping: { sourceKey: 'sourceKey', city: 'city', state: 'state' } };
    assert.deepEqual(observe({ listPrice: '5' }, narrow).listPrice, absent('not_published_by_source'));
    assert.deepEqual(observe({ address: 'Undisclosed' }).address, absent('not_stated_by_source'));
  });

  for (const field of [
    ...(['listPrice', 'units', 'capRate', 'noi', 'operatingExpenses', 'taxes', 'assessedValue', 'yearBuilt'] as const),
    ...(['loanBalance', 'loanRatePct'] as const),
  ]) {
    it(`treats a zero for ${field}, which no offered property has, as not stated`, () => {
      for (const value of [0, '0', '0.00', '$0', '$0.00', '-0', '0%', '0.004'])
        assert.deepEqual(observe({ [field]: value })[field], absent('not_stated_by_source'), String(value));
    });
  }

  it('keeps a plausible zero, and a loss', () => {
    const { vacancyPct, noi, expenseItems } = observe({
      vacancyPct: 0,
      noi: -0.01,
      expenseItems: 'Taxes: 9; Repairs: 0',
    });
    assert.deepEqual([vacancyPct, noi], [known('0'), known('-0.01')]);
    assert.deepEqual(
      expenseItems,
      known([
        { name: 'Taxes', amount: '9' },
        { name: 'Repairs', amount: '0' },
      ]),
    );
  });

  it('reads no column from the prototype of a row', () => {
    const odd = { ...mapping, mapping: { ...mapping.mapping, remarks: 'constructor', address: '__proto__' } };
    assert.deepEqual(observe({}, odd).remarks, absent('not_stated_by_source'));
    assert.deepEqual(observe({}, odd).address, absent('not_stated_by_source'));
  });

  it('suppresses address and parcel unless the display flag says yes', () => {
    const flagged = { ...mapping, mapping: { ...mapping.mapping, addressDisplay: 'show' } };
    for (const show of ['N', 'false', '0', '', undefined, 'maybe']) {
      const listing = observe({ address: '1 Main St', parcelId: '123', show }, flagged);
      assert.deepEqual(
        [listing.address, listing.parcelId],
        [absent('suppressed_by_policy'), absent('suppressed_by_policy')],
      );
    }
    for (const show of ['Y', true, 1, 'TRUE']) {
      assert.deepEqual(observe({ address: '1 Main St', show }, flagged).address, known('1 Main St'));
    }
  });

  it("translates a source's own words by the manifest's value maps, in any case", () => {
    const mapped = {
      ...mapping,
      values: {
        propertyType: { 'Apartment Building': 'multifamily_5_plus' },
        terms: { OWC: 'owner_may_carry' },
        state: { Ohio: 'OH' },
      },
    };
    const listing = observe({ propertyType: 'APARTMENT BUILDING', terms: ['Cash', 'owc'], state: 'ohio' }, mapped);
    assert.deepEqual(listing.propertyType, known('multifamily_5_plus'));
    assert.deepEqual(listing.terms, ['cash', 'owner_may_carry']);
    assert.equal(listing.state, 'OH');
  });

  for (const [reason, row] of [
    ['missing_key', { sourceKey: '' }],
    ['missing_key', { sourceKey: 'k'.repeat(201) }],
    ['missing_city', { city: null }],
    ['missing_state', { state: ' ' }],
    ['unknown_state', { state: 'ZZ' }],
    ['invalid_value', { saleCondition: 'raffle' }],
  ] as const) {
    it(`rejects a row as ${reason} for ${JSON.stringify(row).slice(0, 40)}, without its text in the detail`, () => {
      const result = parse({ remarks: 'secret words', ...row });
      assert.ok('reject' in result);
      assert.equal(result.reject, reason);
      assert.doesNotMatch(result.detail, /secret|ZZ|raffle|kkk/);
    });
  }
});
