/** The only clock and the only order of events in a simulated history. */
export interface Scheduler {
  /** True milliseconds since the epoch; instances may have other clocks. */
  now(): number;
  /** Schedules a later event. Returns its cancellation. */
  after(delayMs: number, run: () => unknown): () => void;
  /**
   * Runs due events until that moment, one at a time; after each, everything that it resumed has reached its next wait.
   */
  runUntil(untilMs: number): Promise<void>;
}

interface Event {
  readonly dueMs: number;
  readonly order: number;
  readonly run: () => unknown;
  cancelled: boolean;
}

/**
 * Creates a scheduler. A history may wait only for its events: then their order, and with it the history, follows from
 * the seed alone.
 * @param afterStep is called between two events
 */
export function createScheduler(startMs: number, afterStep: () => void): Scheduler {
  const events: Event[] = [];
  let nowMs = startMs;
  let count = 0;

  function insert(event: Event): void {
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      // The next event is the last element, which is cheap to remove.
      if (isBefore(event, events[middle])) low = middle + 1;
      else high = middle;
    }
    events.splice(low, 0, event);
  }

  return {
    now: () => nowMs,
    after(delayMs, run) {
      const event: Event = { dueMs: nowMs + Math.max(0, delayMs), order: count++, run, cancelled: false };
      insert(event);
      return () => void (event.cancelled = true);
    },
    async runUntil(untilMs) {
      for (let event = events.at(-1); event !== undefined && event.dueMs <= untilMs; event = events.at(-1)) {
        events.pop();
        if (event.cancelled) continue;
        nowMs = event.dueMs;
        event.run();
        await drained();
        afterStep();
      }
      nowMs = Math.max(nowMs, untilMs);
    },
  };
}

function isBefore(a: Event, b: Event | undefined): boolean {
  return b === undefined || a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}

/** Resolves when every promise that can continue without another event has continued. */
function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
