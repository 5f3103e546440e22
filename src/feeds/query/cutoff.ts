/** Up to where a version of a feed is complete. */
export interface Cutoff {
  /** It has everything that was written before. */
  readonly at: Date;
  /** It is without the records of takedowns up to this number. Default: 0. */
  readonly takedownNumber?: number | undefined;
}

/** Tolerated difference between the clocks of instances. */
const differenceMs = 30_000;

/**
 * Whether a publication was dated by a clock that was ahead and was set back since. Later writes may then be dated
 * before it, so what it contains is unknown.
 */
export function isAhead(at: Date, now: Date): boolean {
  return at.getTime() > now.getTime() + differenceMs;
}
