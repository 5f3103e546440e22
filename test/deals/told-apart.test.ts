import assert from 'node:assert/strict';
import { known, valueOf } from '../../src/absence.js';
import { readRendered } from '../../src/contract/rendered.js';
import { identifyByAddress, identifyListing } from '../../src/listings/listing-identity.js';
import { observe } from '../listings/observation.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readSource } from '../support/read-source.js';

describe('a debt with a street without its suffix, and two new listings that it could match', () => {
  let app: TestApp;
  let nowMs = Date.parse('2026-11-02T08:00:00.000Z');
  before(async () => {
    app = await startTestApp({ withData: false, now: () => new Date(nowMs) });
  });
  after(() => app.stop());

  const offer = (number: number, suffix: string) =>
    observe({ sourceKey: `${number}${suffix}`, address: known(`${number} Example ${suffix}`), capRate: known('9.50') });
  const idOf = (listing: ReturnType<typeof offer>): string => identifyListing('broker', listing, identifyByAddress).id;

  /** Two listings whose ids are far apart, so that they are read in different chunks. */
  function findPair(from: number): readonly ReturnType<typeof offer>[] {
    for (let number = from; ; number += 1) {
      const pair = [offer(number, 'Ave'), offer(number, 'St')];
      const [low = '', high = ''] = pair.map(idOf).sort();
      if (low < '2' && high > 'd') return pair;
    }
  }

  async function motivated(): Promise<readonly string[]> {
    const { body } = await app.feeds.deals.page('full', { filter: {}, limit: 1_000 });
    return readRendered(body).flatMap((deal) => (deal.motivation_score > 0 ? (deal.address ?? deal.id) : []));
  }

  for (const [extent, base] of [
    ['changed', 1_000],
    ['all', 2_000],
  ] as const)
    it(`matches neither in a publication of ${extent}, for any number of listings between them`, async () => {
      const between = Array.from({ length: 199 }, (_, index) => offer(base + index, 'Rd'));
      const pair = findPair(base + 500);
      const [number] = (valueOf(pair[0]?.address ?? assert.fail()) ?? '').split(' ');
      const listings = createScriptedDelivery('listings', { name: 'broker', now: app.now });
      const signals = createScriptedDelivery('signals', { name: 'county', now: app.now });
      listings.deliver({ pages: [[...between, ...pair]] });
      const debt = observeSignal({ sourceKey: `s${base}`, parcelId: `p-${base}`, address: known(`${number} Example`) });
      signals.deliver({ pages: [[debt]] });
      await readSource(app, listings);
      await readSource(app, signals);
      await app.pipeline.publish(extent);
      assert.deepEqual(await motivated(), []);
      nowMs += 60_000;
      await app.pipeline.publish('day');
      assert.deepEqual(await motivated(), []);
    });
});
