import assert from 'node:assert/strict';
import { countiesOf } from '../../src/api/coverage/counties-of-place.js';
import { coverageOf } from '../../src/api/coverage/coverage-of.js';
import { tabulateCoverage, type Covered } from '../../src/api/coverage/coverage-table.js';
import { createExplainEmptyResult } from '../../src/api/coverage/explain-empty-result.js';
import { countyLabel } from '../../src/places/metros/county-label.js';
import { countyNames } from '../../src/places/metros/counties.js';
import type { Place } from '../../src/places/metros/place.js';
import type { SourceCoverage } from '../../src/sources/coverage-reader.js';
import { sliceOf } from '../support/depth.js';

const now = new Date('2026-11-27T07:00:00.000Z');
const today = new Date('2026-11-27T05:00:00.000Z');

function source(delivers: SourceCoverage['delivers'], counties: readonly string[], asOf?: Date): SourceCoverage {
  return { name: `${delivers} of ${counties.join(' ')}`, delivers, counties, asOf, leadsAsOf: asOf };
}

const table = tabulateCoverage(
  [
    source('auctions', ['39035'], today),
    source('auctions', ['39049']),
    source('signals', ['39061'], today),
    source('signals', ['18097'], today),
    source('listings', ['39035', '39095'], new Date('2026-11-20T05:00:00.000Z')),
  ],
  now,
);

const explain = createExplainEmptyResult({ readTable: async () => table, retryAfterSeconds: () => 5 });
const ask = (name: string, filter: Place & { leadType?: string }, hasRecord = false) =>
  explain({ name, first: () => (hasRecord ? {} : undefined) }, filter, 'Nothing matches.');
const feeds = ['deals', 'signals', 'auctions', 'leads'] as const;

describe('the coverage of a county', () => {
  const statusIn = (county: string, covered: Covered) => table.get(county)?.[covered]?.status;

  it('is read, late or pending by the latest complete run that is published', () => {
    assert.equal(statusIn('39035', 'auctions'), 'read');
    assert.equal(statusIn('39049', 'auctions'), 'pending');
    assert.equal(statusIn('39035', 'deals'), 'late');
    assert.equal(statusIn('39095', 'auctions'), undefined);
  });

  it('is that of the feeds from which leads are made, by their type', () => {
    assert.equal(statusIn('39035', 'sheriff_sale_auction'), 'read');
    assert.equal(statusIn('39061', 'sheriff_sale_auction'), undefined);
    assert.equal(statusIn('39061', 'leads'), 'read');
    // A listing becomes a lead through a county record: both are needed, and the older counts.
    assert.equal(statusIn('39035', 'motivated_listing'), 'late');
    assert.equal(statusIn('39061', 'motivated_listing'), undefined);
    assert.equal(statusIn('39095', 'leads'), undefined);
  });

  it('is as of its latest source, by name of all of them', () => {
    const sources = [source('listings', ['39035'], today), source('listings', ['39035', '39049'])];
    assert.deepEqual(tabulateCoverage(sources, now).get('39035')?.deals, {
      status: 'read',
      asOf: today,
      sources: sources.map(({ name }) => name),
    });
  });
});

describe('the counties of a place', () => {
  const fipsOf = (place: Place) => countiesOf(place).map(({ countyFips }) => countyFips);

  const cases: readonly (readonly [string, Place, readonly string[]])[] = [
    ['a county', { county: 'Cuyahoga' }, ['39035']],
    ['a county of a state', { state: ['OH', 'IN'], county: 'Lucas' }, ['39095']],
    ['codes', { countyFips: ['39095', '39035'] }, ['39035', '39095']],
    ['a city of one county', { city: 'euclid', state: ['OH'] }, ['39035']],
    ['a city of several counties', { city: 'Columbus', state: ['OH'] }, ['39041', '39045', '39049']],
    ['a city without its state', { city: 'Saint Louis' }, ['29189', '29510']],
    ['ZIPs', { zip: ['43609', '44105'] }, ['39035', '39095']],
    ['a ZIP and a county that do not meet', { zip: ['43609'], county: 'Cuyahoga' }, []],
    ['metros', { metro: ['kansas-city', 'st-louis'] }, ['29095', '29510']],
    ['a circle', { near: { latitude: 41.65, longitude: -83.54, radiusMiles: 2 } }, ['39095']],
    [
      'a circle over two counties',
      { near: { latitude: 41.65, longitude: -83.54, radiusMiles: 10 } },
      ['26115', '39095', '39173'],
    ],
    [
      'a circle without the center of a ZIP',
      { near: { latitude: 41.5, longitude: -81.69, radiusMiles: 0.1 } },
      ['39035'],
    ],
    ['a circle in the sea', { near: { latitude: 30, longitude: -50, radiusMiles: 100 } }, []],
    ['a name that no county has', { county: 'Cuyahoge' }, []],
  ];
  for (const [title, place, counties] of cases)
    it(`of ${title} are ${counties.join(', ') || 'none'}`, () => assert.deepEqual(fipsOf(place), counties));

  it('of a city that is not known are those of its state, of a ZIP without land too, and without a state all', () => {
    assert.equal(fipsOf({ city: 'Nowhere', state: ['OH'] }).length, 88);
    assert.equal(fipsOf({ city: 'Columbus', state: ['IN'] }).length, 92);
    assert.equal(fipsOf({ zip: ['43697'] }).length, 88);
    assert.equal(fipsOf({ city: 'Nowhere' }).length, countyNames.length);
    assert.equal(fipsOf({}).length, countyNames.length);
  });
});

describe('the reason for an empty result', () => {
  it('is never no_records_match where a county of the country is not declared and has no record, for any feed', async () => {
    for (const { countyFips, state } of sliceOf(countyNames, 20)) {
      for (const feed of feeds) {
        const place = { county: countyLabel(countyFips, state) };
        const status = table.get(countyFips)?.[feed]?.status;
        const expected =
          status === undefined ? 'outside_coverage' : status === 'pending' ? 'not_yet_published' : 'no_records_match';
        for (const asked of [place, { countyFips: [countyFips] }])
          assert.equal((await ask(feed, asked)).reason, expected, `${feed} ${place.county}`);
        assert.equal((await ask(feed, place, true)).reason, 'no_records_match', `${feed} ${place.county}`);
      }
    }
  });

  it('is outside_coverage with the counties that are read, those of the state first', async () => {
    const { reason, message, details } = await ask('auctions', { county: 'Lucas, OH' });
    assert.equal(reason, 'outside_coverage');
    assert.equal(
      message,
      'No source of auctions reads Lucas County, OH. Auctions are read in: Cuyahoga, OH. Nothing was billed.',
    );
    assert.deepEqual(details.members, { coverage: { read: ['Cuyahoga, OH'], not_read: ['Lucas, OH'] } });
    assert.match((await ask('signals', { state: ['IN'], county: 'Adams' })).message, /in: Marion, IN; Hamilton, OH\./);
    assert.match((await ask('signals', { county: 'Lucas, OH' })).message, /in: Hamilton, OH; Marion, IN\./);
  });

  it('names at most ten counties', async () => {
    const { details } = await ask('auctions', { state: ['TX'] });
    const { coverage } = details.members as { coverage: { not_read: string[] } };
    assert.equal(coverage.not_read.length, 10);
  });

  it('is not_yet_published for a declared county that was never read', async () => {
    const { reason, details } = await ask('auctions', { county: 'Franklin, OH' });
    assert.deepEqual([reason, details.retryAfterSeconds], ['not_yet_published', 5]);
  });

  it('follows, for leads of one type, the coverage of the feeds that they derive from', async () => {
    const county = 'Hamilton, OH';
    assert.equal((await ask('leads', { county, leadType: 'tax_delinquent_owner' })).reason, 'no_records_match');
    const { reason, message } = await ask('leads', { county, leadType: 'sheriff_sale_auction' });
    assert.equal(reason, 'outside_coverage');
    assert.match(message, /^No source of sheriff_sale_auction leads reads Hamilton County, OH\./);
  });

  it('says how many counties are read where only some are', async () => {
    const { message, details } = await ask('leads', { state: ['OH'] });
    assert.match(message, /2 of the 88 counties of OH are read/);
    const { coverage } = details.members as { coverage: { read: string[]; not_read: string[] } };
    assert.deepEqual([coverage.read, coverage.not_read.length], [['Cuyahoga, OH', 'Hamilton, OH'], 10]);
    assert.match((await ask('auctions', { zip: ['44105', '43609'] })).message, /1 of the 2 counties of this place/);
  });

  it('names nothing more where all are read, or none was asked for', async () => {
    for (const place of [{ county: 'Cuyahoga' }, {}])
      assert.equal((await ask('auctions', place)).details.members, undefined);
  });

  it('is outside_coverage with the most similar name for a text that matches no US county', async () => {
    const { reason, message } = await ask('signals', { county: 'Cuyahoge' });
    assert.equal(reason, 'outside_coverage');
    assert.match(message, /no US county has this name \(did you mean Cuyahoga County, OH\?\)/);
    assert.match((await ask('signals', { county: 'Nowhere at all' })).message, /no US county has this name\. Signals/);
  });
});

describe('the coverage of a place without a record', () => {
  it('has the counties that are read and those that are not, all declared ones for no place', () => {
    const { status, read, notRead } = coverageOf('auctions', {}, table, false);
    assert.deepEqual([status, read.length, notRead.length], ['partial', 1, 1]);
    assert.equal(coverageOf('auctions', { state: ['OH'] }, table, false).notRead.length, 87);
  });

  it('is that of no place for a city that nobody knows, without a state', () => {
    const of = (place: Place) => coverageOf('auctions', place, table, false);
    assert.deepEqual(of({ city: 'Nowhere' }), of({}));
  });
});
