/** True where the long proofs run whole: DEPTH=whole, as `npm run test:whole` sets it. */
const isWhole = process.env['DEPTH'] === 'whole';

/**
 * How far a long proof goes: `whole`, or in an ordinary test run a slice of it that still fails at the mistakes it is
 * for.
 */
export function deep<Value>(whole: Value, slice: Value): Value {
  return isWhole ? whole : slice;
}

/** All items, or in an ordinary test run each n-th of them, the first and the last included. */
export function sliceOf<Item>(items: readonly Item[], each: number): readonly Item[] {
  return isWhole ? items : items.filter((_, index) => index % each === 0 || index === items.length - 1);
}
