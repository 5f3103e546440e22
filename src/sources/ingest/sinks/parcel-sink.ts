import { mergeParcels } from '../../../counties/parcels/merge-parcels.js';
import type { ObservedParcel } from '../../../counties/parcels/observed-parcel.js';
import { identifyParcel } from '../../../counties/parcels/parcel-identity.js';
import { findParcelIds, removeParcels, retireParcels } from '../../../counties/parcels/retire-parcels.js';
import type { IngestOptions } from '../ingest-run.js';
import type { Sink } from '../sink.js';
import type { Source } from '../../source.js';

const weekMs = 7 * 24 * 3600 * 1000;

/** Keeps the parcels of one county roll. */
export function createParcelSink(
  { name: sourceName }: Pick<Source<'parcels'>, 'name'>,
  { knex, chunkRows = 100 }: Pick<IngestOptions, 'knex' | 'chunkRows'>,
): Sink<ObservedParcel> {
  return {
    chunkRows,
    renewRawAfterMs: weekMs,
    keysAreUnique: false,
    identify: (observed) =>
      identifyParcel(observed) ?? { reject: 'missing_parcel', detail: 'parcelId: a parcel number is expected.' },
    keep: ({ rows, ...reading }) => mergeParcels(knex, { sourceName, ...reading, parcels: rows }),
    keepUnread: (_runId, keys) => findParcelIds(knex, sourceName, keys),
    retire: ({ at, seen, unread }) =>
      retireParcels(knex, { sourceName, at, isShown: (id) => seen.has(id) || unread.has(id) }),
    remove: (keys, at) => removeParcels(knex, sourceName, keys, at),
  };
}
