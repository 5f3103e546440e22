import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Report } from '../../generated/types.gen.js';
import { readRendered } from '../../src/contract/rendered.js';
import { startTestApp } from '../support/app.js';
import { createInstantSettler } from '../support/instant-settler.js';
import { askPrice, signPayment } from '../support/pay.js';
import { anySteps, cutOff, license, read, suppress, type Stage, type Step } from './publication-steps.js';
import { centsOf, createWorld, places } from './publication-world.js';
import { deep } from '../support/depth.js';

const minuteMs = 60_000;
/** Short enough that no deal or lead changes with its age. */
const mostMinutes = 5 * 24 * 60;

const steady: Step = {
  do: 'read',
  name: 'steady',
  changes: [['k0', { place: 4, naming: 'full', hasParcel: false, figure: 0 }]],
};

const feedNames = ['deals', 'signals', 'auctions', 'leads'] as const;
type FeedName = (typeof feedNames)[number];
type Shown = Readonly<Record<string, unknown>> & { readonly id: string };
type Pages = Readonly<Record<FeedName, readonly Shown[]>>;

/** Random histories of sources, licences and suppressions, compared with a reference model of the shown records. */
describe('publications in any order', () => {
  it('show the offered records, with the result of a full publication, and nothing under takedown', async function () {
    const property = fc.asyncProperty(anySteps, async (steps) => {
      let nowMs = Date.parse('2026-11-02T08:00:00.000Z');
      const now = () => new Date(nowMs);
      const app = await startTestApp({ withData: false, now, settler: createInstantSettler() });
      const stage = { app, world: createWorld(() => nowMs) };
      let waited = 0;
      try {
        for (const step of [steady, ...steps, { do: 'compare' } as const]) {
          nowMs += minuteMs;
          if (step.do === 'wait' && waited + step.minutes <= mostMinutes) {
            waited += step.minutes;
            nowMs += step.minutes * minuteMs;
          }
          await take(stage, step);
          await expectNothingTakenDown(stage);
        }
      } finally {
        await app.stop();
      }
    });
    // Reduced by hand, since shrinking takes minutes.
    await fc.assert(property, { numRuns: deep(5, 2), endOnFailure: true });
  });
});

async function take(stage: Stage, step: Step): Promise<void> {
  const { pipeline } = stage.app;
  switch (step.do) {
    case 'read':
      return read(stage, step);
    case 'suppress':
      return suppress(stage, step);
    case 'license':
      return license(stage, step);
    case 'wait':
      return;
    case 'publish':
      await pipeline.publish(step.extent);
      await expectOffered(stage);
      return;
    case 'cut off':
      return cutOff(stage, step);
    case 'publish takedowns':
      if ((await pipeline.publishIfBehind()) !== undefined) await expectOffered(stage);
      assert.equal(await pipeline.publishIfBehind(), undefined);
      return;
    case 'compare':
      return compare(stage);
  }
}

/** Publishes the changes, then everything in two steps, which must change only ages. */
async function compare(stage: Stage): Promise<void> {
  const { pipeline } = stage.app;
  await pipeline.publish('changed');
  const changed = await expectOffered(stage);
  const { retired, signals, auctions } = await pipeline.publish('day');
  assert.deepEqual({ retired, signals, auctions }, { retired: 0, signals: 0, auctions: 0 });
  const day = await expectOffered(stage);
  assert.deepEqual(ageless(day), ageless(changed));
  await pipeline.publish('all');
  assert.deepEqual(ageless(await expectOffered(stage)), ageless(day));
}

/** Times of observation, and fields that depend on elapsed time or a second reading. */
const ageing = new Set([
  'as_of',
  'last_verified',
  'retrieved_at',
  'last_seen',
  'observed_at',
  'confidence_score',
  'days_on_feed',
  'price_reduction_pct',
  'urgency',
]);

/** By feed and id. */
function ageless(pages: Pages): unknown {
  const feeds = feedNames.map((name) => [name, Object.fromEntries(pages[name].map((each) => [each.id, each]))]);
  return withoutAge(Object.fromEntries(feeds));
}

function withoutAge(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, each: unknown) => (ageing.has(name) ? undefined : each)));
}

async function readPages({ app }: Stage): Promise<Pages> {
  const pages: [FeedName, readonly Shown[]][] = [];
  for (const name of feedNames) pages.push([name, await readFeed(app, name)]);
  return Object.fromEntries(pages) as Pages;
}

async function readFeed({ feeds }: Stage['app'], name: FeedName, version?: number): Promise<readonly Shown[]> {
  // All are asked without filters.
  const feed = feeds[name] as typeof feeds.signals;
  if (feed.current().records.length === 0) return [];
  const { body } = await feed.page('full', { filter: {}, limit: 100, ...(version !== undefined && { version }) });
  return readRendered(body) as unknown as readonly Shown[];
}

/** After a publication: the required records are there, no others are, and each lead equals its record. */
async function expectOffered(stage: Stage): Promise<Pages> {
  const { app, world } = stage;
  const pages = await readPages(stage);
  for (const [feed, kind] of [
    ['deals', 'listings'],
    ['signals', 'signals'],
    ['auctions', 'auctions'],
  ] as const) {
    const { sure, possible } = world.offered(kind);
    const ids = new Set(pages[feed].map(({ id }) => id));
    for (const id of sure) assert.ok(ids.has(id), `${id} is missing in ${feed}`);
    for (const record of pages[feed]) assert.ok(possible.has(record.id), `${feed} show ${JSON.stringify(record)}`);
  }
  for (const name of feedNames) assert.equal(app.feeds[name].hasTakedowns(), false, name);
  const leads = new Map(pages.leads.map((lead) => [lead.id, lead]));
  for (const { id, has_address: isPlaced } of pages.signals) assert.equal(leads.has(id), isPlaced, `lead ${id}`);
  for (const sale of pages.auctions) assert.equal(leads.has(sale.id), isToCome(sale), `lead ${sale.id}`);
  for (const record of [...pages.deals, ...pages.signals, ...pages.auctions]) {
    const lead = leads.get(record.id);
    if (lead === undefined) continue;
    const common = Object.fromEntries(Object.keys(record).map((name) => [name, lead[name]]));
    assert.deepEqual(withoutAge(common), withoutAge(record));
  }
  return pages;
}

function isToCome({ property_address: address, sale_status: status, sale_date: day }: Shown): boolean {
  return address !== null && status !== 'cancelled' && String(day) > '2026-11-30';
}

/**
 * At any time: no reply mentions a suppressed property or a source with an ended licence, and no lead lacks its record.
 */
async function expectNothingTakenDown(stage: Stage): Promise<void> {
  const { app, world } = stage;
  const pages = await readPages(stage);
  const records = new Set([...pages.deals, ...pages.signals, ...pages.auctions].map(({ id }) => id));
  for (const { id } of pages.leads) assert.ok(records.has(id), `the lead ${id} has no record`);
  const before = feedNames.map((name) => readFeed(app, name, app.feeds[name].current().version - 1));
  const { samples } = (await (await fetch(`${app.url}/api/meta`)).json()) as { samples: unknown };
  const reports = !app.feeds.deals.hasTakedowns() ? [] : await readReports(stage, pages);
  const text = JSON.stringify([pages, await Promise.all(before), samples, reports]);
  for (const source of world.sources.values()) {
    const { name, licence } = source;
    const isEnded = !world.isInForce(source);
    const undisplayed = new Set(licence.undisplayedFields);
    if (isEnded) assert.ok(!text.includes(`"source":"${name}"`), `${name} is the source of a record`);
    if (isEnded || undisplayed.has('listingUrl'))
      assert.ok(!text.includes(`//${name}.example.com`), `${name} is named`);
    const cents = centsOf[name];
    if (cents === undefined || !(isEnded || undisplayed.has('listPrice'))) continue;
    const prices = new RegExp(`"(?:list_price|median)":"\\d+\\${cents}"`);
    assert.ok(!prices.test(text), `a price of ${name} is told`);
  }
  for (const { place, by } of world.suppressed) {
    const { street, bare, parcel } = places[place] ?? assert.fail();
    const told = by === 'address' ? [`"${street}"`, `"${bare}"`] : [`"${parcel}"`];
    for (const name of told) assert.ok(!text.includes(name), `${name} is suppressed`);
  }
}

async function readReports({ app }: Stage, { deals }: Pages): Promise<readonly (Report | string)[]> {
  const validAfter = BigInt(Math.floor(app.now().getTime() / 1000) - 60);
  const reports: (Report | string)[] = [];
  for (const { id } of deals) {
    const url = `${app.url}/api/deals/${id}/report`;
    const signature = await signPayment(await askPrice(url), { validAfter, validBefore: validAfter + 300n });
    const reply = await fetch(url, { headers: { 'PAYMENT-SIGNATURE': signature } });
    reports.push(reply.ok ? ((await reply.json()) as Report) : reply.statusText);
  }
  return reports;
}
