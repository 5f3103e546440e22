/** Up to where a version of a feed is complete. */
export interface Cutoff {
  /** It has everything that was written before. */
  readonly at: Date;
  /** It is without the records of takedowns up to this number. Default: 0. */
  readonly takedownNumber?: number | undefined;
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
