import assert from 'node:assert/strict';
import { known } from '../../src/absence.js';
import { readRendered } from '../../src/contract/rendered.js';
import type { ObservedListing } from '../../src/listings/listing.js';
import type { ObservedSignal } from '../../src/counties/signals/signal.js';
import { observe } from '../listings/observation.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { clock } from '../sources/ingest/scripted-source.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { cutOffLeads } from '../support/cut-off-leads.js';
import { readSource } from '../support/read-source.js';

const startedAt = Date.parse('2026-11-02T08:00:00.000Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('a publication of changes', () => {
  let app: TestApp;
  let nowMs = startedAt;
  const listings = createScriptedDelivery('listings', { name: 'broker' });
  const signals = createScriptedDelivery('signals', { name: 'county' });

  beforeEach(async () => {
    nowMs = startedAt;
    app = await startTestApp({ withData: false, now: () => new Date(nowMs) });
    await read(offers(), []);
    await app.pipeline.publish('all');
    // On the next day each deal is one day older and its price was seen again, so every reading is published.
    nowMs += dayMs;
    await read([], []);
    await app.pipeline.publish('day');
    nowMs += hourMs;
  });
  afterEach(() => app.stop());

  /** Ten properties of one county with the same advertised cap rate, so that the county's median is stable. */
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

  /** The broker delivers only changes, the county all debts. */
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

  /** Publishes the changes, then everything, which must change only when each deal was last seen. */
  async function publishChanged() {
    const report = await app.pipeline.publish('changed');
    const before = await readDeals();
    const { retired, signals: counted } = await app.pipeline.publish('day');
    assert.deepEqual({ retired, counted }, { retired: 0, counted: 0 });
    assert.deepEqual(await readDeals(), before);
    return report;
  }

  /** All published deals, without the times at which they and their figures were last seen. */
  async function readDeals(): Promise<unknown> {
    if (app.feeds.deals.current().records.length === 0) return [];
    const { body } = await app.feeds.deals.page('full', { filter: {}, limit: 100 });
    const seen = new Set(['as_of', 'last_verified', 'retrieved_at']);
    return JSON.parse(JSON.stringify(readRendered(body), (name, value: unknown) => (seen.has(name) ? '' : value)));
  }

  it('processes no deal when nothing has changed', async () => {
    await read([], []);
    const { active, changed, retired } = await app.pipeline.publish('changed');
    assert.deepEqual({ active, changed, retired }, { active: 0, changed: 0, retired: 0 });
  });

  it('underwrites and publishes a changed price, with the result of a full publication, and nothing else', async () => {
    const [first] = offers();
    assert.ok(first);
    await read([{ ...first, listPrice: known('350000.00') }], []);
    const { active, changed } = await publishChanged();
    assert.deepEqual({ active, changed }, { active: 1, changed: 1 });
  });

  it('underwrites every deal after a change of interest rates or assumptions, once', async () => {
    await app.database.knex('underwritten').update({ assumptions: 'uw-1.0.0' });
    assert.equal((await app.pipeline.publish('changed')).active, 10);
    nowMs += hourMs;
    assert.equal((await app.pipeline.publish('changed')).active, 0);
  });

  it('publishes a new listing and retires a missing one', async () => {
    const [gone] = offers();
    assert.ok(gone);
    await read([{ ...gone, sourceKey: 'b10', address: known('11 Example Ave') }], [], [gone.sourceKey]);
    const { changed, retired } = await publishChanged();
    assert.deepEqual({ changed, retired }, { changed: 1, retired: 1 });
  });

  it('publishes a deal when its property gets a county record, and again when that is resolved', async () => {
    await read([], [observeSignal({ address: known('3 Example Ave') })]);
    const came = await publishChanged();
    assert.deepEqual([came.active, came.changed, came.signals], [1, 1, 1]);
    // A debt missing from the complete readings of two days is resolved.
    await read([], []);
    // Less than two days after the underwriting, before all are repeated.
    nowMs += 22 * hourMs;
    await app.pipeline.publish('day');
    nowMs += hourMs;
    await read([], []);
    const went = await publishChanged();
    assert.deepEqual([went.active, went.changed, went.signals], [1, 1, 1]);
  });

  it('checks a deal again when another candidate for its county record appears or disappears', async () => {
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

  it('publishes the leads that an interrupted publication has missed', async () => {
    await read([], [observeSignal({ address: known('3 Example Ave') })]);
    const letThrough = await cutOffLeads(app.database.knex);
    await assert.rejects(app.pipeline.publish('changed'), /cut off/);
    await letThrough();
    nowMs += hourMs;
    assert.equal((await app.pipeline.publish('changed')).leads, 2, 'the debt and the deal that it matches');
    nowMs += hourMs;
    const { active, leads } = await publishChanged();
    assert.deepEqual({ active, leads }, { active: 0, leads: 0 });
  });

  it('takes down all deals of a source whose licence has ended', async () => {
    await app.database.knex('sources').where({ name: 'broker' }).update({ may_resell: false, changed_at: app.now() });
    const { retired } = await publishChanged();
    assert.equal(retired, 10);
  });

  it('replaces the report inputs of changed deals, and keeps the others', async () => {
    const [first] = offers();
    assert.ok(first);
    await read([{ ...first, listPrice: known('350000.00') }], []);
    const { version } = await app.pipeline.publish('changed');
    const written = await app.database.knex('report_inputs').where({ version }).select('inputs');
    assert.equal(written.length, 1);
    assert.match(written[0].inputs, /"350000\.00"/);
  });
});
