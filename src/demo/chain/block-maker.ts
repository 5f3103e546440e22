import { pauseByTimer, type Pause } from '../../payments/settlement/pause.js';

/** How long after a call blocks are still made. */
const awakeMs = 10_000;

/** Makes the blocks of a chain that rests while nobody pays. */
export type BlockMaker = ReturnType<typeof createBlockMaker>;

/**
 * Creates a maker that sleeps until it is woken, makes a block then, and one each `everyMs` until ten seconds after it
 * was last woken: a chain on disk grows with each block. Without `everyMs` it makes the first only.
 */
export function createBlockMaker(options: {
  readonly mine: () => Promise<unknown>;
  readonly everyMs: number | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs?: () => number;
  readonly pause?: Pause;
}) {
  const { mine, everyMs, nowMs = () => performance.now(), pause = pauseByTimer } = options;
  const closing = new AbortController();
  let wokenAtMs = -Infinity;
  let first: Promise<unknown> = Promise.resolve();
  let isRunning = false;

  const isAwake = (): boolean => nowMs() - wokenAtMs < awakeMs && !closing.signal.aborted;

  async function run(periodMs: number): Promise<void> {
    isRunning = true;
    while (isAwake()) {
      await pause(periodMs, closing.signal);
      if (isAwake()) await mine();
    }
    isRunning = false;
  }

  return {
    /** Resolves when there is a block of the last ten seconds. */
    async wake(): Promise<void> {
      const wasAwake = isAwake();
      wokenAtMs = nowMs();
      if (!wasAwake) first = mine();
      if (everyMs !== undefined && !isRunning) void run(everyMs);
      await first;
    },
    close: () => closing.abort(),
  };
}
