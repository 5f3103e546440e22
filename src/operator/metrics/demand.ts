import type { Contract } from '../../contract/contract.js';
import { findMetro } from '../../places/metros/metros.js';
import { findCountyName } from '../../places/metros/counties.js';
import { howShown } from '../../wire/how-shown.js';
import { stateNames } from '../../wire/state-names.js';

/** What was asked for: names of filters and a place of ours, and never another value. */
export interface Wish {
  /** Names, sorted. */
  readonly filters: readonly string[];
  /** A code; `several`; or empty. */
  readonly state: string;
  /** A metro, or the FIPS code of a county; or empty. */
  readonly place: string;
}

/** A wish, and how often it came since it was written last. */
export interface DemandRow {
  readonly operation: string;
  readonly transport: string;
  readonly wish: Wish;
  asked: number;
  sold: number;
  unmatched: number;
}

export type Demand = ReturnType<typeof createDemand>;

/** What is counted between two writes at most, and how many queries of an operation are recognized. */
const [mostRows, mostQueries] = [5_000, 500];
const other: Wish = { filters: ['other'], state: '', place: '' };
/** They change how a result is shown or where it begins, and not what is asked for. */
const shape = [...howShown, 'cursor'];

/** Counts what is asked for, in memory. `write` takes what was counted, and gets it again where it fails. */
export function createDemand(
  { operations }: Pick<Contract, 'operations'>,
  write: (rows: readonly DemandRow[]) => Promise<void>,
) {
  const filtersOf = new Map(
    operations.map(({ operationId, parameters }) => [
      operationId,
      new Set(parameters.flatMap((each) => (each.in === 'query' && !shape.includes(each.name) ? [each.name] : []))),
    ]),
  );
  let rows = new Map<string, DemandRow>();
  const allKnown: Map<string, DemandRow>[] = [];

  function find(operation: string, transport: string, wish: Wish): DemandRow {
    const name = [operation, transport, wish.filters.join(), wish.state, wish.place].join(' ');
    const found = rows.get(name);
    if (found !== undefined) return found;
    if (rows.size >= mostRows && wish !== other) return find(operation, transport, other);
    const row = { operation, transport, wish, asked: 0, sold: 0, unmatched: 0 };
    rows.set(name, row);
    return row;
  }

  return {
    /** What counts the calls of an operation. By the text of the query: the same few come again and again. */
    open(operation: string, transport: string) {
      const known = new Map<string, DemandRow>();
      allKnown.push(known);
      const names = filtersOf.get(operation) ?? new Set();
      return (query: string, outcome: 'asked' | 'sold' | 'unmatched'): Wish => {
        let row = known.get(query);
        if (row === undefined) {
          row = find(operation, transport, readWish(query, names));
          if (known.size >= mostQueries) known.clear();
          known.set(query, row);
        }
        row[outcome]++;
        return row.wish;
      };
    },
    /** Never rejects. */
    async flush(): Promise<void> {
      const taken = [...rows.values()];
      rows = new Map();
      for (const known of allKnown) known.clear();
      if (taken.length === 0) return;
      await write(taken).catch(() => {
        for (const { operation, transport, wish, asked, sold, unmatched } of taken) {
          const row = find(operation, transport, wish);
          row.asked += asked;
          row.sold += sold;
          row.unmatched += unmatched;
        }
      });
    },
  };
}

/** Reads what a query asks for. `names`: the filters that there are. */
export function readWish(query: string, names: ReadonlySet<string>): Wish {
  const given = new URLSearchParams(query);
  const filters = [...new Set(given.keys())].filter((name) => names.has(name)).sort();
  const [state = '', ...states] = (given.get('state') ?? '').toUpperCase().split(',');
  const places = [...(given.get('metro') ?? '').split(','), ...(given.get('county') ?? '').split(',')];
  const place = places.find((each) => findMetro(each) !== undefined || findCountyName(each) !== undefined) ?? '';
  return { filters, state: states.length > 0 ? 'several' : stateNames.has(state) ? state : '', place };
}
