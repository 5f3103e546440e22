import assert from 'node:assert/strict';
import { countyNames, countyTimeZones, findTimeZone } from '../../../src/places/metros/counties.js';
import { daysAt, localDateIn, localDateOf, todaysAt } from '../../../src/places/metros/local-date-of.js';
import { metros } from '../../../src/places/metros/metros.js';
import { stateTimeZones } from '../../../src/places/metros/states.js';

describe('localDateOf', () => {
  for (const [county, fips, before, after] of [
    ['Cuyahoga (Eastern), summer time', '39035', '2026-07-05T03:59:59.999Z', '2026-07-05T04:00:00.000Z'],
    ['Cuyahoga (Eastern), standard time', '39035', '2026-12-05T04:59:59.999Z', '2026-12-05T05:00:00.000Z'],
    ['Cook (Central), summer time', '17031', '2026-07-05T04:59:59.999Z', '2026-07-05T05:00:00.000Z'],
    ['Cook (Central), standard time', '17031', '2026-12-05T05:59:59.999Z', '2026-12-05T06:00:00.000Z'],
    ['Western (American Samoa)', '60050', '2026-11-20T10:59:59.999Z', '2026-11-20T11:00:00.000Z'],
    ['Maricopa, which keeps no summer time', '04013', '2026-07-05T06:59:59.999Z', '2026-07-05T07:00:00.000Z'],
  ] as const) {
    it(`changes the day at the county's own midnight: ${county}`, () => {
      const day = after.slice(0, 10);
      assert.ok(localDateOf(fips, new Date(before)) < day);
      assert.equal(localDateOf(fips, new Date(after)), day);
    });
  }

  it('keeps the day through the skipped and the repeated hour', () => {
    for (const moment of ['2026-03-08T06:59:59Z', '2026-03-08T07:00:00Z', '2026-03-09T03:59:59Z'])
      assert.equal(localDateOf('39035', new Date(moment)), '2026-03-08', moment);
    assert.equal(localDateOf('39035', new Date('2026-03-08T04:59:59Z')), '2026-03-07');
    for (const moment of ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-02T04:59:59Z'])
      assert.equal(localDateOf('39035', new Date(moment)), '2026-11-01', moment);
    assert.equal(localDateOf('39035', new Date('2026-11-02T05:00:00Z')), '2026-11-02');
  });

  for (const [state, zones] of Object.entries({
    AK: { '02020': 'Anchorage' },
    FL: { '12033': 'Chicago', '12005': 'Chicago', '12045': 'New_York', '12057': 'New_York' },
    ID: { '16055': 'Los_Angeles', '16069': 'Los_Angeles', '16049': 'Los_Angeles', '16001': 'Denver' },
    IN: { '18089': 'Chicago', '18163': 'Chicago', '18097': 'New_York', '18141': 'New_York' },
    KS: { '20071': 'Denver', '20181': 'Denver', '20091': 'Chicago' },
    KY: { '21059': 'Chicago', '21227': 'Chicago', '21111': 'New_York' },
    MI: { '26043': 'Chicago', '26109': 'Chicago', '26103': 'New_York', '26163': 'New_York' },
    ND: { '38089': 'Denver', '38007': 'Denver', '38053': 'Chicago', '38059': 'Chicago', '38015': 'Chicago' },
    NE: { '31157': 'Denver', '31101': 'Denver', '31031': 'Chicago', '31055': 'Chicago' },
    OR: { '41045': 'Denver', '41051': 'Los_Angeles' },
    SD: { '46103': 'Denver', '46081': 'Denver', '46102': 'Denver', '46117': 'Chicago', '46099': 'Chicago' },
    TN: { '47093': 'New_York', '47065': 'New_York', '47157': 'Chicago', '47037': 'Chicago' },
    TX: { '48141': 'Denver', '48229': 'Denver', '48113': 'Chicago' },
  }))
    it(`has the counties of ${state} with another time zone than most of it`, () => {
      for (const [fips, zone] of Object.entries(zones)) assert.equal(findTimeZone(fips), `America/${zone}`, fips);
    });

  it('lists only existing counties as exceptions, and has a zone for each county', () => {
    const known = new Set(countyNames.map(({ countyFips }) => countyFips));
    for (const [fips, zone] of countyTimeZones) {
      assert.ok(known.has(fips), fips);
      assert.notEqual(zone, stateTimeZones.get(fips.slice(0, 2)), fips);
    }
    for (const { countyFips } of countyNames) assert.ok(findTimeZone(countyFips), countyFips);
  });

  it('covers every county with data, and refuses an unknown one', () => {
    const now = new Date('2026-11-20T18:00:00Z');
    for (const { countyFips } of metros) assert.equal(localDateOf(countyFips, now), '2026-11-20');
    for (const odd of ['', '3903', '99001', 'OH035', '390350']) {
      assert.equal(findTimeZone(odd), undefined);
      assert.throws(() => localDateOf(odd, now), RangeError);
    }
  });
});

describe('todaysAt', () => {
  it("returns each zone's date at any moment, in any order, and another text when a day begins anywhere", () => {
    const midnights = ['04:59:59.999', '05:00:00.000', '06:00:00.000', '05:00:00.000', '07:59:59.999', '10:00:00.000'];
    const texts = midnights.map((time) => {
      const now = new Date(`2026-12-05T${time}Z`);
      const todays = Object.entries(todaysAt(now));
      assert.ok(todays.length > 4);
      for (const [timeZone, today] of todays) assert.equal(today, localDateIn(timeZone, now), `${timeZone} at ${time}`);
      return daysAt(now);
    });
    assert.equal(texts[1], texts[3]);
    assert.equal(new Set(texts).size, 5);
  });
});
