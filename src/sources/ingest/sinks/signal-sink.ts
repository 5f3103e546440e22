import { mergeSignals } from '../../../counties/signals/merge-signals.js';
import {
  findSignalIds,
  removeSignals,
  resolveMissing,
  retireSignals,
} from '../../../counties/signals/retire-signals.js';
import { identifySignal } from '../../../counties/signals/signal-identity.js';
import type { ObservedSignal } from '../../../counties/signals/signal.js';
import type { IngestOptions } from '../ingest-run.js';
import type { Sink } from '../sink.js';
import type { Source } from '../../source.js';

const weekMs = 7 * 24 * 3600 * 1000;

/** Keeps the signals of one source; a set that is shown again unchanged costs no writes. */
export function createSignalSink(
  { name: sourceName }: Pick<Source<'signals'>, 'name'>,
  { knex, chunkRows = 100 }: Pick<IngestOptions, 'knex' | 'chunkRows'>,
): Sink<ObservedSignal> {
  return {
    chunkRows,
    renewRawAfterMs: weekMs,
    keysAreUnique: false,
    identify: (observed) =>
      identifySignal(observed) ?? { reject: 'missing_parcel', detail: 'parcelId: a parcel number is expected.' },
    keep: ({ observedAt, rows }) => mergeSignals(knex, { sourceName, observedAt, signals: rows }),
    keepUnread: (_runId, keys) => findSignalIds(knex, sourceName, keys),
    retire: (run) => retireSignals(knex, { sourceName, ...run }),
    retireUnchanged: (at) => resolveMissing(knex, sourceName, at),
    remove: (keys, at) => removeSignals(knex, sourceName, keys, at),
  };
}
