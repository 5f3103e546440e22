import assert from 'node:assert/strict';
import type { Event, EventList, Problem } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import type { ObservedAuction } from '../../src/counties/auctions/auction.js';
import type { ObservedListing } from '../../src/listings/listing.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observe } from '../listings/observation.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';
import { readSource } from '../support/read-source.js';

/** A shop of events for each test, and the offers of two sources that it publishes. */
export function openEventsShop() {
  let app: TestApp;
  let settler: InstantSettler;
  const clock = { aheadMs: 0 };
  const now = (): Date => new Date(Date.now() + clock.aheadMs);
  const listings = createScriptedDelivery('listings', { name: 'broker', now });
  const sales = createScriptedDelivery('auctions', { name: 'sheriff', now });

  beforeEach(async () => {
    clock.aheadMs = 0;
    settler = createInstantSettler();
    app = await startTestApp({ withData: false, settler, now });
  });
  afterEach(() => app.stop());

  function offer(number: number, overrides: Partial<ObservedListing> = {}): ObservedListing {
    const [address, price] = [known(`${number} Example Ave`), known('400000.00')];
    return observe({ sourceKey: `b${number}`, address, listPrice: price, capRate: known('9.50'), ...overrides });
  }
  const priced = (number: number, price: string) => offer(number, { listPrice: known(price) });
  const inDays = (days: number) => new Date(now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const sale = (number: number, overrides: Partial<ObservedAuction> = {}) =>
    observeAuction({ sourceKey: `a${number}`, caseNumber: known(`CV-${number}`), saleDate: inDays(20), ...overrides });

  async function publish(deals: readonly ObservedListing[], auctions: readonly ObservedAuction[] = []): Promise<void> {
    listings.deliver({ pages: [[...deals]] });
    sales.deliver({ pages: [[...auctions]] });
    await readSource(app, listings);
    await readSource(app, sales);
    await app.pipeline.publish('all');
  }

  const urlOf = (query: string) => `${app.url}/api/events?${query}`;

  async function buyEvents(query = ''): Promise<EventList> {
    const reply = await buy(urlOf(query));
    assert.equal(reply.status, 200, await reply.clone().text());
    return (await reply.json()) as EventList;
  }

  /** The problem of a paid call, which must be unbilled. */
  async function refused(query: string, status = 404) {
    const before = settler.settled.length;
    const reply = await buy(urlOf(query));
    const problem = (await reply.json()) as Problem;
    assert.deepEqual([reply.status, problem.billed, settler.settled.length], [status, false, before]);
    return problem;
  }

  const brief = ({ event, before, after, change_pct: change }: Event) => [event, before, after, change];

  return { app: () => app, clock, now, inDays, offer, priced, sale, publish, urlOf, buyEvents, refused, brief };
}
