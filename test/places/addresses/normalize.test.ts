import assert from 'node:assert/strict';
import { normalizeAddress } from '../../../src/places/addresses/normalize.js';
import { isNormalizedAddress, type AddressFault } from '../../../src/places/addresses/normalized-address.js';
import { renderAddress } from '../../../src/places/addresses/render-address.js';
import { faultOf, parsed } from './parsed.js';

describe('normalizeAddress', () => {
  it('splits an address into its parts', () => {
    assert.deepEqual(normalizeAddress('3456-58 East Ninety-Third Street N.E., Apt. #2-B, Cleveland, Ohio 44105-1302'), {
      number: { low: 3456, high: 3458, fraction: '', grid: '' },
      preDirectional: 'E',
      street: '93RD',
      suffix: 'ST',
      postDirectional: 'NE',
      unit: 'APT 2B',
      city: 'CLEVELAND',
      state: 'OH',
      zip5: '44105',
      key: '3456-3458 E 93RD ST NE|OH|44105',
      keyWithoutZip: '3456-3458 E 93RD ST NE|CLEVELAND|OH',
    });
  });

  it('parses separate parts like one line', () => {
    const parts = { street: '2079 East Ninth Street', city: 'Cleveland', state: 'Ohio', zip: '44115-1302' };
    assert.deepEqual(normalizeAddress(parts), normalizeAddress('2079 E 9th St, Cleveland, OH 44115'));
    assert.equal(parsed({ street: '1 Main St', city: 'Akron', state: 'oh' }).zip5, '');
    assert.equal(parsed({ street: '1 Main St, Apt 4', city: 'Akron', state: 'OH', zip: 'n/a' }).unit, 'APT 4');
  });

  it('drops city, state and ZIP that a source repeats after the street, and nothing else', () => {
    const place = { city: 'Cleveland', state: 'OH', zip: '44105' };
    for (const street of [
      '3456-58 East 93rd Street Cleveland OH 44105',
      '3456-58 E 93rd St, Cleveland',
      '3456-58 E 93rd St',
    ]) {
      assert.equal(parsed({ street, ...place }).key, '3456-3458 E 93RD ST|OH|44105');
    }
    assert.equal(parsed({ street: '100 Old Cleveland', ...place }).street, 'OLD CLEVELAND');
  });

  const lines: readonly (readonly [title: string, line: string, expected: string])[] = [
    ['a building name before the street', 'Terminal Tower, 50 Public Square, Cleveland, OH 44113', '50 PUBLIC SQ'],
    ['a quarter between street and city', '2079 E 9th St, Downtown, Cleveland, OH, USA', '2079 E 9TH ST'],
    ['a number word for a house', 'One Government Center, Toledo, OH', '1 GOVERNMENT CTR'],
    ['two number words for a house', 'Twenty One Main St, Toledo, OH', '21 MAIN ST'],
    ['a number word in a street name', '20100 W Eight Mile Rd, Detroit, MI', '20100 W 8 MILE RD'],
    ['a compound ordinal', '1200 Twenty-First Street North, Birmingham, AL', '1200 21ST ST N'],
    ['an ordinal torn apart', '1 E 93 RD ST, Cleveland, OH', '1 E 93RD ST'],
    ['a direction as the street name', '1234 W North Ave, Chicago, IL', '1234 W NORTH AVE'],
    ['a direction as the street name before another', '1234 North Ave W, Chicago, IL', '1234 NORTH AVE W'],
    ['a letter as the street name', '100 E St NW, Washington, DC 20001', '100 E ST NW'],
    ['a lettered avenue', '100 Ave. E, Galveston, TX', '100 AVENUE E'],
    ['a directional in two letters apart', '100 N.E. 5th Ave, Oklahoma City, OK', '100 NE 5TH AVE'],
    ['no space behind a full stop', '2079 E.9th St., Cleveland, OH', '2079 E 9TH ST'],
    ['a direction glued to the number', '123N Main St, Akron, OH', '123 N MAIN ST'],
    ['a vulgar fraction', '123½ W 5th Ave, Columbus, OH', '123 1/2 W 5TH AVE'],
    ['a fraction behind a hyphen', '123-1/2 W 5th Ave, Columbus, OH', '123 1/2 W 5TH AVE'],
    ['a range with an en dash', '3456–58 E 93rd St, Cleveland, OH', '3456-3458 E 93RD ST'],
    ['a range with &', '3456 & 3458 E 93rd St, Cleveland, OH', '3456-3458 E 93RD ST'],
    ['a hyphened number of two parities as it stands', '100-01 Main St, Akron, OH', '100-01 MAIN ST'],
    ['a lettered number as it stands', '123-a Main St, Akron, OH', '123A MAIN ST'],
    ['a grid number', 'W156 N8480 Pilgrim Rd, Menomonee Falls, WI', 'W156N8480 PILGRIM RD'],
    ['a state road', '100 State Route 42 N, Mason, OH', '100 STATE RTE 42 N'],
    ['a US road', '100 US-42, Mason, OH', '100 US HWY 42'],
    ['a county road with a letter', '100 County Highway KK, Waukesha, WI', '100 COUNTY RD KK'],
    ['an interstate highway', '100 IH-10 W, San Antonio, TX', '100 INTERSTATE 10 W'],
    ['an old road, whose number is no unit', '100 Old Highway 42, Mason, OH', '100 OLD HWY 42'],
    ['an old road before a city', '100 N Old State Route 42 Smallville OH', '100 N OLD STATE RTE 42'],
    ['an interstate highway in two words', '100 IH 10, San Antonio, TX', '100 INTERSTATE 10'],
    ['the number of a road', '100 County Road No. 12, Akron, OH', '100 COUNTY RD 12'],
    ['an extension', '100 Main Street Ext, Akron, OH', '100 MAIN ST EXT'],
    ['an extension before a city', '100 Main Street Extension Smallville OH', '100 MAIN ST EXT'],
    ['two suffixes', '100 E 10th Street Place, Hickory, NC', '100 E 10TH ST PL'],
    ['two suffixes behind a plain number', '100 E 10 St Pl, Hickory, NC', '100 E 10TH ST PL'],
    ['an abbreviated North', '100 No 5th St, Akron, OH', '100 NO 5TH ST'],
    ['a saint', '5 Saint Marys Avenue, Detroit, MI', '5 ST MARYS AVE'],
    ['a fort in a name and as a name', '100 Ft. Wayne Ave, Indianapolis, IN', '100 FORT WAYNE AVE'],
    ['a street named for a courthouse', '100 Courthouse Square, Dayton, OH', '100 COURTHOUSE SQ'],
    ['a PO box behind the street', '123 Main St PO Box 4, Toledo, OH', '123 MAIN ST'],
    ['accents', '12 Peña Street, San Antonio, TX', '12 PENA ST'],
    ['a street without a suffix', '100 Broadway, Toledo, OH', '100 BROADWAY'],
    ['a comma before Jr', '100 Martin Luther King, Jr Blvd, Tampa, FL', '100 MARTIN LUTHER KING JR BLVD'],
    ['a comma on both sides of Jr', '100 Martin Luther King, Jr., Blvd, Tampa, FL', '100 MARTIN LUTHER KING JR BLVD'],
    ['a comma before a numeral', '100 John Smith, III Dr, Tampa, FL', '100 JOHN SMITH III DR'],
    ['no title in a city that begins with Saint', '1 Dr King, Jr, St Louis, MO', '1 DR KING JR'],
    ['no title in a state route', '100 Old Mill Rd, SR 42, Mason, OH', '100 OLD MILL RD'],
    ['a suffix word as a name', '12 Park Place, Akron, OH', '12 PARK PL'],
  ];
  for (const [title, line, expected] of lines) {
    it(`parses ${title}: ${line}`, () => {
      assert.equal(renderAddress({ ...parsed(line), unit: '' }).split(',')[0], expected);
    });
  }

  const units: readonly (readonly [street: string, unit: string])[] = [
    ['1234 N Main St Unit A & B', 'UNIT A & B'],
    ['1234 N Main St A and B', '# A & B'],
    ['1234 A&B N Main St', '# A & B'],
    ['1234A-1234B N Main St', '# A & B'],
    ['1234 N Main St 2', '# 2'],
    ['1234 N Main St NE 2F', '# 2F'],
    ['1234 N Main St #4', '# 4'],
    ['1234 N Main St, Suite 100', 'STE 100'],
    ['1234 N Main St, Rear', 'REAR'],
    ['1234 N Main St Second Floor', 'FL 2'],
    ['1234 N Main St 2nd Fl Rear', 'FL 2 REAR'],
    ['1234 N Main St Bldg 3 Apt A-1', 'BLDG 3 APT A1'],
    ['1234 N Main St No. 2', '# 2'],
    ['1234 N Main St NE No 2B', '# 2B'],
    ['1234 N Main St Apt. No. 2', 'APT 2'],
    ['1234 N Main St Units 1-4', 'UNIT 1-4'],
    ['1234 N Main St Apt', ''],
  ];
  for (const [street, unit] of units) {
    it(`keeps the unit out of the street: ${street}`, () => {
      const address = parsed(`${street}, Columbus, OH 43205`);
      assert.equal(address.unit, unit);
      assert.match(address.key, /^1234 N MAIN ST( NE)?\|OH\|43205$/);
    });
  }

  const bare: readonly (readonly [line: string, street: string, unit: string])[] = [
    ['10 Broadway Bsmt', '10 BROADWAY', 'BSMT'],
    ['10 Broadway E Upper', '10 BROADWAY E', 'UPPR'],
    ['10 Broadway Rear Basement', '10 BROADWAY', 'REAR BSMT'],
    ['10 Avenue A Basement', '10 AVENUE A', 'BSMT'],
    ['10 County Road 12 Rear', '10 COUNTY RD 12', 'REAR'],
    ['10 County Road 12 N Front', '10 COUNTY RD 12 N', 'FRNT'],
    ['10 Elm St Bsmt', '10 ELM ST', 'BSMT'],
    ['10 Elm St Downstairs', '10 ELM ST', 'LOWR'],
    ['10 River Side', '10 RIVER SIDE', ''],
    ['10 E Rear', '10 E REAR', ''],
  ];
  for (const [line, street, unit] of bare) {
    it(`recognizes a unit without a number, and the street that ends before it: ${line}`, () => {
      const address = parsed(`${line}, Akron, OH 44301`);
      assert.deepEqual([address.key, address.unit], [`${street}|OH|44301`, unit]);
    });
  }

  it('leaves words in the street name that are units elsewhere', () => {
    assert.equal(parsed('1234 Upper Valley Pike, Springfield, OH').street, 'UPPER VALLEY');
    assert.equal(parsed('100 E Front, Toledo, OH').street, 'FRONT');
    assert.equal(parsed('100 County Road 12, Tulsa, OK').street, 'COUNTY RD 12');
  });

  const cities: readonly (readonly [line: string, line: string, city: string])[] = [
    ['100 Dolorosa San Antonio TX 78205', '100 DOLOROSA', 'SAN ANTONIO'],
    ['100 Lake Park Blvd Park Forest IL', '100 LAKE PARK BLVD', 'PARK FOREST'],
    ['415 E 12th Ave North Kansas City MO', '415 E 12TH AVE', 'NORTH KANSAS CITY'],
    ['716 Main Blvd N Birmingham AL 35203', '716 MAIN BLVD N', 'BIRMINGHAM'],
    ['100 E Main St Apt 4 Smallville OH', '100 E MAIN ST APT 4', 'SMALLVILLE'],
    ['100 CR 12 Smallville OK', '100 COUNTY RD 12', 'SMALLVILLE'],
    ['1 Elm St, Ft. Worth, TX', '1 ELM ST', 'FORT WORTH'],
    ['1 Elm St, Saint Louis, MO', '1 ELM ST', 'ST LOUIS'],
    ['1 Elm St, City of N. Kansas City, MO', '1 ELM ST', 'NORTH KANSAS CITY'],
  ];
  for (const [line, street, city] of cities) {
    it(`separates street and city: ${line}`, () => {
      assert.equal(renderAddress(parsed(line)).split(', ').slice(0, 2).join(', '), `${street}, ${city}`);
    });
  }

  const faults: readonly (readonly [text: string, fault: AddressFault])[] = [
    ['', 'no_house_number'],
    ['Cleveland, OH', 'no_house_number'],
    ['9th St, Cleveland, OH', 'no_house_number'],
    ['12345678 Main St, Cleveland, OH', 'no_house_number'],
    ['0 Kinsman Rd, Cleveland, OH 44104', 'zero_house_number'],
    ['000 Kinsman Rd, Cleveland, OH 44104', 'zero_house_number'],
    ['100, Cleveland, OH', 'no_street_name'],
    ['10-14 & 18 Main St, Cleveland, OH', 'no_street_name'],
    ['0 & 5 Main St, Cleveland, OH', 'zero_house_number'],
    ['100 Dolorosa Smallville TX', 'no_city'],
    ['2079 E 9th St, Cleveland', 'no_state'],
    ['PO Box 123, Toledo, OH 43601', 'po_box'],
    ['P.O. Box 123 Toledo OH', 'po_box'],
    ['RR 2 Box 4, Toledo, OH', 'po_box'],
    ['Montgomery County Courthouse, 41 N Perry St, Dayton, OH', 'venue'],
    ['41 N Perry St Courthouse, Dayton, OH', 'venue'],
    ['Justice Center, Cleveland, OH', 'venue'],
    ['1 '.repeat(5_000), 'too_long'],
  ];
  for (const [text, fault] of faults) {
    it(`returns ${fault} with advice: ${text.slice(0, 60)}`, () => {
      const result = normalizeAddress(text);
      assert.ok(!isNormalizedAddress(result));
      assert.equal(result.notParsed, fault);
      assert.match(result.message, /: /);
    });
  }

  describe('finds the ZIP before the city', () => {
    const parts = (street: string, zip = '44105') => ({ street, city: 'Cleveland', state: 'OH', zip });
    const written: readonly Parameters<typeof normalizeAddress>[0][] = [
      '123 Main St 44105 Cleveland OH',
      '123 Main St 44105 Smallville OH',
      '123 Main St 44105-1302 Cleveland OH',
      '123 Main St, 44105 Cleveland, OH',
      '123 Main St, 44105 Cleveland, OH 44105',
      '123 Main St, 44105, Cleveland, OH',
      '123 Main St 44105, Cleveland, OH',
      '123 Main St 44105, OH',
      parts('123 Main St 44105'),
      parts('123 Main St 44105', ''),
      parts('123 Main St, 44105-1302', ''),
      parts('123 Main St OH 44105'),
      { ...parts('123 Main St 44105'), city: '' },
    ];
    for (const address of written) {
      it(JSON.stringify(address), () => {
        const { key, unit } = parsed(address);
        assert.deepEqual([key, unit], ['123 MAIN ST|OH|44105', '']);
      });
    }

    it('but not in a unit, in a house number or contradicting another ZIP', () => {
      const units = { 'Apt 10234': 'APT 10234', '# 10234': '# 10234', 'Units 101 & 10234': 'UNIT 101 & 10234' };
      for (const [written, unit] of Object.entries(units)) {
        const address = parsed(`123 Main St ${written}, Cleveland, OH`);
        assert.deepEqual([address.unit, address.zip5], [unit, '']);
      }
      assert.equal(parsed('123 Main St PO Box 44105, Cleveland, OH').zip5, '');
      assert.equal(faultOf('100 Avenue 44105 Ste, Cleveland, OH 44105'), 'no_street_name');
      assert.equal(parsed(parts('123 Main St 10234')).unit, '# 10234');
      assert.equal(parsed(parts('10234 Main St', '')).zip5, '');
      assert.equal(faultOf('123 Main St, 44106 Cleveland, OH 44105'), 'no_city');
    });
  });

  it('needs no city with a ZIP, and finds one after the street', () => {
    const whole = parsed('100 Example Ave, Cleveland, OH 44105');
    for (const address of [
      '100 Example Avenue, OH 44105',
      { street: '100 Example Ave', city: '', state: 'OH', zip: '44105' },
    ]) {
      const withoutCity = parsed(address);
      assert.deepEqual([withoutCity.city, withoutCity.key], ['', whole.key]);
    }
    const behind = { street: '100 Example Avenue Cleveland', city: '', state: 'OH', zip: '44105-1234' };
    assert.deepEqual(parsed(behind), whole);
    assert.equal(faultOf('100 Example Ave, OH'), 'no_city');
  });

  it('refuses parts without a state, or without city and ZIP', () => {
    const street = '2079 E 9th St';
    assert.deepEqual(faultOf({ street, city: 'Cleveland', state: 'ZZ' }), 'no_state');
    assert.deepEqual(faultOf({ street, city: '44115', state: 'OH' }), 'no_city');
    assert.deepEqual(faultOf({ street: '', city: 'Cleveland', state: 'OH' }), 'no_house_number');
    assert.deepEqual(faultOf({ street, city: 'x'.repeat(10_000), state: 'OH' }), 'too_long');
  });

  it('uses the ZIP instead of the city in the key, and the city without a ZIP', () => {
    const inSuburb = parsed('100 Main St, Lakewood, OH 44107');
    assert.equal(inSuburb.key, parsed('100 Main St, Cleveland, OH 44107').key);
    const withoutZip = parsed('100 Main St, Lakewood, OH');
    assert.equal(withoutZip.key, inSuburb.keyWithoutZip);
    assert.notEqual(withoutZip.key, inSuburb.key);
  });
});
