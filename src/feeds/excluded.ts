import { createHash } from 'node:crypto';
import { unite, type Bitmap } from './query/bitmap.js';
import type { FeedIndex, Moment } from './query/feed-kind.js';
import type { OriginIndex } from './origin-index.js';
import type { Takedowns } from './takedowns.js';

/** The positions that a feed version does not show now: taken down, held, or too old. */
export interface Excluded {
  readonly positions: Bitmap;
  /** Equal for equal positions, on every instance. */
  readonly key: string;
  /** Whether any of it was taken down. */
  readonly hasTakedowns: boolean;
}

/** The held leads, and the age limits of the others. */
export interface HeldLeads {
  momentAt(now: Date): Moment;
  /** Ids not shown in this version. */
  held(version: number): Iterable<string>;
  /** Changes with each new or ended hold. */
  revision(): number;
}

/** The parts of a feed version that decide it. */
export interface ExcludedFrom {
  readonly version: number;
  readonly index: FeedIndex<never>;
  readonly origins: OriginIndex;
}

/** Returns undefined if all of the version is shown. `takedownNumber`: see `Takedowns`. Leads age once a minute. */
export type FindExcluded = (from: ExcludedFrom, takedownNumber: number) => Excluded | undefined;

/** Creates the exclusions of one feed. A result is cached until the minute, a hold or a takedown changes it. */
export function createFindExcluded(
  takedowns: Takedowns,
  leadHolds: HeldLeads | undefined,
  now: () => Date,
): FindExcluded {
  const found = new WeakMap<object, { readonly at: string; readonly excluded: Excluded | undefined }>();

  /** Rounded to whole minutes, to the safe side: a lead that ages out is not shown for the whole minute. */
  function findNotForSale({ version, index }: ExcludedFrom, holds: HeldLeads, minute: number): Bitmap | undefined {
    const moment = holds.momentAt(new Date((minute + 1) * minuteMs));
    return index.notForSale?.(moment, holds.held(version));
  }

  return (from, takedownNumber) => {
    const minute = leadHolds === undefined ? 0 : Math.floor(now().getTime() / minuteMs);
    const at = `${takedownNumber} ${takedowns.revision()} ${minute} ${leadHolds?.revision() ?? 0}`;
    const known = found.get(from.index);
    if (known?.at === at) return known.excluded;
    const takenDown = from.origins.takenDown(takedowns, takedownNumber);
    const unsold = leadHolds && findNotForSale(from, leadHolds, minute);
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
