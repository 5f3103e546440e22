/** The output of a command: a stream, or any object that accepts text. */
export interface TextOutput {
  write(text: string): unknown;
  /** True for a terminal. */
  readonly isTTY?: boolean | undefined;
}

/** The interval of progress lines outside a terminal. */
const quietMs = 5_000;

/** Progress on a stream: one line, overwritten on a terminal; elsewhere a new line at most every five seconds. */
export function createProgressLine(out: TextOutput, now: () => Date) {
  let shownAtMs = now().getTime();
  return {
    show(text: string): void {
      if (out.isTTY === true) {
        out.write(`\r\u001b[K${text}`);
      } else if (now().getTime() - shownAtMs >= quietMs) {
        shownAtMs = now().getTime();
        out.write(`${text}\n`);
      }
    },
    /** Removes the progress line from the terminal. */
    clear(): void {
      if (out.isTTY === true) out.write('\r\u001b[K');
    },
  };
}

const cells = 20;

/** A progress bar with its percentage: `██████░░░░░░░░░░░░░░  31%`. `of` is more than 0. */
export function renderBar(done: number, of: number): string {
  // The estimate may be too low, so the bar is capped at 100%.
  const share = Math.min(1, done / of);
  const full = Math.floor(share * cells);
  const bar = '\u2588'.repeat(full) + '\u2591'.repeat(cells - full);
  return `${bar} ${`${Math.floor(share * 100)}%`.padStart(4)}`;
}
