import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { countyLabel, findCounties, labelOfCounty, shortenCounty } from '../../../src/places/metros/county-label.js';
import { countyNames } from '../../../src/places/metros/counties.js';
import { metros } from '../../../src/places/metros/metros.js';
import { readSharedData } from '../../underwriting/read-shared-data.js';

describe('countyLabel', () => {
  for (const [fips, state, label] of [
    ['39035', 'OH', 'Cuyahoga County, OH'],
    ['20091', 'KS', 'Johnson County, KS'],
    ['22071', 'LA', 'Orleans Parish, LA'],
    ['29189', 'MO', 'St. Louis County, MO'],
    ['29510', 'MO', 'St. Louis city, MO'],
    ['51095', 'VA', 'James City County, VA'],
    ['51510', 'VA', 'Alexandria city, VA'],
    ['32510', 'NV', 'Carson City, NV'],
    ['11001', 'DC', 'District of Columbia, DC'],
    ['02110', 'AK', 'Juneau City and Borough, AK'],
    ['02016', 'AK', 'Aleutians West Census Area, AK'],
    ['09001', 'CT', 'Fairfield County, CT'],
    ['09110', 'CT', 'Capitol Planning Region, CT'],
    ['46102', 'SD', 'Oglala Lakota County, SD'],
    ['55109', 'WI', 'St. Croix County, WI'],
    ['78010', 'VI', 'St. Croix, VI'],
    ['72011', 'PR', 'Añasco Municipio, PR'],
    ['39999', 'OH', 'County 39999, OH'],
  ] as const) {
    it(`of ${fips} is ${label}`, () => assert.equal(countyLabel(fips, state), label));
  }

  it("has every county's name, a county once and a different name within each state", () => {
    assert.equal(countyNames.length, 3236);
    assert.equal(new Set(countyNames.map(({ countyFips }) => countyFips)).size, countyNames.length);
    assert.equal(new Set(countyNames.map((each) => countyLabel(each.countyFips, each.state))).size, countyNames.length);
    assert.equal(new Set(countyNames.map(({ state }) => state)).size, 56);
  });

  it('names the core counties like the metros', () => {
    for (const { countyFips, coreCounty, state } of metros)
      assert.equal(countyLabel(countyFips, state), labelOfCounty(coreCounty, state));
  });

  it('agrees with the tables of its source', function () {
    const shared = ['hud_fmr_county_fy2025_revised.csv', 'hud_fmr_county_fy2026.csv'].map(readSharedData);
    if (shared.includes(undefined)) return this.skip();
    const rows = shared.flatMap((table): Record<string, string>[] => parse(table ?? '', { columns: true }));
    const named = rows.filter(({ countyname = '' }) => !/ part$/.test(countyname));
    const labels = named.map(({ fips = '', stusps, countyname }) => `${fips.slice(0, 5)} ${countyname}, ${stusps}`);
    const own = countyNames.map(({ countyFips, state }) => `${countyFips} ${countyLabel(countyFips, state)}`);
    assert.deepEqual([...new Set(labels)].sort(), own.sort());
  });
});

describe('labelOfCounty', () => {
  for (const [name, state, label] of [
    ['Cuyahoga', 'OH', 'Cuyahoga County, OH'],
    ['Cuyahoga County', 'OH', 'Cuyahoga County, OH'],
    ['orleans', 'LA', 'Orleans Parish, LA'],
    ['St Louis', 'MO', 'St. Louis County, MO'],
    ['Saint Louis', 'MO', 'St. Louis County, MO'],
    ['Sainte Genevieve', 'MO', 'Ste. Genevieve County, MO'],
    ['De Kalb', 'GA', 'DeKalb County, GA'],
    ['LaSalle', 'IL', 'La Salle County, IL'],
    ['La Salle', 'TX', 'La Salle County, TX'],
    ['St. Louis City', 'MO', 'St. Louis city, MO'],
    ['Norfolk', 'VA', 'Norfolk city, VA'],
    ['Richmond', 'VA', 'Richmond County, VA'],
    ['James City', 'VA', 'James City County, VA'],
    ['Prince Georges', 'MD', "Prince George's County, MD"],
    ['Nowhere', 'OH', 'Nowhere County, OH'],
    ['Nowhere Parish', 'LA', 'Nowhere Parish, LA'],
    ['constructor', 'OH', 'constructor County, OH'],
  ] as const) {
    it(`of ${name} in ${state} is ${label}`, () => assert.equal(labelOfCounty(name, state), label));
  }
});

describe('findCounties', () => {
  for (const [stated, state, ...found] of [
    ['cuyahoga', 'OH', '39035'],
    ['Cuyahoga County', 'OH', '39035'],
    ['39035', 'OH', '39035'],
    ['99999', 'OH'],
    ['Doña Ana', 'NM', '35013'],
    ['Anasco', 'PR', '72011'],
    ['ORLEANS COUNTY', 'LA', '22071'],
    ['Anchorage Borough', 'AK', '02020'],
    ['Prince of Wales-Hyder', 'AK', '02198'],
    ['Saint Louis', 'MO', '29189', '29510'],
    ['St. Louis City', 'MO', '29510'],
    ['St. Louis County', 'MO', '29189'],
    ['Fairfax', 'VA', '51059', '51600'],
    ['Franklin', 'VA', '51067', '51620'],
    ['Franklin', 'OH', '39049'],
    ['Carson City', 'NV', '32510'],
    ['Charles City', 'VA', '51036'],
    ['Nowhere', 'OH'],
    ['', 'OH'],
    ['constructor', 'OH'],
  ] as const) {
    it(`of ${stated} in ${state} are ${found.join(' and ') || 'none'}`, () => {
      assert.deepEqual(
        findCounties(stated, state).map(({ countyFips }) => countyFips),
        found,
      );
    });
  }
});

describe('shortenCounty', () => {
  it('leaves out the word County, but not where a city has the name too', () => {
    assert.equal(shortenCounty('Cuyahoga County', 'OH'), 'Cuyahoga');
    assert.equal(shortenCounty('orleans parish', 'LA'), 'orleans');
    assert.equal(shortenCounty('Franklin County', 'OH'), 'Franklin');
    assert.equal(shortenCounty('Franklin County', 'VA'), 'Franklin County');
    assert.equal(shortenCounty('Baltimore', 'MD'), 'Baltimore');
  });
});
