import { type FeedKind, type RecordList } from './feed-kind.js';
import {
  atLeast,
  createColumnIndexes,
  createMatch,
  createTests,
  equal,
  leading,
  type FilterRules,
} from './filter-rules.js';
import { recordsPerTurn } from './records-per-turn.js';
import type { SortRules } from './sort-rule.js';
import { createSortedPositions } from './sorted-positions.js';
import { placeColumns, placeRules, type PlaceColumns, type PlaceFilter } from './place-rules.js';
import type { Origin } from '../takedowns.js';

/** A position in the signals feed's order. */
export interface SignalRank {
  readonly id: string;
  /** What is owed, in cents. */
  readonly amountCents: number;
}

/** What the feed reads of a signal. */
export interface SignalColumns extends SignalRank, PlaceColumns, Omit<Origin, 'matched'> {
  readonly signalType: string;
  readonly hasAddress: boolean;
  /** Milliseconds since 1970. */
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

/** A filter over the signals feed, combined with AND. */
export interface SignalFilter extends PlaceFilter {
  readonly signalType?: string;
  readonly minAmountCents?: number;
  /** Milliseconds since 1970. */
  readonly firstSeenSinceMs?: number;
  /** Only signals with a street address. */
  readonly hasAddress?: true;
}

const rules: FilterRules<SignalColumns, SignalFilter> = {
  ...placeRules,
  signalType: equal('signalType'),
  hasAddress: equal('hasAddress'),
  firstSeenSinceMs: atLeast('firstSeenMs'),
  minAmountCents: leading('amountCents'),
};

/** The orders of the signals feed, as the contract names them. */
export const signalSorts = {
  amount: { descending: true, numberOf: ({ amountCents }) => amountCents },
  first_seen: { descending: true, column: 'firstSeenMs', numberOf: ({ firstSeenMs }) => firstSeenMs },
} satisfies SortRules<SignalColumns>;

const columns = {
  amountCents: 'number',
  ...placeColumns,
  signalType: 'text',
  hasAddress: 'flag',
  firstSeenMs: 'number',
  lastSeenMs: 'number',
  sources: 'text',
} as const;

/** The signals feed: amount desc, id asc. Source: docs/decisions/contract.md. */
export const signalKind: FeedKind<SignalRank, SignalColumns, SignalFilter> = {
  name: 'signals',
  order: [{ by: 'amountCents', descending: true }],
  sorts: signalSorts,
  columns,
  packing: columns,
  // What stands in the database is what a publication wrote there.
  readColumns: (json) => json as unknown as SignalColumns,
  testsOf: (filter) => createTests(rules, filter),
  async createIndex(signals, yieldTurn) {
    const indexes = createColumnIndexes(signals, yieldTurn);
    return {
      match: await createMatch(rules, indexes),
      sorts: await createSortedPositions(signalSorts, true, indexes),
      counties: (await indexes.lists('county', ({ county }) => county ?? '')).keys.size,
      freshestMs: await findLatest(signals, yieldTurn),
    };
  },
};

async function findLatest(
  signals: RecordList<SignalColumns>,
  yieldTurn: () => Promise<void>,
): Promise<number | undefined> {
  let latestMs: number | undefined;
  for (let position = 0; position < signals.length; position++) {
    latestMs = Math.max(latestMs ?? -Infinity, signals.at(position)?.lastSeenMs ?? -Infinity);
    if (position % recordsPerTurn === recordsPerTurn - 1) await yieldTurn();
  }
  return latestMs;
}
