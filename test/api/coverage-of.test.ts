import assert from 'node:assert/strict';
import { createExplainNothing } from '../../src/api/explain-nothing.js';
import { countyLabel } from '../../src/metros/county-label.js';
import { countyNames } from '../../src/metros/county-names.js';
import type { DeclaredCounty } from '../../src/sources/declared-county-reader.js';

const declared: readonly DeclaredCounty[] = [
  { delivers: 'auctions', countyFips: '39035', isRead: true },
  { delivers: 'auctions', countyFips: '39049', isRead: false },
  { delivers: 'signals', countyFips: '39061', isRead: true },
];
const explain = createExplainNothing({ readDeclared: async () => declared, waitFor: () => 5 });
const ask = (
  feed: 'signals' | 'auctions' | 'leads',
  place: { state?: string; county?: string },
  places: string[] = [],
) => explain({ feed, place, places: new Set(places), reason: 'no_records_match', detail: 'Nothing matches.' });

describe('why nothing matches', () => {
  it('a county that no source of the feed declares, and that has no record, is never no_records_match', async () => {
    for (const { countyFips, state } of countyNames.filter((_each, index) => index % 40 === 0)) {
      for (const feed of ['signals', 'auctions', 'leads'] as const)
        assert.equal(
          (await ask(feed, { county: countyLabel(countyFips, state) })).reason,
          'outside_coverage',
          countyFips,
        );
    }
    const { reason, message } = await ask('auctions', { county: 'Lucas, OH' });
    assert.equal(reason, 'outside_coverage');
    assert.match(
      message,
      /^No source of auctions reads Lucas County, OH\. Auctions are read in: Cuyahoga, OH; Franklin, OH\./,
    );
  });

  it('a county that was read, or has a published record, is no_records_match', async () => {
    assert.equal((await ask('auctions', { county: 'Cuyahoga' })).reason, 'no_records_match');
    assert.equal((await ask('auctions', { county: 'Lucas, OH' }, ['lucas county, oh'])).reason, 'no_records_match');
  });

  it('a county that is declared and was never read is not_yet_published', async () => {
    const { reason, details } = await ask('auctions', { county: 'Franklin, OH' });
    assert.deepEqual([reason, details.retryAfterSeconds], ['not_yet_published', 5]);
  });

  it('a state that is read in part says in how many of its counties', async () => {
    assert.match((await ask('leads', { state: 'oh' })).message, /2 of the 88 counties asked for are read/);
  });

  it('a county text that no US county has is outside_coverage', async () => {
    const { reason, message } = await ask('signals', { county: 'Nowhere at all' });
    assert.equal(reason, 'outside_coverage');
    assert.match(message, /no US county has this name/);
  });
});
