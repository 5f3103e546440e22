import { createHash } from 'node:crypto';
import type { Bitmap } from './query/bitmap.js';
import type { FeedIndex, Moment } from './query/feed-kind.js';

/** What a version of a feed must not show at a moment. */
export interface Concealed {
  readonly positions: Bitmap;
  /** The same for the same positions, on every instance. */
  readonly key: string;
}

/** Which records are set aside, and how a moment ages those that are not. */
export interface HeldLeads {
  momentAt(now: Date): Moment;
  /** Ids of what must not be shown of a version. */
  setAside(now: Date, version: number): Iterable<string>;
  /** Another number whenever something was set aside or put back. */
  revision(): number;
}

/** Tells what a version must not show now. What ages does so from one minute to the next. */
export type Conceal = (snapshot: {
  readonly version: number;
  readonly index: FeedIndex<never>;
}) => Concealed | undefined;

/**
 * Creates the concealment of one feed. What it found is kept until the minute or the revision of the lead holds
 * changes.
 */
export function createConceal(leadHolds: HeldLeads, now: () => Date): Conceal {
  const found = new WeakMap<object, { readonly at: string; readonly concealed: Concealed }>();
  return ({ version, index }) => {
    if (index.hidden === undefined) return undefined;
    const minute = Math.floor(now().getTime() / minuteMs);
    const at = `${minute} ${leadHolds.revision()}`;
    const known = found.get(index);
    if (known?.at === at) return known.concealed;
    // What grows too old within the minute is hidden from its start, what comes back within it, from its end.
    const moment = leadHolds.momentAt(new Date((minute + 1) * minuteMs));
    const positions = index.hidden(moment, leadHolds.setAside(new Date(minute * minuteMs), version));
    const key = createHash('sha256').update(positions).digest('base64url').slice(0, 22);
    found.set(index, { at, concealed: { positions, key } });
    return { positions, key };
  };
}

const minuteMs = 60_000;
