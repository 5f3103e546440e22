import { LRUCache } from 'lru-cache';
import type { CountedMatches } from '../../../generated/types.gen.js';
import type { Feed } from '../../feeds/feed.js';
import type { Identified } from '../../feeds/query/identified.js';
import type { RecordViews } from '../../feeds/store/published-record.js';
import { shortLabel } from '../coverage/counties-of-place.js';
import type { CoverageTable } from '../coverage/coverage-table.js';
import { coverageOfFilter, mostNames, type PlaceFilter } from '../coverage/explain-empty-result.js';
import { placeIn } from '../coverage/coverage-of.js';
import { howShown } from '../../wire/how-shown.js';
import { putOnGrid, type QueryValues } from './grid.js';
import { countBands, type Measures } from './measures.js';
import { roundCount } from './rounded-count.js';

/** What is told of the records that a query matches. */
export type Counted = Pick<CountedMatches, 'matches' | 'counted_with' | 'coverage' | 'about' | 'rows'> & {
  readonly feed_version: number;
  readonly as_of: string;
};

/** Counts what a query of one operation matches. Bands and bounds alone: no question tells a record's own value. */
export interface CountFeed {
  readonly count: (query: QueryValues, table: CoverageTable) => Counted;
  /** The part that a 402 tells; the same object while it is true. */
  readonly preview?: (query: QueryValues, table: CoverageTable) => Pick<Counted, 'matches' | 'coverage'>;
}

/** Below so many matches nothing is told of them, and nothing of a band with fewer than half as many. */
export const fewestTold = 10;
export const fewestInBand = 5;

/** The parameters of a query that say which records are asked for. */
export function filtersIn(query: QueryValues): QueryValues {
  const filters: Record<string, unknown> = {};
  for (const name in query) if (!howShown.includes(name)) filters[name] = query[name];
  return filters;
}

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
  /** Of the version that is published, by what is asked; the coverage by its place. */
  const counts = new LRUCache<string, Omit<Counted, 'coverage'>>({ max: 1_000 });
  const previews = new LRUCache<string, Pick<Counted, 'matches' | 'coverage'>>({ max: 1_000 });
  const places = new LRUCache<string, Counted['coverage']>({ max: 1_000 });
  let current: readonly unknown[] = [];
  const bands = Object.values(measures.about).flat();

  function forgetOther(table: CoverageTable): void {
    const [snapshot, excludedKey] = [feed.current(), feed.excludedKey()];
    if (current[0] === snapshot && current[1] === excludedKey && current[2] === table) return;
    current = [snapshot, excludedKey, table];
    for (const each of [counts, previews, places]) each.clear();
  }

  function filtersOf(query: QueryValues) {
    const { widened, tightened } = putOnGrid(query);
    return { widened, most: toFilter(widened), least: tightened && toFilter(tightened) };
  }

  function boundsOf({ most, least }: Pick<ReturnType<typeof filtersOf>, 'most' | 'least'>): Counted['matches'] {
    const { total } = least === undefined ? { total: 0 } : feed.tally(least, []);
    return { at_least: roundCount(total).at_least, at_most: roundCount(feed.tally(most, []).total).at_most };
  }

  function coverageOf(filter: Filter, table: CoverageTable): Counted['coverage'] {
    return remember(places, JSON.stringify([placeIn(filter), filter.leadType]), () => {
      const { coverage } = coverageOfFilter(feed, filter, table);
      return { place: coverage.status, not_read: coverage.notRead.slice(0, mostNames).map(shortLabel) };
    });
  }

  function countOnGrid(filters: ReturnType<typeof filtersOf>): Omit<Counted, 'coverage'> {
    return remember(counts, JSON.stringify([filters.most, filters.least]), () => {
      const { version, publishedAt, records } = feed.current();
      const others = bands.map(({ filter }) => filter);
      const all = feed.tally(filters.most, others, measures.cellOf);
      const isTold = all.total >= fewestTold;
      return {
        matches: boundsOf(filters),
        counted_with: filters.widened,
        about: isTold ? describe(all.ofOthers) : {},
        rows: isTold ? all.first.flatMap((position) => rowAt(records.at(position))) : [],
        feed_version: version,
        as_of: publishedAt.toISOString(),
      };
    });
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

  return {
    count(query, table) {
      forgetOther(table);
      return { ...countOnGrid(filtersOf(query)), coverage: coverageOf(toFilter(query), table) };
    },
    preview(query, table) {
      forgetOther(table);
      // Most 402s are asked for without filters; the table is another each minute, and so with each day of sales.
      const key = Object.keys(query).length === 0 ? '' : JSON.stringify(toFilter(query));
      let told = previews.get(key);
      if (told === undefined) {
        told = { matches: boundsOf(filtersOf(query)), coverage: coverageOf(toFilter(query), table) };
        previews.set(key, told);
      }
      return told;
    },
  };
}

function remember<Value extends object>(known: LRUCache<string, Value>, key: string, make: () => Value): Value {
  const seen = known.get(key) ?? make();
  known.set(key, seen);
  return seen;
}
