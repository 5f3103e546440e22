import type { FeedKind } from './feed-kind.js';
import {
  atLeast,
  atMost,
  createColumnIndexes,
  createMatch,
  createTests,
  equal,
  holds,
  leading,
  oneOf,
  type FilterRules,
} from './filter-rules.js';
import { milesFrom, tenthsOf } from './map-point.js';
import { foldCity } from './place-match.js';
import type { SortRules } from './sort-rule.js';
import { createSortedPositions } from './sorted-positions.js';
import { placeColumns, placeRules, type PlaceColumns, type PlaceFilter } from './place-rules.js';
import type { Origin } from '../takedowns.js';

export type RankedStatus = 'Hot' | 'Warm' | 'Pass';

/** A position in the deals feed's order. */
export interface DealRank {
  readonly id: string;
  readonly dealScore: number;
  /** Confidence in hundredths, 0 to 100. */
  readonly confidenceHundredths: number;
}

/** What the feed reads of a deal. */
export interface DealColumns extends DealRank, PlaceColumns, Origin {
  readonly city: string;
  /** Asking price in cents. */
  readonly priceCents?: number | undefined;
  /** Advertised cap rate in hundredths of a percent. */
  readonly capHundredths?: number | undefined;
  readonly units?: number | undefined;
  readonly rentalStatus: RankedStatus;
  readonly wholesaleStatus: RankedStatus;
  readonly creativeStatus: RankedStatus;
  readonly reliability: string;
  readonly propertyType?: string | undefined;
  readonly dscrComputed: boolean;
  /** A figure is here only where none of its inputs is doubted. This one may have a fraction. */
  readonly centsPerUnit?: number | undefined;
  readonly dscrHundredths?: number | undefined;
  /** On HUD rents, in hundredths of a percent. */
  readonly capUnderwrittenHundredths?: number | undefined;
  /** Advertised less underwritten cap, in hundredths of a percentage point. */
  readonly capGapHundredths?: number | undefined;
  /** From the first to the latest settled price of the present offer, in tenths of a percent and in cents. */
  readonly priceCutTenths?: number | undefined;
  readonly priceCutCents?: number | undefined;
  /** The asking price that events compare: without changes that are small or not settled. */
  readonly toldCents?: number | undefined;
  /** Where the price, or the advertised cap, is published but not relied on. */
  readonly isPriceDoubted?: boolean | undefined;
  readonly isCapDoubted?: boolean | undefined;
  /** When the last cut of the present offer was seen, milliseconds since 1970. */
  readonly lastCutMs?: number | undefined;
  readonly yearBuilt?: number | undefined;
  readonly daysOnFeed: number;
  /** Milliseconds since 1970. */
  readonly firstSeenMs: number;
  readonly lastVerified: Date;
  /** Other ids of the same property, separated by spaces. */
  readonly aliases?: string | undefined;
}

/** A filter over the deals feed, combined with AND. Thresholds are integers: cents, hundredths, tenths, moments. */
export interface DealFilter extends PlaceFilter {
  readonly city?: string;
  readonly minPriceCents?: number;
  readonly maxPriceCents?: number;
  readonly minCapHundredths?: number;
  readonly minUnits?: number;
  readonly maxUnits?: number;
  readonly minScore?: number;
  readonly status?: readonly RankedStatus[];
  readonly wholesaleStatus?: readonly RankedStatus[];
  readonly creativeStatus?: readonly RankedStatus[];
  readonly reliability?: readonly string[];
  readonly propertyType?: readonly string[];
  readonly minCentsPerUnit?: number;
  readonly maxCentsPerUnit?: number;
  readonly minDscrHundredths?: number;
  readonly minConfidenceHundredths?: number;
  readonly minCapUnderwrittenHundredths?: number;
  readonly maxCapGapHundredths?: number;
  readonly minYearBuilt?: number;
  readonly maxYearBuilt?: number;
  readonly minDaysOnFeed?: number;
  readonly maxDaysOnFeed?: number;
  readonly minPriceCutTenths?: number;
  readonly minPriceCutCents?: number;
  readonly priceCutSinceMs?: number;
  readonly firstSeenSinceMs?: number;
  /** The hot feed's literal predicate: advertised cap of 8.5% or more and a computed DSCR. */
  readonly hotOnly?: true;
}

const rules: FilterRules<DealColumns, DealFilter> = {
  ...placeRules,
  city: equal('city', foldCity),
  status: oneOf('rentalStatus'),
  wholesaleStatus: oneOf('wholesaleStatus'),
  creativeStatus: oneOf('creativeStatus'),
  reliability: oneOf('reliability'),
  propertyType: oneOf('propertyType'),
  hotOnly: holds('hot', isHot),
  minPriceCents: atLeast('priceCents'),
  maxPriceCents: atMost('priceCents'),
  minCapHundredths: atLeast('capHundredths'),
  minUnits: atLeast('units'),
  maxUnits: atMost('units'),
  minCentsPerUnit: atLeast('centsPerUnit'),
  maxCentsPerUnit: atMost('centsPerUnit'),
  minDscrHundredths: atLeast('dscrHundredths'),
  minConfidenceHundredths: atLeast('confidenceHundredths'),
  minCapUnderwrittenHundredths: atLeast('capUnderwrittenHundredths'),
  maxCapGapHundredths: atMost('capGapHundredths'),
  minYearBuilt: atLeast('yearBuilt'),
  maxYearBuilt: atMost('yearBuilt'),
  minDaysOnFeed: atLeast('daysOnFeed'),
  maxDaysOnFeed: atMost('daysOnFeed'),
  minPriceCutTenths: atLeast('priceCutTenths'),
  minPriceCutCents: atLeast('priceCutCents'),
  priceCutSinceMs: atLeast('lastCutMs'),
  firstSeenSinceMs: atLeast('firstSeenMs'),
  minScore: leading('dealScore'),
};

/** The orders of the deals feed, as the contract names them. */
export const dealSorts = {
  score: { descending: true, numberOf: ({ dealScore }) => dealScore },
  price: { column: 'standingPrice', numberOf: ({ isPriceDoubted, priceCents }) => unless(isPriceDoubted, priceCents) },
  price_per_unit: { column: 'centsPerUnit', numberOf: ({ centsPerUnit }) => centsPerUnit },
  cap: {
    descending: true,
    column: 'standingCap',
    numberOf: ({ isCapDoubted, capHundredths }) => unless(isCapDoubted, capHundredths),
  },
  cap_underwritten: {
    descending: true,
    column: 'capUnderwrittenHundredths',
    numberOf: ({ capUnderwrittenHundredths }) => capUnderwrittenHundredths,
  },
  cap_gap: { column: 'capGapHundredths', numberOf: ({ capGapHundredths }) => capGapHundredths },
  dscr: { descending: true, column: 'dscrHundredths', numberOf: ({ dscrHundredths }) => dscrHundredths },
  first_seen: { descending: true, column: 'firstSeenMs', numberOf: ({ firstSeenMs }) => firstSeenMs },
  price_cut_pct: { descending: true, column: 'priceCutTenths', numberOf: ({ priceCutTenths }) => priceCutTenths },
  distance: {
    circleOf: ({ near }) => near,
    numberOf: ({ point }, { near } = {}) =>
      near === undefined || point === undefined ? undefined : tenthsOf(milesFrom(near, point)),
  },
} satisfies SortRules<DealColumns, DealFilter>;

function unless<Value>(isDoubted: boolean | undefined, value: Value): Value | undefined {
  return isDoubted === true ? undefined : value;
}

/** What a stored deal has beside its id, and of which kind each value is. */
export const dealColumns = {
  dealScore: 'number',
  confidenceHundredths: 'number',
  ...placeColumns,
  city: 'text',
  priceCents: 'number',
  capHundredths: 'number',
  units: 'number',
  rentalStatus: 'text',
  wholesaleStatus: 'text',
  creativeStatus: 'text',
  reliability: 'text',
  propertyType: 'text',
  dscrComputed: 'flag',
  centsPerUnit: 'number',
  dscrHundredths: 'number',
  capUnderwrittenHundredths: 'number',
  capGapHundredths: 'number',
  priceCutTenths: 'number',
  priceCutCents: 'number',
  toldCents: 'number',
  isPriceDoubted: 'flag',
  isCapDoubted: 'flag',
  yearBuilt: 'number',
  daysOnFeed: 'number',
  firstSeenMs: 'number',
  lastCutMs: 'number',
  lastVerified: 'date',
  sources: 'text',
  matched: 'text',
  aliases: 'text',
} as const;

/** The deals feed: deal_score desc, confidence_score desc, id asc. Source: docs/decisions/contract.md. */
export const dealKind: FeedKind<DealRank, DealColumns, DealFilter> = {
  name: 'deals',
  isCounted: true,
  order: [
    { by: 'dealScore', descending: true },
    { by: 'confidenceHundredths', descending: true },
  ],
  sorts: dealSorts,
  columns: dealColumns,
  packing: dealColumns,
  // Most of what is sold is deals, in pages of fifty.
  holdsBodies: true,
  // What stands in the database is what a publication wrote there.
  readColumns: (json) => ({
    ...(json as unknown as DealColumns),
    lastVerified: new Date(String(json['lastVerified'])),
  }),
  testsOf: (filter) => createTests(rules, filter),
  async createIndex(deals, yieldTurn) {
    const indexes = createColumnIndexes(deals, yieldTurn);
    return {
      match: await createMatch(rules, indexes),
      sorts: await createSortedPositions(dealSorts, true, indexes),
    };
  },
};

/**
 * The hot feed's threshold: an advertised cap of 8.5%, in hundredths of a percent. Source: the service specification.
 */
const hotCapHundredths = 850;

function isHot({ dscrComputed, capHundredths }: DealColumns): boolean {
  return dscrComputed && (capHundredths ?? -Infinity) >= hotCapHundredths;
}
