import assert from 'node:assert/strict';
import type { Client } from '../../generated/client/index.js';
import { getCoverage } from '../../generated/sdk.gen.js';
import type { GetCoverageData } from '../../generated/types.gen.js';
import { metros } from '../../src/places/metros/metros.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { createApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { licensed } from '../support/county-records.js';
import { readSource } from '../support/read-source.js';

const hourMs = 3_600_000;

describe('getCoverage', () => {
  let app: TestApp;
  let client: Client;
  /** The next full minute. */
  let now = new Date(Math.ceil(Date.now() / 60_000) * 60_000);
  before(async () => {
    app = await startTestApp({ now: () => now });
    client = createApiClient(app.url);
  });
  after(() => app.stop());

  async function ask(query: GetCoverageData['query'] = {}) {
    const { data } = await getCoverage({ client, query });
    return data?.counties ?? assert.fail('no counties');
  }

  function countySource(name: string, countyFips: string) {
    const source = createScriptedDelivery('signals', { name, licence: licensed, now: () => now });
    source.deliver({ pages: [[]] });
    return { ...source, covers: [countyFips] };
  }

  it('has the counties that the sources of listings declare', async () => {
    const deals = (await ask()).filter(({ feeds }) => feeds.deals);
    assert.deepEqual(
      deals.map(({ fips }) => fips),
      metros.map(({ countyFips }) => countyFips).sort(),
    );
    const [cuyahoga] = await ask({ county: 'cuyahoga' });
    assert.deepEqual([cuyahoga?.fips, cuyahoga?.state, cuyahoga?.county], ['39035', 'OH', 'Cuyahoga']);
    assert.equal(cuyahoga?.metro, 'cleveland');
    const deal = cuyahoga?.feeds.deals;
    assert.equal(deal?.status, 'read');
    assert.ok(
      deal?.sources.includes('demo-heartland') && deal.as_of !== null && Date.parse(deal.as_of) <= now.getTime(),
    );
  });

  it('has a county that was never read as pending, and then as read with its time, though it brought nothing', async () => {
    const source = countySource('lucas-delinquency', '39095');
    source.onFetch = () => Promise.reject(new Error('not there'));
    await readSource(app, { ...source, fetchPage: () => Promise.reject(new Error('not there')) });
    now = new Date(now.getTime() + 60_000);
    const feeds = async () => (await ask({ county: '39095' }))[0]?.feeds;
    const pending = {
      status: 'pending',
      as_of: null,
      sources: ['lucas-delinquency'],
      absent: { as_of: { reason: 'not_yet_observed' } },
    };
    assert.deepEqual((await feeds())?.signals, pending);
    assert.deepEqual((await feeds())?.leads?.tax_delinquent_owner, pending);
    assert.equal((await feeds())?.leads?.sheriff_sale_auction, undefined);
    assert.equal((await feeds())?.auctions, undefined);

    source.onFetch = async () => {};
    await readSource(app, source);
    now = new Date(now.getTime() + 60_000);
    assert.equal((await feeds())?.signals?.status, 'pending', 'it is not published yet');
    await app.pipeline.publish('changed');
    now = new Date(now.getTime() + 60_000);
    const { status, as_of: asOf } = (await feeds())?.signals ?? {};
    assert.deepEqual([status, asOf], ['read', new Date(now.getTime() - 120_000).toISOString()]);
  });

  it('has the time of the latest reading, and late after the promise has passed', async () => {
    const before = now;
    now = new Date(before.getTime() + 27 * hourMs);
    const [lucas] = await ask({ county: 'Lucas, OH', feed: 'signals' });
    assert.equal(lucas?.feeds.signals?.status, 'late');
    now = before;
  });

  it('has the counties of one feed, of one state, and of a part of the label', async () => {
    const auctions = await ask({ feed: 'auctions' });
    assert.ok(auctions.every(({ feeds }) => Object.keys(feeds).join() === 'auctions'));
    const ohio = await ask({ state: ['oh'] });
    assert.ok(ohio.length > 5 && ohio.every(({ state }) => state === 'OH'));
    assert.deepEqual(
      (await ask({ county: '39035,18097' })).map(({ fips }) => fips),
      ['18097', '39035'],
    );
    assert.deepEqual(await ask({ county: 'Nowhere' }), []);
  });

  it('leaves out a source whose licence has ended', async () => {
    const source = countySource('ended', '39007');
    source.deliver({ pages: [[observeSignal({ countyFips: '39007' })]] });
    await readSource(app, { ...source, licence: { ...licensed, expiresAt: new Date(now.getTime() + hourMs) } });
    now = new Date(now.getTime() + 60_000);
    assert.equal((await ask({ county: '39007' })).length, 1);
    now = new Date(now.getTime() + 2 * hourMs);
    assert.equal((await ask({ county: '39007' })).length, 0);
  });

  it('is 304 while nothing has changed, however much time has passed', async () => {
    const { response } = await getCoverage({ client });
    const headers = { 'If-None-Match': response.headers.get('ETag') ?? '' };
    now = new Date(now.getTime() + 60_000);
    assert.equal((await getCoverage({ client, headers })).response.status, 304);
  });

  it('refuses a feed that there is not, with the names of all', async () => {
    const reply = await fetch(`${app.url}/api/coverage?feed=deeds`);
    const { errors } = (await reply.json()) as { errors: { parameter: string }[] };
    assert.deepEqual([reply.status, errors.map(({ parameter }) => parameter)], [400, ['feed']]);
  });
});
