import type { Deal } from '../../generated/types.gen.js';
import { known } from '../../src/absence.js';
import type { ObservedAuction } from '../../src/counties/auctions/auction.js';
import type { ObservedSignal } from '../../src/counties/signals/signal.js';
import type { Licence } from '../../src/sources/source.js';
import { createScriptedDelivery } from '../sources/ingest/scripted-delivery.js';
import type { App } from '../../src/app.js';
import { observeAuction } from '../counties/auctions/observed-auction.js';
import { observeSignal, observeSignals } from '../counties/signals/observed-signal.js';
import { readSource } from './read-source.js';

const rights = { mayStore: true, mayResell: true, attribution: 'Fictional county records' };
const demonstration: Licence = { class: 'demonstration', ...rights };
/** True for records that are also sold where payments are real. */
export const licensed: Licence = { class: 'licensed', ...rights };

const dayMs = 86_400_000;

/** Has an app read fictional signals, enough to sell each as a lead once, and an upcoming auction. */
export async function readSomeCountyRecords(app: App, licence?: Licence): Promise<void> {
  const saleDate = new Date(app.now().getTime() + 30 * dayMs).toISOString().slice(0, 10);
  await readCountyRecords(app, { signals: observeSignals(60), auctions: [observeAuction({ saleDate })] }, licence);
}

/** Has an app ingest signals and auctions of a county. */
export async function readCountyRecords(
  app: App,
  { signals = [], auctions = [] }: { signals?: readonly ObservedSignal[]; auctions?: readonly ObservedAuction[] },
  licence: Licence = demonstration,
): Promise<void> {
  const signalSource = createScriptedDelivery('signals', { name: 'county-signals', licence, now: app.now });
  signalSource.deliver({ pages: [signals] });
  const auctionSource = createScriptedDelivery('auctions', { name: 'county-auctions', licence, now: app.now });
  auctionSource.deliver({ pages: [auctions] });
  await readSource(app, signalSource);
  await readSource(app, auctionSource);
}

/** Has an app read signals of a separate source, in addition to those of the county. */
export async function readMatchingSignals(app: App, signals: readonly ObservedSignal[]): Promise<void> {
  const source = createScriptedDelivery('signals', { name: 'matching-signals', licence: demonstration, now: app.now });
  source.deliver({ pages: [signals] });
  await readSource(app, source);
}

/** Tax debts on the properties of the first five deals with a known place. */
export function observeDebtsOn(deals: readonly Pick<Deal, 'address' | 'zip'>[]): ObservedSignal[] {
  const located = deals.filter(({ address, zip }) => address !== null && zip !== null).slice(0, 5);
  return located.map(({ address, zip }, index) =>
    observeSignal({
      sourceKey: `m${index}`,
      parcelId: `100-50-${index}`,
      address: known(address ?? ''),
      zip: known(zip ?? ''),
      sourceUrl: `https://county.example.com/m${index}`,
    }),
  );
}
