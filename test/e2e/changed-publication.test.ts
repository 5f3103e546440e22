import assert from 'node:assert/strict';
import { known } from '../../src/absence.js';
import { readRendered } from '../../src/contract/rendered.js';
import type { ObservedListing } from '../../src/listings/listing.js';
import type { ObservedSignal } from '../../src/counties/signals/signal.js';
import { observe } from '../listings/observation.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { createScriptedDelivery } from '../sources/scripted-delivery.js';
import { clock } from '../sources/scripted-source.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { cutOffLeads } from '../support/cut-off-leads.js';
import { readSource } from '../support/read-source.js';

const startedAt = Date.parse('2026-11-02T08:00:00.000Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('a publication of what changed', () => {
  let app: TestApp;
  let nowMs = startedAt;
  const listings = createScriptedDelivery('listings', { name: 'broker' });
  const signals = createScriptedDelivery('signals', { name: 'county' });

  beforeEach(async () => {
    nowMs = startedAt;
    app = await startTestApp({ withData: false, now: () => new Date(nowMs) });
    await read(offers(), []);
    await app.work.publish('all');
    // On the next day each deal is a day longer on the feed, and its price was seen again: all that came is surely
    // published.
    nowMs += dayMs;
    await read([], []);
    await app.work.publish('day');
    nowMs += hourMs;
  });
  afterEach(() => app.stop());

  /** Ten properties of one county that all advertise the same cap rate: the county's median stays as it is. */
  function offers(): ObservedListing[] {
    return Array.from({ length: 10 }, (_, index) =>
      observe({
        sourceKey: `b${index}`,
        address: known(`${index + 1} Example Ave`),
        city: 'Cleveland',
        state: 'OH',
        zip: known('44105'),
        listPrice: known('400000.00'),
        units: known(4),
        capRate: known('9.50'),
      }),
    );
  }

  /** The broker tells what has changed alone, the county all that is owed. */
  async function read(
    offered: readonly ObservedListing[],
    owing: readonly ObservedSignal[],
    removedKeys: readonly string[] = [],
  ): Promise<void> {
    clock.now = new Date(nowMs);
    listings.deliver({ pages: [offered], removedKeys, watermark: String(nowMs) });
    signals.deliver({ pages: [owing] });
    await readSource(app, listings, undefined, false);
    await readSource(app, signals);
  }

  /** Publishes what changed, and then all, which must find nothing to add but when each deal was seen last. */
  async function publishChanged() {
    const report = await app.work.publish('changed');
    const before = await readDeals();
    const { retired, signals: counted } = await app.work.publish('day');
    assert.deepEqual({ retired, counted }, { retired: 0, counted: 0 });
    assert.deepEqual(await readDeals(), before);
    return report;
  }

  /** All deals that are published, without when they and their figures were seen last. */
  async function readDeals(): Promise<unknown> {
    if (app.feeds.deals.current().records.length === 0) return [];
    const { body } = await app.feeds.deals.page('full', { filter: {}, limit: 100 });
    const seen = new Set(['as_of', 'last_verified', 'retrieved_at']);
    return JSON.parse(JSON.stringify(readRendered(body), (name, value: unknown) => (seen.has(name) ? '' : value)));
  }

  it('looks at no deal when nothing has changed', async () => {
    await read([], []);
    const { underwritten, active, changed, retired } = await app.work.publish('changed');
    assert.deepEqual(
      { underwritten, active, changed, retired },
      { underwritten: 0, active: 0, changed: 0, retired: 0 },
    );
  });

  it('underwrites and publishes a changed price, as publishing all would, and nothing else', async () => {
    const [first] = offers();
    assert.ok(first);
    await read([{ ...first, listPrice: known('350000.00') }], []);
    const { underwritten, active, changed } = await publishChanged();
    assert.deepEqual({ underwritten, active, changed }, { underwritten: 1, active: 1, changed: 1 });
  });

  it('publishes a new listing and retires one that is gone', async () => {
    const [gone] = offers();
    assert.ok(gone);
    await read([{ ...gone, sourceKey: 'b10', address: known('11 Example Ave') }], [], [gone.sourceKey]);
    const { underwritten, changed, retired } = await publishChanged();
    assert.deepEqual({ underwritten, changed, retired }, { underwritten: 1, changed: 1, retired: 1 });
  });

  it('publishes the deal whose property a county record came to, and again when that is resolved', async () => {
    await read([], [observeSignal({ address: known('3 Example Ave') })]);
    const came = await publishChanged();
    assert.deepEqual([came.active, came.changed, came.signals], [1, 1, 1]);
    // What is missing from the complete reads of two days is resolved.
    await read([], []);
    // Not two days after the figures were made: then all are made anew.
    nowMs += 22 * hourMs;
    await app.work.publish('day');
    nowMs += hourMs;
    await read([], []);
    const went = await publishChanged();
    assert.deepEqual([went.active, went.changed, went.signals], [1, 1, 1]);
  });

  it('looks again at a deal when another comes or goes that a county record may be meant for', async () => {
    const owing = [observeSignal({ address: known('3 Example') })];
    await read([], owing);
    assert.equal((await publishChanged()).changed, 1);
    const [first] = offers();
    assert.ok(first);
    nowMs += hourMs;
    await read([{ ...first, sourceKey: 'b10', address: known('3 Example St') }], owing);
    assert.equal((await publishChanged()).changed, 2);
    nowMs += hourMs;
    await read([], owing, ['b10']);
    assert.equal((await publishChanged()).changed, 1);
  });

  it('makes good for leads what a publication that was cut off before them has missed', async () => {
    await read([], [observeSignal({ address: known('3 Example Ave') })]);
    const letThrough = await cutOffLeads(app.database.knex);
    await assert.rejects(app.work.publish('changed'), /cut off/);
    await letThrough();
    nowMs += hourMs;
    assert.equal((await app.work.publish('changed')).leads, 2, 'the debt and the deal that it matches');
    nowMs += hourMs;
    const { active, leads } = await publishChanged();
    assert.deepEqual({ active, leads }, { active: 0, leads: 0 });
  });

  it('withdraws all deals of a source whose licence has ended', async () => {
    await app.database.knex('sources').where({ name: 'broker' }).update({ may_resell: false, changed_at: app.now() });
    const { retired } = await publishChanged();
    assert.equal(retired, 10);
  });

  it('keeps the report inputs of what changed, and leaves the others', async () => {
    const [first] = offers();
    assert.ok(first);
    await read([{ ...first, listPrice: known('350000.00') }], []);
    const { version } = await app.work.publish('changed');
    const written = await app.database.knex('report_inputs').where({ version }).select('inputs');
    assert.equal(written.length, 1);
    assert.match(written[0].inputs, /"350000\.00"/);
  });
});
