const cells = 20;

/** How much is done, as a bar with its percentage: `██████░░░░░░░░░░░░░░  31%`. `of` is more than 0. */
export function renderBar(done: number, of: number): string {
  // It was more before, or it is more now: the bar ends where it ends.
  const share = Math.min(1, done / of);
  const full = Math.floor(share * cells);
  const bar = '\u2588'.repeat(full) + '\u2591'.repeat(cells - full);
  return `${bar} ${`${Math.floor(share * 100)}%`.padStart(4)}`;
}
