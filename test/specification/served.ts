import assert from 'node:assert/strict';
import type { Auction, BasicDeal, Deal, DealIds, Lead, Meta, SignalList } from '../../generated/types.gen.js';
import { absent, known } from '../../src/absence.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observe } from '../listings/observation.js';
import { observeSignal } from '../counties/signals/observed-signal.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import { fillFeed, startTestApp, type TestApp } from '../support/app.js';
import { readCountyRecords } from '../support/county-records.js';
import { createInstantSettler, type InstantSettler } from '../support/instant-settler.js';
import { buy } from '../support/pay.js';
import { readSource } from '../support/read-source.js';

/** A running service with records of every product, and its replies. */
export interface Served {
  readonly app: TestApp;
  readonly settler: InstantSettler;
  readonly deals: readonly Deal[];
  readonly hotDeals: readonly Deal[];
  readonly basicDeals: readonly BasicDeal[];
  readonly ids: DealIds;
  readonly signals: SignalList;
  /** Including past sales. */
  readonly auctions: readonly Auction[];
  readonly leads: readonly Lead[];
  readonly meta: Meta;
  /** Buys at a path. Any reply except a 200 fails the test. */
  buyAt(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

const dayMs = 86_400_000;

/** Starts the service with the demonstration's listings as observed on two days, and fictional county records. */
export async function openServed(): Promise<Served> {
  const settler = createInstantSettler();
  let skewMs = -dayMs;
  const app = await startTestApp({ settler, withData: false, now: () => new Date(Date.now() + skewMs) });
  await fillFeed(app);
  skewMs = 0;
  await app.deliver(app.now());
  await app.pipeline.ingest(undefined, { delivers: ['listings'] });
  await readCountyRecords(app, countyRecords(app.now()));
  await readSource(app, atHotThreshold(app.now));
  await app.pipeline.publish('all');

  async function buyAt(path: string): Promise<unknown> {
    const reply = await buy(app.url + path);
    assert.equal(reply.status, 200, path);
    return reply.json();
  }
  const give = async (path: string): Promise<unknown> => (await fetch(app.url + path)).json();

  return {
    app,
    settler,
    deals: (await buyAt('/api/deals')) as Deal[],
    hotDeals: (await buyAt('/api/deals/hot')) as Deal[],
    basicDeals: (await buyAt('/api/deals/basic')) as BasicDeal[],
    ids: (await give('/api/deals/ids')) as DealIds,
    signals: (await buyAt('/api/signals')) as SignalList,
    auctions: (await buyAt('/api/auctions?include_past=true')) as Auction[],
    leads: (await buyAt('/api/leads')) as Lead[],
    meta: (await give('/api/meta')) as Meta,
    buyAt,
    stop: () => app.stop(),
  };
}

/** The city of two deals whose caps differ only by a hundredth of a percent, around the hot threshold. */
export const thresholdCity = 'Threshold';

function atHotThreshold(now: () => Date) {
  const source = createScriptedDelivery('listings', { name: 'threshold', now });
  const rows = ['8.49', '8.50'].map((cap, index) =>
    observe({ sourceKey: cap, city: thresholdCity, address: known(`${index + 1} Edge St`), capRate: known(cap) }),
  );
  source.deliver({ pages: [rows] });
  return source;
}

/** Records with and without the optional fields; past and upcoming sales. */
function countyRecords(now: Date) {
  const dayFromNow = (days: number): string => new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10);
  const signals = Array.from({ length: 24 }, (_, index) =>
    observeSignal({
      sourceKey: `s${index}`,
      parcelId: `200-30-${index}`,
      amount: `${(index * 7919) % 20_000}.${index + 10}`,
      address: index % 3 === 0 ? absent('not_stated_by_source') : known(`${index + 1} Example Ave`),
    }),
  );
  const auctions = [-40, -3, 3, 12, 25, 50].map((days, index) =>
    observeAuction({
      sourceKey: `a${index}`,
      caseNumber: known(`CV-26-${index}`),
      parcelId: known(`300-40-${index}`),
      address: known(`${index + 1} Sample St`),
      saleDate: dayFromNow(days),
      ...(index % 2 === 0 ? {} : { plaintiff: absent('not_published_by_source') }),
      ...(index % 3 === 0 ? { appraisedValue: absent('not_stated_by_source') } : {}),
    }),
  );
  return { signals, auctions };
}
