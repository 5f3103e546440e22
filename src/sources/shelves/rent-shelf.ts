import { v5 } from 'uuid';
import { importRents } from '../../rents/import-rents.js';
import type { AreaRents } from '../../rents/area-rents.js';
import type { IngestOptions } from '../ingest-run.js';
import type { Shelf } from '../shelf.js';

/** Keeps HUD rents: a figure of the same area and year is replaced, none is ever retired. */
export function createRentShelf(_source: unknown, { knex }: IngestOptions): Shelf<AreaRents> {
  return {
    chunkRows: 100,
    renewRawAfterMs: weekMs,
    keysAreUnique: false,
    identify: ({ areaKind, areaCode, fiscalYear }) => ({ id: v5(`${areaKind}:${areaCode}:${fiscalYear}`, namespace) }),
    async keep({ rows }) {
      await importRents(knex, { rents: rows.map(({ observed }) => observed), zipCounties: [] }, 'source');
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
