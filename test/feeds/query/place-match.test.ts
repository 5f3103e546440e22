import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createCountyMatch, foldCity } from '../../../src/feeds/query/place-match.js';

describe('names of cities', () => {
  it('are the same in all their spellings', () => {
    for (const [one, other] of [
      ['St. Louis', 'SAINT  LOUIS'],
      ['st louis', 'St. Louis'],
      ['St.Louis', 'St. Louis'],
      ["Lee's Summit", 'lees summit'],
      ['Lee\u2019s Summit', "LEE'S SUMMIT"],
      ['Ft. Worth', 'Fort Worth'],
      ['Winston-Salem', 'winston salem'],
      ['Sa\u0303o Paulo', 'Sao Paulo'],
      ["Caf\u00e9's 29", 'cafes 29'],
      ['St. \u0141\u00f3d\u017a', 'st \u0141odz'],
    ] as const)
      assert.equal(foldCity(one), foldCity(other), `${one} and ${other}`);
  });

  it('keep apart what is written with other letters, and are never nothing', () => {
    assert.notEqual(foldCity('\u0141\u00f3d\u017a'), foldCity('\u00d3d\u017a'));
    assert.equal(foldCity('\u6771\u4eac'), '\u6771\u4eac');
    assert.equal(foldCity('100%'), '100%');
  });

  it('fold once and for all', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => foldCity(foldCity(name)) === foldCity(name)));
  });
});

describe('a part of a county label', () => {
  const labels = ['cuyahoga county, oh', 'st. louis city, mo', 'st. louis county, mo', 'orleans parish, la'];
  const found = (part: string) => labels.filter(createCountyMatch(part));

  it('may leave out the comma, or the kind of county', () => {
    const cuyahoga = labels.slice(0, 1);
    for (const part of [
      'Cuyahoga',
      'Cuyahoga County, OH',
      'cuyahoga county oh',
      'Cuyahoga, OH',
      'cuyahoga,oh',
      'ahoga oh',
    ])
      assert.deepEqual(found(part), cuyahoga, part);
    assert.deepEqual(found('Orleans, LA'), ['orleans parish, la']);
    assert.deepEqual(found('St. Louis, MO'), labels.slice(1, 3));
  });

  it('may leave out any kind that there is', () => {
    for (const [label, bare] of [
      ['juneau city and borough, ak', 'Juneau, AK'],
      ['kodiak island borough, ak', 'Kodiak Island, AK'],
      ['nome census area, ak', 'Nome, AK'],
      ['anchorage municipality, ak', 'Anchorage, AK'],
      ['capitol planning region, ct', 'Capitol, CT'],
      ['james city county, va', 'James City, VA'],
    ] as const)
      assert.ok(createCountyMatch(bare)(label), label);
  });

  it('that names the kind means no other kind', () => {
    assert.deepEqual(found('St. Louis city'), ['st. louis city, mo']);
    assert.deepEqual(found('st. louis county mo'), ['st. louis county, mo']);
  });

  it('is none where it is made of commas alone', () => {
    for (const part of [',', ',,', ', ,', ' , , ']) assert.equal(createCountyMatch(part)('cuyahoga county, oh'), false);
  });

  it('finds no other state and no other name', () => {
    assert.deepEqual(found('Cuyahoga, TX'), []);
    assert.deepEqual(found('Los Angeles'), []);
  });
});
