import type { ObservedListing } from '../../../src/listings/listing.js';
import type { Licence, PagedSource, RawRow, RowReject } from '../../../src/sources/source.js';
import { known } from '../../../src/absence.js';
import { identify, observe } from '../../listings/observation.js';
import type { IngestOptions } from '../../../src/sources/ingest/ingest-run.js';

export const licence: Licence = { class: 'licensed', mayStore: true, mayResell: true, attribution: 'By the exchange' };

export interface Script {
  readonly name?: string;
  readonly licence?: Licence;
  readonly etag?: string;
  readonly pageSize?: number;
  /** Throws instead of delivering the page of this number (0 is the first). */
  readonly failAtPage?: number;
}

/** A source that delivers the given observations and rejects, page by page. Its rows contain the observation itself. */
export function createScriptedSource(
  rows: readonly (ObservedListing | RowReject)[],
  script: Script = {},
): PagedSource<'listings'> {
  const { name = 'exchange', pageSize = 60, failAtPage } = script;
  const observations = new Map<unknown, ObservedListing>();
  return {
    name,
    kind: 'scripted',
    delivers: 'listings',
    licence: script.licence ?? licence,
    async fetchPage(cursor) {
      const start = Number(cursor ?? 0);
      if (failAtPage === start / pageSize)
        throw Object.assign(new Error('secret words of the upstream'), { code: 'ECONNRESET' });
      const page = rows.slice(start, start + pageSize).map((row): RawRow | RowReject => {
        if ('reject' in row) return row;
        const raw = { key: row.sourceKey, payload: { key: row.sourceKey, price: row.listPrice } };
        observations.set(raw.payload, row);
        return raw;
      });
      const next = start + pageSize;
      return {
        rows: page,
        nextCursor: next < rows.length ? String(next) : undefined,
        fetchedAt: clock.now,
        ...(script.etag === undefined ? {} : { etag: script.etag }),
        sourceUrl: 'https://example.com/',
      };
    },
    parse(row) {
      return observations.get(row.payload) ?? { reject: 'row_unreadable', key: row.key, detail: 'unknown' };
    },
  };
}

/** The clock of the tests; set it before each run. */
export const clock = { now: new Date('2026-11-01T00:00:00.000Z') };

/** Sets the clock to the n-th day (0 is the first). */
export function setDay(day: number): Date {
  clock.now = new Date(Date.parse('2026-11-01T00:00:00.000Z') + day * 24 * 3600 * 1000);
  return clock.now;
}

/** `count` different properties with keys k0, k1, ... */
export function observeMany(count: number, overrides: Partial<ObservedListing> = {}): ObservedListing[] {
  return Array.from({ length: count }, (_, index) =>
    observe({ sourceKey: `k${index}`, address: known(`${index + 1} Main St`), ...overrides }),
  );
}

/** Options of `ingestSource` with the mock normalizer and the tests' clock. */
export function ingestOptions(knex: IngestOptions['knex']): IngestOptions {
  return { knex, identify, countyOf: () => '39035', now: () => clock.now };
}
