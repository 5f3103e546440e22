import type { ObservedAuction } from '../../src/auctions/auction.js';
import type { ObservedSignal } from '../../src/signals/signal.js';
import type { Licence } from '../../src/sources/source.js';
import { createScriptedDelivery } from '../sources/scripted-delivery.js';
import type { App } from '../../src/app.js';
import { observeAuction } from '../auctions/observed-auction.js';
import { observeSignals } from '../signals/observed-signal.js';
import { readSource } from './read-source.js';

const licence: Licence = {
  class: 'demonstration',
  mayStore: true,
  mayResell: true,
  attribution: 'Fictional county records',
};

const dayMs = 86_400_000;

/** Has an app read fictional signals, enough to sell each as a lead once, and a sale that is still to come. */
export async function readSomeCountyRecords(app: App): Promise<void> {
  const saleDate = new Date(app.now().getTime() + 30 * dayMs).toISOString().slice(0, 10);
  await readCountyRecords(app, { signals: observeSignals(60), auctions: [observeAuction({ saleDate })] });
}

/** Has an app read signals and auctions of a county, through the ingest. */
export async function readCountyRecords(
  app: App,
  { signals = [], auctions = [] }: { signals?: readonly ObservedSignal[]; auctions?: readonly ObservedAuction[] },
): Promise<void> {
  const signalSource = createScriptedDelivery('signals', { name: 'county-signals', licence });
  signalSource.deliver({ pages: [signals] });
  const auctionSource = createScriptedDelivery('auctions', { name: 'county-auctions', licence });
  auctionSource.deliver({ pages: [auctions] });
  await readSource(app, signalSource);
  await readSource(app, auctionSource);
}
