import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { absent, known } from '../../../src/absence.js';
import { findCountyOfPlace, findCountyOfZip, isMilitaryZip } from '../../../src/places/metros/zip-counties.js';
import { findProjectFile } from '../../../src/project-file.js';
import { readSharedData } from '../../underwriting/read-shared-data.js';

const unstated = absent('not_stated_by_source');
const [header = '', ...lines] = readFileSync(findProjectFile('src/places/data/zip-counties.txt'), 'utf8').split('\n');

describe('findCountyOfZip', () => {
  it('finds the county of every ZIP of the Census, the first and the last, and of no other', () => {
    assert.equal(findCountyOfZip('44105'), '39035');
    assert.equal(findCountyOfZip('90210'), '06037');
    for (const zip of ['00000', '09012', '99999', '4410', '441050', '']) assert.equal(findCountyOfZip(zip), undefined);
    for (const line of lines.slice(0, -1)) assert.equal(findCountyOfZip(line.slice(0, 5)), line.slice(6), line);
  });

  it('searches lines in order, a ZIP once, whose number and hash the header states', () => {
    const { rows, sha256 } = JSON.parse(header) as { rows: number; sha256: string };
    assert.equal(lines.pop(), '');
    assert.equal(new Set(lines.map((line) => line.slice(0, 5))).size, rows);
    assert.deepEqual(lines, [...lines].sort());
    const body = lines.map((line) => `${line}\n`).join('');
    assert.equal(createHash('sha256').update(body).digest('hex'), sha256);
  });

  it('agrees with the Census table it was taken from', function () {
    const shared = readSharedData('zip_to_county_census2020.csv');
    if (shared === undefined) return this.skip();
    const [, ...rows] = shared.trimEnd().split(/\r?\n/);
    assert.deepEqual(lines, rows.map((row) => row.replace(',', ' ')).sort());
  });
});

describe('findCountyOfPlace', () => {
  const find = (county: string, zip: string, state: string) =>
    findCountyOfPlace({
      state,
      county: county === '' ? unstated : known(county),
      zip: zip === '' ? unstated : known(zip),
    });

  it('takes the stated county before that of the ZIP', () => {
    assert.equal(find('Summit', '44141', 'OH'), '39153');
    assert.equal(find('39153', '44141', 'OH'), '39153');
    assert.equal(find('', '44141', 'OH'), '39035');
    assert.equal(find('Nowhere', '44141', 'OH'), '39035');
    assert.equal(find('Nowhere', '', 'OH'), undefined);
    assert.equal(find('', '', 'OH'), undefined);
  });

  it('tells a county from a city of its name by the ZIP', () => {
    assert.equal(find('Baltimore', '21201', 'MD'), '24510');
    assert.equal(find('Baltimore', '21204', 'MD'), '24005');
    assert.equal(find('Baltimore city', '21204', 'MD'), '24510');
    assert.equal(find('Baltimore', '', 'MD'), '24005');
  });
});

describe('isMilitaryZip', () => {
  it('is true of the ZIPs of AA, AE and AP alone', () => {
    for (const zip of ['09012', '34001', '96201', '96698']) assert.ok(isMilitaryZip(zip), zip);
    for (const zip of ['08999', '34102', '96100', '96701', '99999', '44105']) assert.ok(!isMilitaryZip(zip), zip);
  });
});
