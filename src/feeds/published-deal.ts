import type { Rendered } from '../contract/rendered.js';

export type RankedStatus = 'Hot' | 'Warm' | 'Pass';

/** What the feed reads of a deal to rank and filter it; quantities as integers so that comparisons are exact. */
export interface DealColumns {
  readonly id: string;
  /** Two-letter code, upper case. */
  readonly state: string;
  readonly city: string;
  /** Asking price in cents. */
  readonly priceCents: number | undefined;
  /** Advertised cap rate in hundredths of a percent. */
  readonly capHundredths: number | undefined;
  readonly units: number | undefined;
  readonly dealScore: number;
  /** Confidence in hundredths, 0 to 100. */
  readonly confidenceHundredths: number;
  readonly rentalStatus: RankedStatus;
  readonly dscrComputed: boolean;
  readonly lastVerified: Date;
}

/** A deal as it is published: its columns, and its proven bytes in both widths. */
export interface PublishedDeal<Full = unknown, Basic = unknown> extends DealColumns {
  readonly full: Rendered<Full>;
  readonly basic: Rendered<Basic>;
}

/** The total order of the feed: deal_score desc, confidence_score desc, id asc. */
export function compareRank(a: RankKey, b: RankKey): number {
  if (a.dealScore !== b.dealScore) return b.dealScore - a.dealScore;
  if (a.confidenceHundredths !== b.confidenceHundredths) return b.confidenceHundredths - a.confidenceHundredths;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** A position in the feed's order. */
export type RankKey = Pick<DealColumns, 'dealScore' | 'confidenceHundredths' | 'id'>;
