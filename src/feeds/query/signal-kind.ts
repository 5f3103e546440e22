import { createCandidates } from './candidates.js';
import type { FeedIndex, FeedKind, RecordList } from './feed-kind.js';
import { createCountyMatch } from './place-match.js';
import { recordsPerTurn } from './records-per-turn.js';
import { createPositionLists } from './position-lists.js';
import { countWhile } from './snapshot.js';

/** A position in the signals feed's order. */
export interface SignalRank {
  readonly id: string;
  /** What is owed, in cents. */
  readonly amountCents: number;
}

/** What the feed reads of a signal. */
export interface SignalColumns extends SignalRank {
  /** County label, folded. */
  readonly county: string;
  readonly signalType: string;
  readonly hasAddress: boolean;
  /** Milliseconds since 1970. */
  readonly lastSeenMs: number;
}

/** A filter over the signals feed, combined with AND. */
export interface SignalFilter {
  /** Part of the county label. */
  readonly county?: string;
  readonly signalType?: string;
  readonly minAmountCents?: number;
  /** Only signals with a street address. */
  readonly mailReady?: boolean;
}

/** The signals feed: amount desc, id asc. Source: docs/decisions/contract.md. */
export const signalKind: FeedKind<SignalRank, SignalColumns, SignalFilter> = {
  name: 'signals',
  order: [{ by: 'amountCents', descending: true }],
  packing: { amountCents: 'number', county: 'text', signalType: 'text', hasAddress: 'flag', lastSeenMs: 'number' },
  // What stands in the database is what a publication wrote there.
  readColumns: (json) => json as unknown as SignalColumns,
  createIndex,
};

async function createIndex(
  signals: RecordList<SignalColumns>,
  yieldTurn: () => Promise<void>,
): Promise<FeedIndex<SignalFilter>> {
  const size = signals.length;
  const at = (position: number): SignalColumns => signals.at(position) as SignalColumns;
  const counties = await createPositionLists(size, (position) => at(position).county, yieldTurn);
  const types = await createPositionLists(size, (position) => at(position).signalType, yieldTurn);
  const addresses = await createPositionLists(size, (position) => String(at(position).hasAddress), yieldTurn);
  const freshestMs = await findLatest(signals, yieldTurn);
  const candidates = createCandidates(size);
  return {
    places: counties.keys,
    freshestMs,
    match({ county, signalType, minAmountCents, mailReady }) {
      candidates.begin();
      if (county !== undefined) counties.keepWhere(candidates, createCountyMatch(county));
      if (signalType !== undefined) types.keepOf(candidates, signalType);
      if (mailReady === true) addresses.keepOf(candidates, 'true');
      // Signals stand by amount: none behind the first that owes less can match.
      const isLargeEnough = (signal: SignalColumns): boolean => signal.amountCents >= (minAmountCents ?? 0);
      return candidates.finish(minAmountCents === undefined ? size : countWhile(signals, isLargeEnough));
    },
  };
}

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
