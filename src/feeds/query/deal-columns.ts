export type RankedStatus = 'Hot' | 'Warm' | 'Pass';

/** A position in the deals feed's order. */
export interface DealRank {
  readonly id: string;
  readonly dealScore: number;
  /** Confidence in hundredths, 0 to 100. */
  readonly confidenceHundredths: number;
}

/** What the feed reads of a deal. */
export interface DealColumns extends DealRank {
  /** Two-letter code, upper case. */
  readonly state: string;
  readonly city: string;
  /** Asking price in cents. */
  readonly priceCents?: number | undefined;
  /** Advertised cap rate in hundredths of a percent. */
  readonly capHundredths?: number | undefined;
  readonly units?: number | undefined;
  readonly rentalStatus: RankedStatus;
  readonly dscrComputed: boolean;
  readonly lastVerified: Date;
}
