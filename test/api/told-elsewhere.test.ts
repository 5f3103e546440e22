import assert from 'node:assert/strict';
import type { DealList, Report, Signal } from '../../generated/types.gen.js';
import { absent, known } from '../../src/absence.js';
import { readRendered } from '../../src/contract/rendered.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeParcel } from '../counties/parcels/observed-parcel.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { dropListings } from '../support/drop-listings.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';
import { readSource } from '../support/read-source.js';

describe('data of a source whose licence has ended', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp({ withData: false, settler: createInstantSettler() });
  });
  afterEach(() => app.stop());

  const end = async (name: string) => {
    await app.database.knex('sources').where({ name }).update({ may_resell: false, changed_at: app.now() });
    await app.pipeline.refresh();
  };

  it('leaves the medians of other reports at once', async () => {
    dropListings(app.config.dropDirectory);
    dropListings(app.config.dropDirectory, 'C-1,200 Example Ave,Cleveland,OH,44105,212345,4,9.5', { name: 'others' });
    await app.pipeline.ingest();
    await app.pipeline.publish('all');
    const deals = (await (await buy(`${app.url}/api/deals`)).json()) as DealList;
    const { id } = deals.find(({ address }) => address === '100 Example Ave') ?? assert.fail();
    const readPrices = async () => {
      const { market } = (await (await buy(`${app.url}/api/deals/${id}/report`)).json()) as Report;
      const prices = market.measures.find(({ measure }) => measure === 'list_price');
      return [market.deals, prices?.median];
    };
    assert.deepEqual(await readPrices(), [2, '256172.50']);
    await end('others');
    assert.deepEqual(await readPrices(), [1, '300000.00']);
    await app.pipeline.publishIfBehind();
    assert.deepEqual(await readPrices(), [1, '300000.00']);
  });

  it('leaves the addresses of county records at once, when it came from a parcel roll', async () => {
    const roll = createScriptedDelivery('parcels', { name: 'roll', now: app.now });
    roll.deliver({ pages: [[observeParcel()]] });
    await readSource(app, roll);
    const unplaced = { address: absent('not_stated_by_source') } as const;
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    await readCountyRecords(app, {
      signals: [observeSignal(unplaced), observeSignal({ sourceKey: 's2', parcelId: '100-20-002' })],
      auctions: [
        observeAuction({ ...unplaced, saleDate }),
        observeAuction({ sourceKey: 'a2', caseNumber: known('CV-24-2'), saleDate }),
      ],
    });
    await app.pipeline.publish('all');
    const readPages = async () => {
      const { signals, auctions, leads } = app.feeds;
      const request = { filter: {}, limit: 10 };
      const pages = [await signals.page('full', request), await auctions.page('full', request)];
      const bodies = [...pages, await leads.page('full', request)].map(({ body }) => readRendered<unknown[]>(body));
      return [...bodies.map(({ length }) => length), JSON.stringify(bodies).includes('200 Roll St')];
    };
    assert.deepEqual(await readPages(), [2, 2, 4, true]);
    await end('roll');
    assert.deepEqual(await readPages(), [1, 1, 2, false]);
    await app.pipeline.publishIfBehind();
    assert.deepEqual(await readPages(), [2, 2, 2, false]);
  });

  it('leaves the assessed values of tax debts at once, when it came from a parcel roll', async () => {
    const rolls = ['roll', 'other-roll'].map((name, index) => {
      const source = createScriptedDelivery('parcels', { name, now: app.now });
      const assessedValue = index === 0 ? known('80000') : absent('not_published_by_source');
      source.deliver({ pages: [[observeParcel({ assessedValue, address: known('100 Example Ave') })]] });
      return source;
    });
    for (const roll of rolls) await readSource(app, roll);
    await readCountyRecords(app, { signals: [observeSignal({ assessedValue: absent('not_published_by_source') })] });
    await app.pipeline.publish('all');
    const readValues = async () => {
      const { signals, leads } = app.feeds;
      const request = { filter: {}, limit: 10 };
      const bodies = [await signals.page('full', request), await leads.page('full', request)];
      return bodies.map(({ body }) =>
        (readRendered<unknown[]>(body) as Signal[]).map((record) => record.assessed_value),
      );
    };
    assert.deepEqual(await readValues(), [['80000.00'], ['80000.00']]);
    await end('other-roll');
    assert.deepEqual(await readValues(), [['80000.00'], ['80000.00']]);
    await end('roll');
    assert.deepEqual(await readValues(), [[], []]);
    await app.pipeline.publishIfBehind();
    assert.deepEqual(await readValues(), [[null], [null]]);
  });
});
