import { addPosition, unite } from './bitmap.js';
import { type FeedIndex, type FeedKind, type Moment, type RecordList } from './feed-kind.js';
import {
  createColumnIndexes,
  createMatch,
  createTests,
  equal,
  isFrom,
  isUntil,
  leading,
  passing,
  scanned,
  type FilterRules,
} from './filter-rules.js';
import { createIdTable, hashId } from './id-table.js';
import { createPositionLists } from './position-lists.js';
import type { SortRules } from './sort-rule.js';
import { createSortedPositions, dayOf } from './sorted-positions.js';
import { placeColumns, placeRules, type PlaceColumns, type PlaceFilter } from './place-rules.js';
import type { Origin } from '../takedowns.js';

/** A position in the leads feed's order. */
export interface LeadRank {
  readonly id: string;
  /** 0 to 100. */
  readonly leadScore: number;
}

/** What the feed reads of a lead. */
export interface LeadColumns extends LeadRank, PlaceColumns, Origin {
  readonly leadType: string;
  /** When the property, or the lien on it, is to be sold: YYYY-MM-DD in the county's own calendar. */
  readonly saleDate?: string | undefined;
  /** IANA time zone of the county; where it is no lead any more once its sale date is over. */
  readonly timeZone?: string | undefined;
  /** Milliseconds since 1970, as the next one. */
  readonly verifiedMs: number;
  /** When the lead's record was first seen: no lead was published before that. */
  readonly firstSeenMs: number;
}

/** A filter over the leads feed, combined with AND. */
export interface LeadFilter extends PlaceFilter {
  readonly leadType?: string;
  readonly minScore?: number;
  /** Inclusive. */
  readonly fromDate?: string;
  /** Inclusive. */
  readonly toDate?: string;
  /** The earliest `firstSeenMs`. */
  readonly firstSeenFromMs?: number | undefined;
}

const rules: FilterRules<LeadColumns, LeadFilter> = {
  ...placeRules,
  leadType: equal('leadType'),
  minScore: leading('leadScore'),
  fromDate: passing('saleDate', isFrom),
  toDate: passing('saleDate', isUntil),
  // Rarely asked: only after a restore.
  firstSeenFromMs: scanned(({ firstSeenMs }, fromMs) => firstSeenMs >= fromMs),
};

/** The orders of the leads feed, as the contract names them. */
export const leadSorts = {
  score: { descending: true, numberOf: ({ leadScore }) => leadScore },
  sale_date: { column: 'saleDay', numberOf: ({ saleDate }) => (saleDate === undefined ? undefined : dayOf(saleDate)) },
} satisfies SortRules<LeadColumns>;

const columns = {
  leadScore: 'number',
  leadType: 'text',
  ...placeColumns,
  saleDate: 'text',
  timeZone: 'text',
  verifiedMs: 'number',
  firstSeenMs: 'number',
  sources: 'text',
  matched: 'text',
} as const;

/** The leads feed: lead_score desc, id asc. Source: docs/decisions/contract.md. */
export const leadKind: FeedKind<LeadRank, LeadColumns, LeadFilter> = {
  name: 'leads',
  order: [{ by: 'leadScore', descending: true }],
  sorts: leadSorts,
  columns,
  packing: columns,
  // What stands in the database is what a publication wrote there.
  readColumns: (json) => json as unknown as LeadColumns,
  testsOf: (filter) => createTests(rules, filter),
  createIndex,
};

async function createIndex(
  leads: RecordList<LeadColumns>,
  yieldTurn: () => Promise<void>,
): Promise<FeedIndex<LeadFilter>> {
  const size = leads.length;
  const indexes = createColumnIndexes(leads, yieldTurn);
  const { at } = indexes;
  const find = await createIdTable(size, (position) => leads.idHash(position), yieldTurn);
  // What a run of a source has seen was seen in a few minutes.
  const verified = await createPositionLists(size, (position) => minuteOf(at(position).verifiedMs), yieldTurn);
  const ends = await createPositionLists(size, (position) => endOf(at(position)), yieldTurn);

  return {
    match: await createMatch(rules, indexes),
    sorts: await createSortedPositions(leadSorts, true, indexes),
    notForSale({ verifiedSinceMs, todays }: Moment, held) {
      const positions = verified.bitmapWhere((minute) => Number(minute) * minuteMs < verifiedSinceMs);
      unite(
        positions,
        ends.bitmapWhere((end) => end !== '' && isOver(end, todays)),
      );
      for (const id of held) {
        const position = find(hashId(id), (place) => at(place).id === id);
        if (position !== undefined) addPosition(positions, position);
      }
      return positions;
    },
  };
}

const minuteMs = 60_000;

/** Where a lead ends with its sale date: that day and its time zone; else nothing. */
function endOf({ saleDate, timeZone }: LeadColumns): string {
  return saleDate === undefined || timeZone === undefined ? '' : `${saleDate} ${timeZone}`;
}

function isOver(end: string, todays: Moment['todays']): boolean {
  const [saleDate = '', timeZone = ''] = end.split(' ');
  return saleDate < (todays[timeZone] ?? '9999-12-31');
}

function minuteOf(ms: number): string {
  return String(Math.floor(ms / minuteMs));
}
