import { v5 } from 'uuid';
import { identifyAuction } from '../../counties/auctions/auction-identity.js';
import {
  mergeAuctions,
  findAuctionIds,
  removeAuctions,
  retireAuctions,
} from '../../counties/auctions/merge-auctions.js';
import { mergeParcels, findParcelIds, removeParcels, retireParcels } from '../../counties/parcels/merge-parcels.js';
import { identifyParcel } from '../../counties/parcels/parcel-identity.js';
import {
  mergeSignals,
  findSignalIds,
  removeSignals,
  resolveMissing,
  retireSignals,
} from '../../counties/signals/merge-signals.js';
import { identifySignal } from '../../counties/signals/signal.js';
import { findTimeZone } from '../../places/metros/counties.js';
import { leaveOutFields } from '../../policy/leave-out-fields.js';
import { mergeRents } from '../../underwriting/rents/merge-rents.js';
import type { IngestOptions } from './ingest-run.js';
import { createListingSink } from './listing-sink.js';
import type { NotIdentified, Sink } from './sink.js';
import type { Delivered, DeliveryKind, Source } from '../source.js';

const weekMs = 7 * 24 * 3600 * 1000;
/** For ids that only distinguish one rent from another within a run. */
const rentNamespace = '0b8c9f63-7c39-4a53-8f0c-2f7f4f1f6a11';
const noParcel: NotIdentified = { reject: 'missing_parcel', detail: 'parcelId: a parcel number is expected.' };
const noCounty: NotIdentified = {
  reject: 'invalid_value',
  detail: 'countyFips: the five digits of a county are expected.',
};

type OpenSink<K extends DeliveryKind> = (
  source: Pick<Source<K>, 'name' | 'licence' | 'tellsChanges'>,
  options: IngestOptions,
) => Sink<Delivered[K]>;

const sinks: { readonly [K in DeliveryKind]: OpenSink<K> } = {
  listings: createListingSink,
  signals: ({ name: sourceName }, { knex, chunkRows = 100 }) => ({
    chunkRows,
    renewRawAfterMs: weekMs,
    keysAreUnique: false,
    identify: (observed) => identifySignal(observed) ?? noParcel,
    keep: ({ observedAt, rows }) => mergeSignals(knex, { sourceName, observedAt, signals: rows }),
    keepUnread: (_runId, keys) => findSignalIds(knex, sourceName, keys),
    retire: (run) => retireSignals(knex, { sourceName, ...run }),
    retireUnchanged: (at) => resolveMissing(knex, sourceName, at),
    remove: (keys, at) => removeSignals(knex, sourceName, keys, at),
  }),
  // Identified by displayed fields alone: an id made of any other case number would reveal it.
  auctions: ({ name: sourceName, licence: { undisplayedFields = [] } }, { knex }) => ({
    chunkRows: 100,
    renewRawAfterMs: 0,
    keysAreUnique: true,
    identify: (observed) =>
      findTimeZone(observed.countyFips) === undefined
        ? noCounty
        : identifyAuction(sourceName, leaveOutFields(observed, undisplayedFields)),
    keep: ({ observedAt, rows }) => mergeAuctions(knex, { sourceName, observedAt, auctions: rows }),
    keepUnread: (_runId, keys) => findAuctionIds(knex, sourceName, keys),
    retire: (run) => retireAuctions(knex, { sourceName, ...run }),
    remove: (keys, at) => removeAuctions(knex, sourceName, keys, at),
  }),
  parcels: ({ name: sourceName }, { knex, chunkRows = 100 }) => ({
    chunkRows,
    renewRawAfterMs: weekMs,
    keysAreUnique: false,
    identify: (observed) => identifyParcel(observed) ?? noParcel,
    keep: ({ rows, ...reading }) => mergeParcels(knex, { sourceName, ...reading, parcels: rows }),
    keepUnread: (_runId, keys) => findParcelIds(knex, sourceName, keys),
    retire: ({ at, seen, unread }) =>
      retireParcels(knex, { sourceName, at, isShown: (id) => seen.has(id) || unread.has(id) }),
    remove: (keys, at) => removeParcels(knex, sourceName, keys, at),
  }),
  // A source's own figure of the same area and year is replaced; none is ever retired.
  rents: ({ name: sourceName }, { knex }) => ({
    chunkRows: 100,
    renewRawAfterMs: weekMs,
    keysAreUnique: false,
    identify: ({ areaKind, areaCode, fiscalYear, area }) => ({
      id: v5(`${areaKind}:${areaCode}:${fiscalYear}:${area}`, rentNamespace),
    }),
    async keep({ observedAt, rows }) {
      await mergeRents(knex, { sourceName, observedAt, rents: rows.map(({ observed }) => observed) });
      return { created: 0 };
    },
    keepUnread: async () => [],
    retire: async () => 0,
    remove: async () => 0,
  }),
};

/** The sink of a source, by what it delivers. */
export function openSink<K extends DeliveryKind>(source: Source<K>, options: IngestOptions): Sink<Delivered[K]> {
  return sinks[source.delivers](source, options);
}
