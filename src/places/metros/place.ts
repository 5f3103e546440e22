/** A place as a query names it: a record lies in each part that is given, and in one item of a list. */
export interface Place {
  /** Two-letter codes, upper case. */
  readonly state?: readonly string[];
  /** A whole name. */
  readonly city?: string;
  /** Part of a county's label. */
  readonly county?: string;
  /** Five-digit codes. */
  readonly countyFips?: readonly string[];
  /** Five digits each. */
  readonly zip?: readonly string[];
  /** As queries name them: `kansas-city`. */
  readonly metro?: readonly string[];
  readonly near?: Near;
}

/** A circle on the map. */
export interface Near {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusMiles: number;
}
