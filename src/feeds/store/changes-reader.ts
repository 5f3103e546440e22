import type { Knex } from 'knex';
import { addCounts, type ChangeCounts, type CountsByState } from './change-counts.js';

/** What the versions of a span have changed in one state. */
export interface StateChanges extends ChangeCounts {
  readonly state: string;
}

/** What the versions of a feed have changed after a moment. Each is counted by itself: two new prices are two. */
export interface CountedChanges {
  /** The newest version that is counted; 0 before the first. */
  readonly version: number;
  /** What came after it is counted: the moment asked with, or later where older counts are not kept. */
  readonly countedFrom: Date;
  /** When the newest version became visible; the epoch before the first. */
  readonly committedAt: Date;
  /** In alphabetical order; those in which something changed. */
  readonly states: readonly StateChanges[];
}

/** Counts what a feed's versions that became visible after a moment, or after the oldest that is kept, have changed. */
export type ReadChanges = (since: Date) => Promise<CountedChanges>;

/** Creates the reader of what the versions of one feed have changed. It costs the same however long a span is. */
export function createChangesReader(knex: Knex, feed: string): ReadChanges {
  return async (since) => {
    const { rows } = await knex.raw<{ rows: TotalsRow[] }>(selectTotals, { feed, since });
    const [oldest, base, newest] = (['oldest', 'base', 'newest'] as const).map((place) =>
      rows.find((row) => row.place === place),
    );
    if (oldest === undefined || newest === undefined) throw new Error(`The changes of ${feed} are not counted.`);
    const changes = addCounts(newest.totals, (base ?? oldest).totals, -1);
    return {
      version: Number(newest.version),
      countedFrom: base === undefined ? oldest.committed_at : since,
      committedAt: newest.committed_at,
      states: Object.entries(changes)
        .filter(([, { added, removed, repriced }]) => added + removed + repriced > 0)
        .map(([state, counts]) => ({ state, ...counts }))
        .sort((one, other) => (one.state < other.state ? -1 : 1)),
    };
  };
}

interface TotalsRow {
  /** base: the newest that was visible at the moment asked with. */
  readonly place: 'oldest' | 'base' | 'newest';
  readonly version: string;
  readonly committed_at: Date;
  readonly totals: CountsByState;
}

// The moments of versions rise with them.
const selectTotals = `
  (SELECT 'oldest' AS place, version, committed_at, totals FROM feed_changes WHERE feed = :feed ORDER BY version LIMIT 1)
  UNION ALL (SELECT 'base', version, committed_at, totals FROM feed_changes
    WHERE feed = :feed AND committed_at <= :since ORDER BY version DESC LIMIT 1)
  UNION ALL (SELECT 'newest', version, committed_at, totals FROM feed_changes WHERE feed = :feed ORDER BY version DESC LIMIT 1)`;
