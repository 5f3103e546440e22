import assert from 'node:assert/strict';
import { absent, known, valueOf } from '../../../../src/absence.js';
import { normalizeAddress } from '../../../../src/places/addresses/normalize.js';
import { isNormalizedAddress } from '../../../../src/places/addresses/normalized-address.js';
import { parseSale } from '../../../../src/sources/formats/html/parse-sale.js';

describe('parseSale', () => {
  const county = { countyFips: '39035', state: 'OH' };
  const page = { history: [], statusText: '', day: '12/14/2026', url: 'https://county.example/' };

  for (const [text, amount] of [
    ['$85,000.00', known('85000')],
    ['$85,000.00*', known('85000')],
    ['$85,000.00 *', known('85000')],
    ['$85,000.00 * **', absent('parse_failed')],
    ['$85,000.00 plus costs', known('85000')],
    ['$85,000.00, as of 11/01/2026', known('85000')],
    ['85,000 (approximately)', known('85000')],
    ['$85,000 to $90,000', absent('parse_failed')],
    ['$85,000 or more', absent('parse_failed')],
    ['$1.2 million', absent('parse_failed')],
    ['$0.00 *', absent('not_stated_by_source')],
    ['0.004', absent('not_stated_by_source')],
  ] as const) {
    it(`parses the amount ${text}, with or without the star of a footnote`, () => {
      const sale = parseSale({ ...page, labels: { appraisal: [text] } }, 'a', county);
      assert.deepEqual('reject' in sale ? sale : sale.appraisedValue, amount);
    });
  }

  const placeOf = (address: readonly string[], state = 'OH') => {
    const sale = parseSale({ ...page, labels: { address } }, 'a', { ...county, state });
    return 'reject' in sale ? assert.fail(sale.detail) : { address: sale.address, city: sale.city, zip: sale.zip };
  };
  const notStated = absent('not_stated_by_source');

  for (const [city, zip] of [
    ['Cleveland OH 44105', known('44105')],
    ['Cleveland, OH 44105-1234', known('44105')],
    ['Cleveland, Ohio 44105', known('44105')],
    ['Cleveland , 441050000', known('44105')],
    ['Cleveland, OH- 44105', known('44105')],
    ['Cleveland OH44105', known('44105')],
    ['Cleveland OH', notStated],
    ['Cleveland, Oh.', notStated],
    ['Cleveland, Ohio', notStated],
    ['Cleveland', notStated],
  ] as const) {
    it(`parses the city of the line "${city}" without its state, so that the property is found by it`, () => {
      const place = placeOf(['100 Example Avenue', city]);
      assert.deepEqual(place, { address: known('100 Example Avenue'), city: known('Cleveland'), zip });
      const found = normalizeAddress({ street: '100 Example Avenue', city: valueOf(place.city) ?? '', state: 'OH' });
      assert.equal(isNormalizedAddress(found) && found.keyWithoutZip, '100 EXAMPLE AVE|CLEVELAND|OH');
    });
  }

  for (const [state, line, city] of [
    ['NY', 'New York, NY 10001', 'New York'],
    ['NY', 'New York, New York', 'New York'],
    ['NY', 'New York 10001', 'New York'],
    ['KS', 'Kansas City Kansas 66101', 'Kansas City'],
    ['MO', 'Nevada MO', 'Nevada'],
    ['OH', 'Wyoming 45215', 'Wyoming'],
    ['DC', 'Washington, D.C. 20001', 'Washington'],
    ['VA', 'Charleston, West Virginia', 'Charleston, West Virginia'],
  ] as const) {
    it(`keeps in a city of ${state} the part of its name in "${line}"`, () =>
      assert.deepEqual(placeOf(['100 Example Avenue', line], state).city, known(city)));
  }

  for (const lines of [
    ['300 Example Avenue, Cleveland, OH 44105'],
    ['300 Example Avenue, Cleveland, Ohio 44105'],
    ['300 Example Avenue, Cleveland', 'OH 44105'],
    ['300 Example Avenue', 'Cleveland, OH 44105', 'Cuyahoga County'],
    ['300 Example Avenue', 'Cleveland, OH 44105 USA'],
    ['300 Example Avenue Cleveland OH 44105'],
    ['300 Example Avenue (PARCEL 1)', 'Cleveland, OH 44105'],
    ['300 Example Avenue, Vacant Land, Cleveland, OH 44105'],
    ['Vacant Land - 300 Example Avenue', 'Cleveland OH 44105'],
    ['300 Example Avenue (Vacant Lot) Cleveland OH 44105'],
    ['300 Example Avenue', 'Cleveland, Ohio 44105, United States'],
  ]) {
    it(`separates the street from the city in "${lines.join(' / ')}"`, () =>
      assert.deepEqual(placeOf(lines), {
        address: known('300 Example Avenue'),
        city: known('Cleveland'),
        zip: known('44105'),
      }));
  }

  for (const [state, line, address, city] of [
    ['OH', '123 Main St, Smalltown, OH 44902', '123 Main St', 'Smalltown'],
    ['OH', '123 Main St Smalltown, OH 44902', '123 Main St', 'Smalltown'],
    ['OH', '123 Main St Smalltown OH 44902-1234', '123 Main St', 'Smalltown'],
    ['OH', '123 Main St Apt 2 Mt. Vernon, OH 43050', '123 Main St Apt 2', 'Mt. Vernon'],
    ['MN', '12 Grand Avenue St. Peter MN 56082', '12 Grand Avenue', 'St. Peter'],
    ['WI', '1200 County Road 12 North Eau Claire, WI 54701', '1200 County Road 12', 'North Eau Claire'],
  ] as const) {
    it(`finds a city that no table has in "${line}"`, () => {
      const place = placeOf([line], state);
      assert.deepEqual([place.address, place.city], [known(address), known(city)]);
    });
  }

  for (const [state, lines, address, zip] of [
    ['OH', ['300 Example Nowhere OH 44105'], '300 Example Nowhere', known('44105')],
    ['OH', ['300 Example Avenue West OH 44105'], '300 Example Avenue West', known('44105')],
    ['OH', ['300 Example Avenue Unit 2 OH 44105'], '300 Example Avenue Unit 2', known('44105')],
    ['OH', ['300 Cleveland OH 44105'], '300 Cleveland', known('44105')],
    ['OH', ['300 W Cleveland OH 44105'], '300 W Cleveland', known('44105')],
    ['OH', ['300 Example Avenue, Unit 2, OH 44105'], '300 Example Avenue, Unit 2', known('44105')],
    ['OH', ['300 Example Avenue', '44105'], '300 Example Avenue', known('44105')],
    ['CT', ['300 Example Ct'], '300 Example Ct', notStated],
    ['NE', ['300 Example Street NE'], '300 Example Street NE', notStated],
  ] as const) {
    it(`returns no city when "${lines.join(' / ')}" does not separate it from the street`, () =>
      assert.deepEqual(placeOf(lines, state), { address: known(address), city: notStated, zip }));
  }

  for (const [text, day] of [
    ['12/14/26', '2026-12-14'],
    ['14-Dec-2026', '2026-12-14'],
    ['December 14th, 2026', '2026-12-14'],
    ['Monday, December 14th, 2026 at 10:00 AM', '2026-12-14'],
    ['14th of December 2026', '2026-12-14'],
    ['01/01/1900', '2026-12-24'],
    ['12/31/9999', '2026-12-24'],
  ] as const) {
    it(`reads the day of sale "${text}"${day === '2026-12-24' ? ' as none, so that the page tells it' : ''}`, () => {
      const labels = { 'sale date': [text] };
      const sale = parseSale({ ...page, labels, day: '12/24/2026' }, 'a', county);
      assert.equal('reject' in sale ? sale.detail : sale.saleDate, day);
    });
  }

  it('refuses a sale whose only day is of 1900', () => {
    const { day: _, ...undated } = page;
    const sale = parseSale({ ...undated, labels: { 'sale date': ['01/01/1900'] } }, 'a', county);
    assert.equal('reject' in sale && sale.reject, 'missing_date');
  });

  it('finds no address where land is sold without one', () =>
    assert.deepEqual(placeOf(['Vacant Land']).address, notStated));

  for (const hostile of [`${','.repeat(5_000)}x`, `${'*'.repeat(500_000)}x`, `${'x '.repeat(500_000)}x`]) {
    it(`rejects values of ${hostile.length} characters such as "${hostile.slice(0, 3)}" without parsing them`, () => {
      const labels = { address: ['1 EXAMPLE ST', hostile], appraisal: [hostile], 'case number': [hostile] };
      const sale = parseSale({ ...page, labels }, 'a', county);
      assert.ok(!('reject' in sale));
      const failed = absent('parse_failed');
      assert.deepEqual(
        [sale.address, sale.city, sale.zip, sale.appraisedValue, sale.caseNumber],
        [failed, failed, failed, failed, failed],
      );
    });
  }
});
