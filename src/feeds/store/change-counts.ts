/** How many records were added, removed and repriced. */
export interface ChangeCounts {
  readonly added: number;
  readonly removed: number;
  readonly repriced: number;
}

/** Counts by two-letter state. */
export type CountsByState = Readonly<Record<string, ChangeCounts>>;

const none: ChangeCounts = { added: 0, removed: 0, repriced: 0 };

/** Adds counts to totals, or takes them off where `sign` is -1. A state of either is in the sum. */
export function addCounts(totals: CountsByState, counts: CountsByState, sign: 1 | -1 = 1): CountsByState {
  const states = [...new Set([...Object.keys(totals), ...Object.keys(counts)])];
  return Object.fromEntries(
    states.map((state) => {
      const { added, removed, repriced } = totals[state] ?? none;
      const other = counts[state] ?? none;
      return [
        state,
        {
          added: added + sign * other.added,
          removed: removed + sign * other.removed,
          repriced: repriced + sign * other.repriced,
        },
      ];
    }),
  );
}
