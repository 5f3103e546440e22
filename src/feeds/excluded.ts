import { createHash } from 'node:crypto';
import { unite, type Bitmap } from './query/bitmap.js';
import type { FeedIndex, Moment } from './query/feed-kind.js';
import type { OriginIndex } from './origin-index.js';
import type { Takedowns } from './takedowns.js';

/** What a version of a feed does not show at a moment. */
export interface Excluded {
  readonly positions: Bitmap;
  /** The same for the same positions, on every instance. */
  readonly key: string;
  /** Whether any of it was taken down. */
  readonly hasTakedowns: boolean;
}

/** Which leads are held, and how a moment ages those that are not. */
export interface HeldLeads {
  momentAt(now: Date): Moment;
  /** Ids of those that a version does not show. */
  held(now: Date, version: number): Iterable<string>;
  /** Another number whenever a hold came or went. */
  revision(): number;
}

/** What is asked of a version. */
export interface ExcludedFrom {
  readonly version: number;
  readonly index: FeedIndex<never>;
  readonly origins: OriginIndex;
}

/**
 * Tells what a version does not show now that is without the takedowns up to a number; undefined where it shows all.
 * What ages does so from minute to minute.
 */
export type FindExcluded = (from: ExcludedFrom, without: number) => Excluded | undefined;

/** Creates the exclusion of one feed. What it found is kept until the minute, a hold or a takedown changes it. */
export function createFindExcluded(
  takedowns: Takedowns,
  leadHolds: HeldLeads | undefined,
  now: () => Date,
): FindExcluded {
  const found = new WeakMap<object, { readonly at: string; readonly excluded: Excluded | undefined }>();

  /** What grows too old within the minute is left out from its start, what comes back within it, from its end. */
  function findUnsold({ version, index }: ExcludedFrom, holds: HeldLeads, minute: number): Bitmap | undefined {
    const moment = holds.momentAt(new Date((minute + 1) * minuteMs));
    return index.unsold?.(moment, holds.held(new Date(minute * minuteMs), version));
  }

  return (from, without) => {
    const minute = leadHolds === undefined ? 0 : Math.floor(now().getTime() / minuteMs);
    const at = `${without} ${takedowns.revision()} ${minute} ${leadHolds?.revision() ?? 0}`;
    const known = found.get(from.index);
    if (known?.at === at) return known.excluded;
    const takenDown = from.origins.takenDown(takedowns, without);
    const unsold = leadHolds && findUnsold(from, leadHolds, minute);
    if (takenDown !== undefined && unsold !== undefined) unite(unsold, takenDown);
    const positions = unsold ?? takenDown;
    const excluded = positions && { positions, key: keyOf(positions), hasTakedowns: takenDown !== undefined };
    found.set(from.index, { at, excluded });
    return excluded;
  };
}

const minuteMs = 60_000;

function keyOf(positions: Bitmap): string {
  return createHash('sha256').update(positions).digest('base64url').slice(0, 22);
}
