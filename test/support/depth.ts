/** True when the long proofs run completely: DEPTH=whole, as `npm run test:whole` sets it. */
const isWhole = process.env['DEPTH'] === 'whole';

/** The length of a long proof: `whole`, or in an ordinary test run a slice that still catches its bugs. */
export function deep<Value>(whole: Value, slice: Value): Value {
  return isWhole ? whole : slice;
}

/** All items, or in an ordinary test run each n-th of them, including the first and the last. */
export function sliceOf<Item>(items: readonly Item[], each: number): readonly Item[] {
  return isWhole ? items : items.filter((_, index) => index % each === 0 || index === items.length - 1);
}
