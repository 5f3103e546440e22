const cells = 20;

/** A progress bar with its percentage: `██████░░░░░░░░░░░░░░  31%`. `of` is more than 0. */
export function renderBar(done: number, of: number): string {
  // The estimate may be too low, so the bar is capped at 100%.
  const share = Math.min(1, done / of);
  const full = Math.floor(share * cells);
  const bar = '\u2588'.repeat(full) + '\u2591'.repeat(cells - full);
  return `${bar} ${`${Math.floor(share * 100)}%`.padStart(4)}`;
}
