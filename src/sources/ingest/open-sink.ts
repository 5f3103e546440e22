import type { IngestOptions } from './ingest-run.js';
import type { Sink } from './sink.js';
import { createAuctionSink } from './sinks/auction-sink.js';
import { createListingSink } from './sinks/listing-sink.js';
import { createParcelSink } from './sinks/parcel-sink.js';
import { createRentSink } from './sinks/rent-sink.js';
import { createSignalSink } from './sinks/signal-sink.js';
import type { Delivered, DeliveryKind, Source } from '../source.js';

type OpenSink<K extends DeliveryKind> = (
  source: Pick<Source<K>, 'name' | 'licence'>,
  options: IngestOptions,
) => Sink<Delivered[K]>;

const sinks: { readonly [K in DeliveryKind]: OpenSink<K> } = {
  listings: createListingSink,
  signals: createSignalSink,
  auctions: createAuctionSink,
  parcels: createParcelSink,
  rents: createRentSink,
};

/** Where the rows of a source are kept, by what it delivers. */
export function openSink<K extends DeliveryKind>(source: Source<K>, options: IngestOptions): Sink<Delivered[K]> {
  return sinks[source.delivers](source, options);
}
