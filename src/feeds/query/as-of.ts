/** What a version of a feed has. */
export interface AsOf {
  /** All that was written down before. */
  readonly at: Date;
  /** It is without the takedowns up to this number; default: 0. */
  readonly takedowns?: number | undefined;
}

/** The clocks of instances may differ by so much. */
const differenceMs = 30_000;

/**
 * Whether a publication was dated by a clock that was ahead and has been put back since: what was written down after it
 * may be dated before it, so that nobody knows what it has.
 */
export function isAhead(at: Date, now: Date): boolean {
  return at.getTime() > now.getTime() + differenceMs;
}
