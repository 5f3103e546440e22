/** How often each host is asked: a token bucket per host that holds a few requests at once and refills evenly. */
export interface HostBudget {
  /**
   * Waits until the host may be asked once more, at least so many milliseconds after it was asked last; or rejects when the
   * signal aborts before.
   */
  take(host: string, requestsPerMinute: number, pauseMs: number, signal?: AbortSignal): Promise<void>;
  /** For how long the host still wants to be left alone, milliseconds. */
  heldMs(host: string): number;
  /** The host said not to be asked before then; whoever asks it waits. */
  hold(host: string, until: Date): void;
}

/** Requests that may follow each other without a pause. */
const burst = 3;

/** Waits so many milliseconds; rejects as soon as the signal aborts. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<unknown>;

/** Creates full buckets. */
export function createHostBudget(now: () => Date, sleep: Sleep): HostBudget {
  /** When a host's bucket would be full again, when it was asked last, until when it wants to be left alone; epoch ms. */
  const hosts = new Map<string, { fullAt: number; lastAt: number; heldUntil: number }>();
  const find = (host: string) => {
    const known = hosts.get(host) ?? { fullAt: 0, lastAt: 0, heldUntil: 0 };
    hosts.set(host, known);
    return known;
  };
  return {
    async take(host, requestsPerMinute, pauseMs, signal) {
      const bucket = find(host);
      const intervalMs = 60_000 / requestsPerMinute;
      const at = now().getTime();
      const refilledAt = bucket.fullAt - (burst - 1) * intervalMs;
      const startAt = Math.max(at, bucket.heldUntil, refilledAt, bucket.lastAt + pauseMs);
      bucket.fullAt = Math.max(startAt, bucket.fullAt) + intervalMs;
      bucket.lastAt = Math.max(startAt, bucket.lastAt);
      if (startAt > at) await sleep(startAt - at, signal);
    },
    heldMs: (host) => Math.max(0, find(host).heldUntil - now().getTime()),
    hold(host, until) {
      const bucket = find(host);
      bucket.heldUntil = Math.max(bucket.heldUntil, until.getTime());
    },
  };
}
