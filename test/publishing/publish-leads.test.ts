import assert from 'node:assert/strict';
import type { Figures } from '../../src/operator/socket/operator-commands.js';
import { randomBytes } from 'node:crypto';
import { absent, known } from '../../src/absence.js';
import type { ObservedAuction } from '../../src/counties/auctions/auction.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { dropListings } from '../support/drop-listings.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';

describe('the publication of leads', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ withData: false, settler: createInstantSettler() });
    dropListings(app.config.dropDirectory);
    await app.pipeline.ingest();
    await readCountyRecords(app, { signals: [observeSignal({ address: known('100 Example Ave') })] });
    await app.pipeline.publish('all');
  });
  after(() => app.stop());

  async function leadsOnSale(leadType: string): Promise<readonly string[]> {
    const leads = await buy(`${app.url}/api/leads?lead_type=${leadType}`);
    return leads.status === 404 ? [] : ((await leads.json()) as { id: string }[]).map(({ id }) => id);
  }

  async function holdLead(leadId: string, round = 1): Promise<void> {
    const key = { network: 'test', asset: randomBytes(20), payer: randomBytes(20), nonce: randomBytes(32) };
    const until = new Date(app.now().getTime() + 30 * 86_400_000);
    await app.database
      .knex('lead_holds')
      .insert({ lead_id: leadId, round, held_at: new Date(0), held_until: until, ...key });
  }

  const leadsShown = async () => (await app.feeds.leads.page('full', { filter: {}, limit: 10 })).ids.length;

  it('shows no lead of a deal that was taken down after the deals were read', async () => {
    assert.equal(await leadsShown(), 2, 'the debt, and the deal that it is of');
    let suppression: Promise<void> | undefined;
    const onProgress = ({ feed }: Figures): void => {
      if (feed === 'deals')
        suppression ??= app.pipeline.suppress({ address: '100 Example Ave, Cleveland, OH 44105', reason: 'asked' });
    };
    await app.pipeline.publish('all', { onProgress });
    await suppression;
    assert.notEqual(suppression, undefined);
    assert.equal(await leadsShown(), 0);
  });

  it('keeps a lead sold whose listing got another id, and one that was sold while it did', async () => {
    const debt = observeSignal({ address: known('300 Broker St'), parcelId: '300-1', sourceKey: '300-1/2026' });
    const leadsOf = async (street: string, sellMeanwhile?: () => Promise<void>): Promise<readonly string[]> => {
      dropListings(app.config.dropDirectory, `B-3,${street},Cleveland,OH,44105,300000,4,9.5`);
      await app.pipeline.ingest();
      await readCountyRecords(app, { signals: [debt] });
      let selling: Promise<void> | undefined;
      await app.pipeline.publish('all', {
        onProgress: ({ feed }) => {
          if (feed === 'deals') selling ??= sellMeanwhile?.();
        },
      });
      await selling;
      return leadsOnSale('motivated_listing');
    };
    const [first] = await leadsOf('300 Broker St');
    assert.ok(first);
    await holdLead(first);
    assert.deepEqual(await leadsOf('300 Broker St Apt 1'), []);
    const [second] = (await heldIds()).filter((id) => id !== first);
    assert.ok(second);

    assert.deepEqual(await leadsOf('300 Broker St Apt 2', () => holdLead(second, 2)), []);
    const others = (await heldIds()).filter((id) => id !== first && id !== second);
    assert.deepEqual([new Set(others).size, others.length], [1, 2]);
  });

  it('keeps what was sold meanwhile with the version that lets its former id go: no crash comes between', async () => {
    const { knex } = app.database;
    // Deferred: it looks when the transaction that moves the version commits.
    await knex.raw(`create table held_at_commit (ids uuid[]);
      create function note_held() returns trigger language plpgsql as $$ begin
        insert into held_at_commit select array(select distinct lead_id from lead_holds); return null; end $$;
      create constraint trigger note_held after update of version on feed_versions deferrable initially deferred
        for each row when (new.feed = 'leads') execute function note_held()`);
    const publishAs = async (street: string, sellMeanwhile?: () => Promise<void>): Promise<void> => {
      dropListings(app.config.dropDirectory, `B-5,${street},Cleveland,OH,44105,300000,4,9.5`);
      await app.pipeline.ingest();
      await readCountyRecords(app, {
        signals: [observeSignal({ address: known('500 Broker St'), parcelId: '500-1', sourceKey: '500-1/2026' })],
      });
      let selling: Promise<void> | undefined;
      await app.pipeline.publish('all', {
        onProgress: ({ feed }) => {
          if (feed === 'deals') selling ??= sellMeanwhile?.();
        },
      });
      await selling;
    };
    await publishAs('500 Broker St');
    const [former] = await leadsOnSale('motivated_listing');
    assert.ok(former);
    await knex('held_at_commit').delete();
    await publishAs('500 Broker St Apt 1', () => holdLead(former));
    const [noted] = await knex('held_at_commit').select<{ ids: readonly string[] }[]>('ids');
    const held = await heldIds();
    assert.ok(held.length > 1 && held.includes(former));
    assert.deepEqual([...(noted?.ids ?? [])].sort(), [...new Set(held)].sort());
    await knex.raw('drop trigger note_held on feed_versions; drop function note_held; drop table held_at_commit');
  });

  const heldIds = async () =>
    (await app.database.knex('lead_holds').select<{ lead_id: string }[]>('lead_id')).map(({ lead_id: id }) => id);

  it('keeps a lead sold whose sale got another id', async () => {
    const saleDate = new Date(app.now().getTime() + 20 * 86_400_000).toISOString().slice(0, 10);
    const sale = { saleDate, address: known('7 Sale St'), parcelId: known('7-7') };
    const readSale = async (caseNumber: ObservedAuction['caseNumber']): Promise<readonly string[]> => {
      await readCountyRecords(app, { auctions: [observeAuction({ ...sale, caseNumber })] });
      await app.pipeline.publish('all');
      return leadsOnSale('sheriff_sale_auction');
    };
    const [lead] = await readSale(absent('not_stated_by_source'));
    assert.ok(lead);
    await app.database.knex('lead_holds').delete();
    await holdLead(lead);
    assert.deepEqual(await readSale(known('CV-26-7')), []);
    assert.equal((await heldIds()).length, 2, 'under both ids');
  });
});
