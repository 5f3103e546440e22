import assert from 'node:assert/strict';
import { coverageOf, type CountyFeed } from '../../src/api/data/coverage-of.js';
import { createExplainNothing } from '../../src/api/data/explain-nothing.js';
import { countyLabel } from '../../src/places/metros/county-label.js';
import { countyNames } from '../../src/places/metros/county-names.js';
import type { DeclaredCounty } from '../../src/sources/declared-county-reader.js';
import { sliceOf } from '../support/depth.js';

const declared: readonly DeclaredCounty[] = [
  { delivers: 'auctions', countyFips: '39035', isRead: true },
  { delivers: 'auctions', countyFips: '39049', isRead: false },
  { delivers: 'signals', countyFips: '39061', isRead: true },
  { delivers: 'signals', countyFips: '18097', isRead: true },
];
const explain = createExplainNothing({ readDeclared: async () => declared, waitFor: () => 5 });
const ask = (
  feed: CountyFeed,
  place: { state?: string; county?: string },
  { hasRecord = false, leadType }: { hasRecord?: boolean; leadType?: string } = {},
) => explain({ feed, place, leadType, hasRecord, reason: 'no_records_match', detail: 'Nothing matches.' });

describe('why nothing matches', () => {
  it('each county of the country is outside, to come or read as the sources of each feed declare it', () => {
    for (const { countyFips, state } of sliceOf(countyNames, 20)) {
      for (const feed of ['signals', 'auctions', 'leads'] as const) {
        const own = declared.filter((each) => each.countyFips === countyFips);
        const of = own.find(({ delivers }) => feed === 'leads' || delivers === feed);
        const place = { county: countyLabel(countyFips, state) };
        const { status } = coverageOf({ feed, place, hasRecord: false }, declared);
        assert.equal(status, of === undefined ? 'none' : of.isRead ? 'full' : 'pending', `${feed} ${place.county}`);
      }
    }
  });

  it('a county that no source of the feed declares, and that has no record, is outside_coverage, with those that are read', async () => {
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

  it('a county that was read, or has a published record, is no_records_match', async () => {
    assert.equal((await ask('auctions', { county: 'Cuyahoga' })).reason, 'no_records_match');
    assert.equal((await ask('auctions', { county: 'Lucas, OH' }, { hasRecord: true })).reason, 'no_records_match');
  });

  it('a county that is declared and was never read is not_yet_published', async () => {
    const { reason, details } = await ask('auctions', { county: 'Franklin, OH' });
    assert.deepEqual([reason, details.retryAfterSeconds], ['not_yet_published', 5]);
  });

  it('leads of one type are read where the feed is read that they are made of', async () => {
    const county = 'Hamilton, OH';
    assert.equal((await ask('leads', { county }, { leadType: 'tax_delinquent_owner' })).reason, 'no_records_match');
    assert.equal((await ask('leads', { county }, { leadType: 'motivated_listing' })).reason, 'no_records_match');
    const { reason, message } = await ask('leads', { county }, { leadType: 'sheriff_sale_auction' });
    assert.equal(reason, 'outside_coverage');
    assert.match(message, /^No source of sheriff_sale_auction leads reads Hamilton County, OH\./);
  });

  it('a state that is read in part says in how many of its counties', async () => {
    assert.match((await ask('leads', { state: 'oh' })).message, /2 of the 88 counties of OH are read/);
  });

  it('a county text that no US county has is outside_coverage, with the nearest name', async () => {
    const { reason, message } = await ask('signals', { county: 'Cuyahoge' });
    assert.equal(reason, 'outside_coverage');
    assert.match(message, /no US county has this name \(did you mean Cuyahoga County, OH\?\)/);
    assert.match((await ask('signals', { county: 'Nowhere at all' })).message, /no US county has this name\. Signals/);
  });
});
