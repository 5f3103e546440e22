import { createBitmap, cutFrom, intersect } from './bitmap.js';
import { foldPlace, type FeedIndex, type FeedKind } from './feed-kind.js';
import { createPositionLists } from './position-lists.js';
import { shareTexts } from './share-texts.js';
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

/** The signals feed: amount desc, id asc. Source: the contract decisions. */
export const signalKind: FeedKind<SignalRank, SignalColumns, SignalFilter> = {
  name: 'signals',
  compare(one, other) {
    if (one.amountCents !== other.amountCents) return other.amountCents - one.amountCents;
    return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
  },
  rankOf: ({ amountCents, id }) => ({ amountCents, id }),
  // What stands in the database is what a publication wrote there.
  readColumns: (json) => shareTexts(json as unknown as SignalColumns, ['county', 'signalType']),
  createIndex,
};

async function createIndex(
  signals: readonly SignalColumns[],
  yieldTurn: () => Promise<void>,
): Promise<FeedIndex<SignalFilter>> {
  const size = signals.length;
  const at = (position: number): SignalColumns => signals[position] as SignalColumns;
  const counties = await createPositionLists(size, (position) => at(position).county, yieldTurn);
  const types = await createPositionLists(size, (position) => at(position).signalType, yieldTurn);
  const addresses = await createPositionLists(size, (position) => String(at(position).hasAddress), yieldTurn);
  const mailable = addresses.bitmapOf('true');
  return {
    places: counties.keys,
    match({ county, signalType, minAmountCents, mailReady }) {
      const matching = createBitmap(size).fill(0xffffffff);
      if (county !== undefined) {
        const part = foldPlace(county);
        intersect(
          matching,
          counties.bitmapWhere((label) => label.includes(part)),
        );
      }
      if (signalType !== undefined) intersect(matching, types.bitmapOf(signalType));
      if (mailReady === true) intersect(matching, mailable);
      // Signals stand by amount: none behind the first that owes less can match.
      const isLargeEnough = (signal: SignalColumns): boolean => signal.amountCents >= (minAmountCents ?? 0);
      cutFrom(matching, minAmountCents === undefined ? size : countWhile(signals, isLargeEnough));
      return matching;
    },
  };
}
