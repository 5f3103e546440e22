import { LRUCache } from 'lru-cache';
import type { CountedMatches } from '../../../generated/types.gen.js';
import type { Feed } from '../../feeds/feed.js';
import type { Identified } from '../../feeds/query/identified.js';
import type { RecordViews } from '../../feeds/store/published-record.js';
import { shortLabel } from '../coverage/counties-of-place.js';
import type { CoverageTable } from '../coverage/coverage-table.js';
import { coverageOfFilter, mostNames, type PlaceFilter } from '../coverage/explain-empty-result.js';
import { putOnGrid, type QueryValues } from './grid.js';
import { countBands, type Measures } from './measures.js';
import { roundCount } from './rounded-count.js';

/** What is told of the records that a query matches. */
export type Counted = Pick<CountedMatches, 'matches' | 'counted_with' | 'coverage' | 'about' | 'rows'> & {
  readonly feed_version: number;
  readonly as_of: string;
};

/** Counts what a query of one operation matches. Bands and bounds alone: no question tells a record's own value. */
export type CountFeed = (query: QueryValues, table: CoverageTable) => Counted;

/** Below so many matches nothing is told of them, and nothing of a band with fewer than half as many. */
export const fewestTold = 10;
export const fewestInBand = 5;

/** Creates the count of a feed; `toFilter` converts the query of the operation that sells what is counted. */
export function createCountFeed<
  Rank,
  Columns extends Identified,
  Filter extends PlaceFilter,
  Views extends RecordViews,
>(
  feed: Feed<Rank, Columns, Filter, Views>,
  toFilter: (query: QueryValues) => Filter,
  measures: Measures<Columns, Filter>,
): CountFeed {
  const known = new LRUCache<string, Omit<Counted, 'coverage'>>({ max: 1_000 });
  const bands = Object.values(measures.about).flat();

  function count(widened: QueryValues, tightened: QueryValues | undefined): Omit<Counted, 'coverage'> {
    const [most, least] = [toFilter(widened), tightened && toFilter(tightened)];
    const { version, publishedAt, records } = feed.current();
    const key = JSON.stringify([version, feed.excludedKey(), most, least]);
    const seen = known.get(key);
    if (seen !== undefined) return seen;
    const { total } = least === undefined ? { total: 0 } : feed.tally(least, []);
    const all = feed.tally(
      most,
      bands.map(({ filter }) => filter),
    );
    const isTold = all.total >= fewestTold;
    const counted = {
      matches: { at_least: roundCount(total).at_least, at_most: roundCount(all.total).at_most },
      counted_with: widened,
      about: isTold ? describe(all.ofOthers) : {},
      rows: isTold ? all.first.flatMap((position) => rowAt(records.at(position))) : [],
      feed_version: version,
      as_of: publishedAt.toISOString(),
    };
    known.set(key, counted);
    return counted;
  }

  function rowAt(record: Columns | undefined): Readonly<Record<string, string>>[] {
    return record === undefined ? [] : [measures.row(record)];
  }

  function describe(counts: readonly number[]): Counted['about'] {
    const about: Record<string, Record<string, number>> = {};
    let from = 0;
    for (const [name, own] of Object.entries(measures.about)) {
      const ofBands = countBands(own, counts.slice(from, from + own.length));
      const told = own.flatMap((band, index) => {
        const inBand = ofBands[index] ?? 0;
        return inBand < fewestInBand ? [] : [[band.name, roundCount(inBand).at_most] as const];
      });
      about[name] = Object.fromEntries(told);
      from += own.length;
    }
    return about;
  }

  return (query, table) => {
    const { widened, tightened } = putOnGrid(query);
    const { coverage } = coverageOfFilter(feed, toFilter(query), table);
    const notRead = coverage.notRead.slice(0, mostNames).map(shortLabel);
    return { ...count(widened, tightened), coverage: { place: coverage.status, not_read: notRead } };
  };
}
