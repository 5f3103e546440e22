import { addPosition, createBitmap, cutFrom, firstPositions, intersect } from './bitmap.js';
import { foldPlace, type FeedIndex, type FeedKind, type Moment } from './feed-kind.js';
import { createPositionLists } from './position-lists.js';
import { createPositionsById } from './positions-by-id.js';
import { shareTexts } from './share-texts.js';
import { countWhile } from './snapshot.js';

/** A position in the leads feed's order. */
export interface LeadRank {
  readonly id: string;
  /** 0 to 100. */
  readonly leadScore: number;
}

/** What the feed reads of a lead. */
export interface LeadColumns extends LeadRank {
  readonly leadType: string;
  /** Two-letter code, folded. */
  readonly state: string;
  /** County label, folded. */
  readonly county?: string | undefined;
  /** When the property, or the lien on it, is to be sold: YYYY-MM-DD in the county's own calendar. */
  readonly saleDate?: string | undefined;
  /** IANA time zone of the county; where it is no lead any more once its sale date is over. */
  readonly timeZone?: string | undefined;
  /** Milliseconds since 1970. */
  readonly verifiedMs: number;
}

/** A filter over the leads feed, combined with AND. */
export interface LeadFilter {
  readonly state?: string;
  /** Part of the county label. */
  readonly county?: string;
  readonly leadType?: string;
  readonly minScore?: number;
  /** Inclusive. */
  readonly fromDate?: string;
  /** Inclusive. */
  readonly toDate?: string;
}

const sharedTexts = ['leadType', 'state', 'county', 'saleDate', 'timeZone'] as const;

/** The leads feed: lead_score desc, id asc. Source: the contract decisions. */
export const leadKind: FeedKind<LeadRank, LeadColumns, LeadFilter> = {
  name: 'leads',
  compare(one, other) {
    if (one.leadScore !== other.leadScore) return other.leadScore - one.leadScore;
    return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
  },
  rankOf: ({ leadScore, id }) => ({ leadScore, id }),
  // What stands in the database is what a publication wrote there.
  readColumns: (json) => shareTexts(json as unknown as LeadColumns, sharedTexts),
  createIndex,
};

async function createIndex(
  leads: readonly LeadColumns[],
  yieldTurn: () => Promise<void>,
): Promise<FeedIndex<LeadFilter>> {
  const size = leads.length;
  const at = (position: number): LeadColumns => leads[position] as LeadColumns;
  const states = await createPositionLists(size, (position) => at(position).state, yieldTurn);
  const counties = await createPositionLists(size, (position) => at(position).county ?? '', yieldTurn);
  const types = await createPositionLists(size, (position) => at(position).leadType, yieldTurn);
  const findPosition = await createPositionsById(leads, yieldTurn);
  const dates = await createPositionLists(size, (position) => at(position).saleDate ?? '', yieldTurn);
  // What a run of a source has seen was seen in a few minutes.
  const verified = await createPositionLists(size, (position) => minuteOf(at(position).verifiedMs), yieldTurn);
  const zones = await createPositionLists(size, (position) => at(position).timeZone ?? '', yieldTurn);
  const ending = [...zones.keys].filter(Boolean).flatMap((timeZone) =>
    firstPositions(zones.bitmapOf(timeZone), 0, size).map((position) => {
      return { timeZone, saleDate: at(position).saleDate ?? '9999-12-31', position };
    }),
  );

  return {
    places: new Set([...states.keys, ...counties.keys]),
    match({ state, county, leadType, minScore, fromDate, toDate }) {
      const matching = createBitmap(size).fill(0xffffffff);
      if (state !== undefined) intersect(matching, states.bitmapOf(foldPlace(state)));
      if (county !== undefined) {
        const part = foldPlace(county);
        intersect(
          matching,
          counties.bitmapWhere((label) => label.includes(part)),
        );
      }
      if (leadType !== undefined) intersect(matching, types.bitmapOf(leadType));
      if (fromDate !== undefined || toDate !== undefined)
        intersect(
          matching,
          dates.bitmapWhere((date) => date !== '' && date >= (fromDate ?? '') && date <= (toDate ?? date)),
        );
      // Leads stand by score: none behind the first that scores less can match.
      const isHighEnough = (lead: LeadColumns): boolean => lead.leadScore >= (minScore ?? 0);
      cutFrom(matching, minScore === undefined ? size : countWhile(leads, isHighEnough));
      return matching;
    },
    hidden({ verifiedSinceMs, todays }: Moment, setAside) {
      const positions = verified.bitmapWhere((minute) => Number(minute) * minuteMs < verifiedSinceMs);
      for (const { timeZone, saleDate, position } of ending)
        if (saleDate < (todays[timeZone] ?? '9999-12-31')) addPosition(positions, position);
      for (const id of setAside) {
        const position = findPosition(id);
        if (position !== undefined) addPosition(positions, position);
      }
      return positions;
    },
  };
}

const minuteMs = 60_000;

function minuteOf(ms: number): string {
  return String(Math.floor(ms / minuteMs));
}
