import { v5 } from 'uuid';
import type { AreaRents } from '../../../underwriting/rents/area-rents.js';
import { mergeRents } from '../../../underwriting/rents/merge-rents.js';
import type { IngestOptions } from '../ingest-run.js';
import type { Sink } from '../sink.js';
import type { Source } from '../../source.js';

/** Keeps the HUD rents of one source: its own figure of the same area and year is replaced, none is ever retired. */
export function createRentSink(
  { name: sourceName }: Pick<Source<'rents'>, 'name'>,
  { knex }: Pick<IngestOptions, 'knex'>,
): Sink<AreaRents> {
  return {
    chunkRows: 100,
    renewRawAfterMs: weekMs,
    keysAreUnique: false,
    identify: ({ areaKind, areaCode, fiscalYear }) => ({ id: v5(`${areaKind}:${areaCode}:${fiscalYear}`, namespace) }),
    async keep({ observedAt, rows }) {
      await mergeRents(knex, { sourceName, observedAt, rents: rows.map(({ observed }) => observed) });
      return { created: 0 };
    },
    keepUnread: async () => [],
    retire: async () => 0,
    remove: async () => 0,
  };
}

/** Of ids that only tell one figure from another within a run. */
const namespace = '0b8c9f63-7c39-4a53-8f0c-2f7f4f1f6a11';
const weekMs = 7 * 24 * 3600 * 1000;
