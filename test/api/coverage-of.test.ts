import assert from 'node:assert/strict';
import { coverageOf, type CountyFeed } from '../../src/api/data/coverage-of.js';
import { createExplainEmptyResult } from '../../src/api/data/explain-empty-result.js';
import { countyLabel } from '../../src/places/metros/county-label.js';
import { countyNames } from '../../src/places/metros/counties.js';
import type { DeclaredCounty } from '../../src/sources/declared-county-reader.js';
import { sliceOf } from '../support/depth.js';

const declared: readonly DeclaredCounty[] = [
  { delivers: 'auctions', countyFips: '39035', isPublished: true },
  { delivers: 'auctions', countyFips: '39049', isPublished: false },
  { delivers: 'signals', countyFips: '39061', isPublished: true },
  { delivers: 'signals', countyFips: '18097', isPublished: true },
];
const explain = createExplainEmptyResult({ readDeclared: async () => declared, retryAfterSeconds: () => 5 });
const ask = (
  feed: CountyFeed,
  place: { state?: string; county?: string },
  { hasRecord = false, leadType }: { hasRecord?: boolean; leadType?: string } = {},
) => explain({ feed, place, leadType, hasRecord, reason: 'no_records_match', detail: 'Nothing matches.' });

describe('the reason for an empty result', () => {
  it('is outside, pending or read for each county of the country, as the sources of each feed declare it', () => {
    for (const { countyFips, state } of sliceOf(countyNames, 20)) {
      for (const feed of ['signals', 'auctions', 'leads'] as const) {
        const own = declared.filter((each) => each.countyFips === countyFips);
        const of = own.find(({ delivers }) => feed === 'leads' || delivers === feed);
        const place = { county: countyLabel(countyFips, state) };
        const { status } = coverageOf({ feed, place, hasRecord: false }, declared);
        assert.equal(
          status,
          of === undefined ? 'none' : of.isPublished ? 'full' : 'pending',
          `${feed} ${place.county}`,
        );
      }
    }
  });

  it('is outside_coverage with the covered counties when no source of the feed declares the county and it has no record', async () => {
    const { reason, message } = await ask('auctions', { county: 'Lucas, OH' });
    assert.equal(reason, 'outside_coverage');
    assert.match(
      message,
      /^No source of auctions reads Lucas County, OH\. Auctions are read in: Cuyahoga, Franklin, OH\. Nothing was billed\.$/,
    );
    assert.match(
      (await ask('leads', { county: 'Lucas, OH' })).message,
      /Marion, IN; Cuyahoga, Franklin, Hamilton, OH\./,
    );
  });

  it('is no_records_match for a county that was read or has a published record', async () => {
    assert.equal((await ask('auctions', { county: 'Cuyahoga' })).reason, 'no_records_match');
    assert.equal((await ask('auctions', { county: 'Lucas, OH' }, { hasRecord: true })).reason, 'no_records_match');
  });

  it('is not_yet_published for a declared county that was never read', async () => {
    const { reason, details } = await ask('auctions', { county: 'Franklin, OH' });
    assert.deepEqual([reason, details.retryAfterSeconds], ['not_yet_published', 5]);
  });

  it('follows, for leads of one type, the coverage of the feed that they derive from', async () => {
    const county = 'Hamilton, OH';
    assert.equal((await ask('leads', { county }, { leadType: 'tax_delinquent_owner' })).reason, 'no_records_match');
    assert.equal((await ask('leads', { county }, { leadType: 'motivated_listing' })).reason, 'no_records_match');
    const { reason, message } = await ask('leads', { county }, { leadType: 'sheriff_sale_auction' });
    assert.equal(reason, 'outside_coverage');
    assert.match(message, /^No source of sheriff_sale_auction leads reads Hamilton County, OH\./);
  });

  it('states the number of covered counties for a partially covered state', async () => {
    assert.match((await ask('leads', { state: 'oh' })).message, /2 of the 88 counties of OH are read/);
  });

  it('is outside_coverage with the most similar name for a text that matches no US county', async () => {
    const { reason, message } = await ask('signals', { county: 'Cuyahoge' });
    assert.equal(reason, 'outside_coverage');
    assert.match(message, /no US county has this name \(did you mean Cuyahoga County, OH\?\)/);
    assert.match((await ask('signals', { county: 'Nowhere at all' })).message, /no US county has this name\. Signals/);
  });
});
