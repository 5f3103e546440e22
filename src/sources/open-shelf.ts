import type { IngestOptions } from './ingest-run.js';
import type { Shelf } from './shelf.js';
import { createAuctionShelf } from './shelves/auction-shelf.js';
import { createListingShelf } from './shelves/listing-shelf.js';
import { createParcelShelf } from './shelves/parcel-shelf.js';
import { createRentShelf } from './shelves/rent-shelf.js';
import { createSignalShelf } from './shelves/signal-shelf.js';
import type { Delivered, DeliveryKind, Source } from './source.js';

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
