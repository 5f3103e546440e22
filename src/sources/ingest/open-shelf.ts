import type { IngestOptions } from './ingest-run.js';
import type { Shelf } from './shelf.js';
import { createAuctionShelf } from './sinks/auction-shelf.js';
import { createListingShelf } from './sinks/listing-shelf.js';
import { createParcelShelf } from './sinks/parcel-shelf.js';
import { createRentShelf } from './sinks/rent-shelf.js';
import { createSignalShelf } from './sinks/signal-shelf.js';
import type { Delivered, DeliveryKind, Source } from '../source.js';

type OpenShelf<K extends DeliveryKind> = (
  source: Pick<Source<K>, 'name' | 'licence'>,
  options: IngestOptions,
) => Shelf<Delivered[K]>;

const shelves: { readonly [K in DeliveryKind]: OpenShelf<K> } = {
  listings: createListingShelf,
  signals: createSignalShelf,
  auctions: createAuctionShelf,
  parcels: createParcelShelf,
  rents: createRentShelf,
};

/** Where the rows of a source are kept, by what it delivers. */
export function openShelf<K extends DeliveryKind>(source: Source<K>, options: IngestOptions): Shelf<Delivered[K]> {
  return shelves[source.delivers](source, options);
}
