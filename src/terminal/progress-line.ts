/** What a command writes on: a stream, or anything that takes text. */
export interface TextOutput {
  write(text: string): unknown;
  /** True for a terminal. */
  readonly isTTY?: boolean | undefined;
}

export interface ProgressLine {
  show(text: string): void;
  /** Leaves the terminal as it was. */
  clear(): void;
}

/** Where nobody watches, a line now and then is enough. */
const quietMs = 5_000;

/** Progress on a stream: one line that is written over on a terminal, a line every five seconds anywhere else. */
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
