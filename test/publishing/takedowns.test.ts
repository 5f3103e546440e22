import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import { readServerSecrets } from '../../src/config/server-secrets.js';
import { createTakedownReader } from '../../src/feeds/store/takedown-store.js';
import { createTakedowns } from '../../src/feeds/takedowns.js';
import { createSuppressions } from '../../src/publishing/suppressions.js';
import { openHashKey } from '../../src/secrets/hash-key-store.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeParcel } from '../counties/parcels/observed-parcel.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { licence } from '../sources/ingest/scripted-source.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { dropListings } from '../support/drop-listings.js';
import { readSource } from '../support/read-source.js';

const reason = 'asked by its owner';
const address = '100 Example Ave, Cleveland, OH 44105';
const names = ['deals', 'signals', 'auctions', 'leads'] as const;

/** A property that is for sale, in debt and up for a sale, and another one. */
describe('a takedown', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startTestApp({ withData: false });
    dropListings(app.config.dropDirectory);
    dropListings(app.config.dropDirectory, 'C-1,300 Example Ave,Cleveland,OH,44105,300000,4,9.5', { name: 'others' });
    await app.pipeline.ingest();
    await readCounty();
  });
  afterEach(() => app.stop());

  async function readCounty(amount = '12345.67'): Promise<void> {
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    const street = known('100 Example Ave');
    await readCountyRecords(app, {
      signals: [observeSignal({ address: street, amount })],
      auctions: [observeAuction({ address: street, saleDate })],
    });
  }

  /** How many records each feed shows. */
  async function countShown(of: TestApp = app): Promise<readonly number[]> {
    // They are asked alike: whatever their filters are, none is given.
    const feeds = names.map((name) => of.feeds[name] as TestApp['feeds']['signals']);
    return Promise.all(feeds.map(async (feed) => (await feed.page('full', { filter: {}, limit: 10 })).ids.length));
  }

  /** The list alone, as it is when a process dies before it has looked at all records. */
  async function openSuppressions() {
    const { knex } = app.database;
    const takedowns = createTakedowns(createTakedownReader(knex), app.now);
    const key = await openHashKey(knex, readServerSecrets(app.config));
    return createSuppressions({ knex, key, takedowns, now: app.now });
  }

  it('is of the records, the deals that tell of them and the leads made of either, with the wish itself', async () => {
    await app.pipeline.publish('all');
    assert.deepEqual(await countShown(), [2, 1, 1, 3]);
    await (await openSuppressions()).list.suppressAddress(address, reason);
    await app.pipeline.refresh();
    assert.deepEqual(await countShown(), [1, 0, 0, 0]);
  });

  it('is known to another instance once it has read the set', async () => {
    await app.pipeline.publish('all');
    const other = await startTestApp({ withData: false, database: app.database });
    try {
      await app.pipeline.suppress({ address, reason });
      await other.pipeline.refresh();
      assert.deepEqual(await countShown(other), [1, 0, 0, 0]);
    } finally {
      await other.stop();
    }
  });

  it('is of what names the place beside its address or does not show it, with the wish itself', async () => {
    const narrowed = { ...licence, undisplayedFields: ['address'] };
    const unshown = createScriptedDelivery('auctions', { name: 'unshown', licence: narrowed, now: app.now });
    unshown.deliver({ pages: [[observeAuction({ caseNumber: known('u'), address: known('7 Oak St') })]] });
    await readSource(app, unshown);
    const bills = createScriptedDelivery('signals', { name: 'bills', licence, now: app.now });
    const ofRoll = { sourceKey: 's', parcelId: '9-9', address: absent('no_situs_address') } as const;
    bills.deliver({
      pages: [[observeSignal(ofRoll), observeSignal({ parcelId: '8-8', address: known('3 Elm St, 9 Oak St') })]],
    });
    await readSource(app, bills);
    const roll = createScriptedDelivery('parcels', { name: 'roll', licence, now: app.now });
    const at = (street: string, sourceKey: string) =>
      observeParcel({ sourceKey, parcelId: '9-9', address: known(street), zip: known('44105') });
    roll.deliver({ pages: [[at('11 Oak St', 'r1'), at('13 Oak St', 'r2')]] });
    await readSource(app, roll);
    await app.pipeline.publish('all');
    const [, signals = 0, auctions = 0] = await countShown();
    const { list } = await openSuppressions();
    await list.suppressAddress('7 Oak St, Cleveland, OH 44105', reason);
    await list.suppressAddress('9 Oak St, Cleveland, OH 44105', reason);
    await list.suppressAddress('13 Oak St, Cleveland, OH 44105', reason);
    await app.pipeline.refresh();
    const [, left, leftAuctions] = await countShown();
    assert.deepEqual([left, leftAuctions], [signals - 2, auctions - 1]);
  });

  it('is of what was read before the wish and written after it, before that is published', async () => {
    const { knex } = app.database;
    const { list, recheck } = await openSuppressions();
    await app.pipeline.publish('all');
    await knex.raw('create table written_later as table published_records');
    await knex('published_records').delete();
    await list.suppressAddress(address, reason);
    await knex.raw('insert into published_records table written_later');
    await app.pipeline.refresh();
    await recheck(1);
    await app.pipeline.refresh();
    assert.deepEqual(await countShown(), [2, 1, 1, 3], 'a version that knows of the takedown is not looked at');
    await recheck(0);
    await app.pipeline.refresh();
    assert.deepEqual(await countShown(), [1, 0, 0, 0]);
  });

  it('is of no version that was being written when it was wished', async () => {
    let wished: Promise<void> | undefined;
    await app.pipeline.publish('all', {
      onProgress: () => void (wished ??= app.pipeline.suppress({ address, reason })),
    });
    assert.ok(wished);
    await wished;
    assert.deepEqual(await countShown(), [1, 0, 0, 0]);
  });

  it('is not undone by a publication of what changed that had begun before', async () => {
    await app.pipeline.publish('all');
    await readCounty('23456.78');
    let wished: Promise<void> | undefined;
    await app.pipeline.publish('changed', {
      onProgress: () => void (wished ??= app.pipeline.suppress({ address, reason })),
    });
    assert.ok(wished);
    await wished;
    assert.deepEqual(await countShown(), [1, 0, 0, 0]);
  });

  it('is left out of the next publication, also of one of what changed alone, and published once', async () => {
    await app.pipeline.publish('all');
    await app.pipeline.suppress({ address, reason });
    const { retired, signals, auctions, leads } = await app.pipeline.publish('changed');
    assert.deepEqual([retired, signals, auctions, leads], [1, 1, 1, 3]);
    for (const name of names) assert.equal(app.feeds[name].hasTakedowns(), false, name);
    assert.equal(await app.pipeline.publishIfBehind(), undefined);
    assert.deepEqual(await countShown(), [1, 0, 0, 0]);
  });

  it('of a source that an operator removed ends when it is restored', async () => {
    await app.pipeline.publish('all');
    await app.pipeline.setSourceRemoved('others', true);
    assert.deepEqual(await countShown(), [1, 1, 1, 3]);
    await app.pipeline.setSourceRemoved('others', false);
    assert.deepEqual(await countShown(), [2, 1, 1, 3]);
  });
});
