import { LRUCache } from 'lru-cache';
import type { CountedMatches } from '../../../generated/types.gen.js';
import type { Feed } from '../../feeds/feed.js';
import type { Identified } from '../../feeds/query/identified.js';
import type { RecordViews } from '../../feeds/store/published-record.js';
import { shortLabel } from '../coverage/counties-of-place.js';
import type { CoverageTable } from '../coverage/coverage-table.js';
import { coverageOfFilter, mostNames, type PlaceFilter } from '../coverage/explain-empty-result.js';
import { placeIn } from '../coverage/place-in.js';
import { howShown } from '../../wire/how-shown.js';
import { putOnGrid, type QueryValues } from './grid.js';
import { sizesOfBands, type CountBands } from './count-bands.js';
import { roundCount } from './rounded-count.js';

/** A free count of the records that a query matches. */
export type Counted = Pick<CountedMatches, 'matches' | 'counted_with' | 'coverage' | 'about' | 'rows'> & {
  readonly feed_version: number;
  readonly as_of: string;
};

/** Counts the matches of an operation's query in bounds and bands: no query reveals a record's own value. */
export interface CountFeed {
  readonly count: (query: QueryValues, table: CoverageTable) => Counted;
  /** The part in a 402; the same object while it is true. */
  readonly preview?: (query: QueryValues, table: CoverageTable) => Pick<Counted, 'matches' | 'coverage'>;
}

/** Below this number of matches, no bands are disclosed. */
export const minDisclosed = 10;
/** Below this number of records, a band is not disclosed. */
export const minInBand = 5;

/** The filters of a query, without paging and sorting. */
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
  countBands: CountBands<Columns, Filter>,
): CountFeed {
  /** Counts of the published version by query, and coverage by place. */
  const counts = new LRUCache<string, Omit<Counted, 'coverage'>>({ max: 1_000 });
  const previews = new LRUCache<string, Pick<Counted, 'matches' | 'coverage'>>({ max: 1_000 });
  const places = new LRUCache<string, Counted['coverage']>({ max: 1_000 });
  let current: readonly unknown[] = [];
  const allBands = Object.values(countBands.bands).flat();

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
      const others = allBands.map(({ filter }) => filter);
      const all = feed.tally(filters.most, others, countBands.cellOf);
      const isDisclosed = all.total >= minDisclosed;
      return {
        matches: boundsOf(filters),
        counted_with: filters.widened,
        about: isDisclosed ? describe(all.ofOthers) : {},
        rows: isDisclosed ? all.first.flatMap((position) => rowAt(records.at(position))) : [],
        feed_version: version,
        as_of: publishedAt.toISOString(),
      };
    });
  }

  function rowAt(record: Columns | undefined): Readonly<Record<string, string>>[] {
    return record === undefined ? [] : [countBands.sampleRow(record)];
  }

  function describe(counts: readonly number[]): Counted['about'] {
    const about: Record<string, Record<string, number>> = {};
    let from = 0;
    for (const [name, own] of Object.entries(countBands.bands)) {
      const ofBands = sizesOfBands(own, counts.slice(from, from + own.length));
      const disclosed = own.flatMap((band, index) => {
        const inBand = ofBands[index] ?? 0;
        return inBand < minInBand ? [] : [[band.name, roundCount(inBand).at_most] as const];
      });
      about[name] = Object.fromEntries(disclosed);
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
      // Most 402s have no filters. The table is replaced each minute, also when the day changes.
      const key = Object.keys(query).length === 0 ? '' : JSON.stringify(toFilter(query));
      let preview = previews.get(key);
      if (preview === undefined) {
        preview = { matches: boundsOf(filtersOf(query)), coverage: coverageOf(toFilter(query), table) };
        previews.set(key, preview);
      }
      return preview;
    },
  };
}

function remember<Value extends object>(known: LRUCache<string, Value>, key: string, make: () => Value): Value {
  const seen = known.get(key) ?? make();
  known.set(key, seen);
  return seen;
}
