/** The output of a command: a stream, or any object that accepts text. */
export interface TextOutput {
  write(text: string): unknown;
  /** True for a terminal. */
  readonly isTTY?: boolean | undefined;
}

export interface ProgressLine {
  show(text: string): void;
  /** Removes the progress line from the terminal. */
  clear(): void;
}

/** The interval of progress lines outside a terminal. */
const quietMs = 5_000;

/** Progress on a stream: one line, overwritten on a terminal; elsewhere a new line at most every five seconds. */
export function createProgressLine(out: TextOutput, now: () => Date): ProgressLine {
  let shownAtMs = now().getTime();
  return {
    show(text) {
      if (out.isTTY === true) {
        out.write(`\r\u001b[K${text}`);
      } else if (now().getTime() - shownAtMs >= quietMs) {
        shownAtMs = now().getTime();
        out.write(`${text}\n`);
      }
    },
    clear() {
      if (out.isTTY === true) out.write('\r\u001b[K');
    },
  };
}
