import { findCountyOfPlace } from '../../src/metros/find-county-of-place.js';
import { identifyByAddress } from '../../src/listings/identify-by-address.js';
import type { ObservedAuction } from '../../src/auctions/auction.js';
import type { ObservedSignal } from '../../src/signals/signal.js';
import { ingestSource } from '../../src/sources/ingest-source.js';
import type { Licence } from '../../src/sources/source.js';
import { createScriptedDelivery } from '../sources/scripted-delivery.js';
import type { TestApp } from './app.js';

const licence: Licence = {
  class: 'demonstration',
  mayStore: true,
  mayResell: true,
  attribution: 'Fictional county records',
};

/** Has an app read signals and auctions from a county, through the ingest, and publish them. */
export async function deliverCountyRecords(
  app: TestApp,
  { signals = [], auctions = [] }: { signals?: readonly ObservedSignal[]; auctions?: readonly ObservedAuction[] },
): Promise<void> {
  const options = {
    knex: app.database.knex,
    identify: identifyByAddress,
    countyOf: findCountyOfPlace,
    now: app.now,
    acceptShrink: true,
  };
  const signalSource = createScriptedDelivery('signals', { name: 'county-signals', licence });
  signalSource.deliver({ pages: [signals] });
  const auctionSource = createScriptedDelivery('auctions', { name: 'county-auctions', licence });
  auctionSource.deliver({ pages: [auctions] });
  await ingestSource(signalSource, options);
  await ingestSource(auctionSource, options);
  await app.work.publish(undefined, true);
}
