/** The figure in the middle; of an even number of them the higher of the two. NaN where there is none. */
export function median(figures: readonly number[]): number {
  return [...figures].sort((one, other) => one - other)[Math.floor(figures.length / 2)] ?? NaN;
}
