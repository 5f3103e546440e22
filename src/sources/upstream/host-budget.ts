/** How often each host is asked: a token bucket per host that holds a few requests at once and refills evenly. */
export interface HostBudget {
  /**
   * Waits until the host may be asked once more, at least so many milliseconds after it was asked last; or rejects when
   * the signal aborts before.
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

/** When a host's bucket would be full again, when it was asked last, until when it wants to be left alone; epoch ms. */
interface Bucket {
  fullAt: number;
  lastAt: number;
  heldUntil: number;
  /** When it was looked at last. */
  seenAt: number;
}

/** Creates full buckets. Where the clock is put back, what is to be waited for goes back with it. */
export function createHostBudget(now: () => Date, sleep: Sleep): HostBudget {
  const hosts = new Map<string, Bucket>();
  const find = (host: string): Bucket => {
    const at = now().getTime();
    const known = hosts.get(host) ?? { fullAt: 0, lastAt: 0, heldUntil: 0, seenAt: at };
    const backMs = Math.max(0, known.seenAt - at);
    const bucket = {
      fullAt: known.fullAt - backMs,
      lastAt: known.lastAt - backMs,
      heldUntil: known.heldUntil - backMs,
      seenAt: at,
    };
    hosts.set(host, bucket);
    return bucket;
  };
  return {
    async take(host, requestsPerMinute, pauseMs, signal) {
      const bucket = find(host);
      const intervalMs = 60_000 / requestsPerMinute;
      const { seenAt: at } = bucket;
      const refilledAt = bucket.fullAt - (burst - 1) * intervalMs;
      const startAt = Math.max(at, bucket.heldUntil, refilledAt, bucket.lastAt + pauseMs);
      bucket.fullAt = Math.max(startAt, bucket.fullAt) + intervalMs;
      bucket.lastAt = Math.max(startAt, bucket.lastAt);
      if (startAt > at) await sleep(startAt - at, signal);
    },
    heldMs(host) {
      const { heldUntil, seenAt } = find(host);
      return Math.max(0, heldUntil - seenAt);
    },
    hold(host, until) {
      const bucket = find(host);
      bucket.heldUntil = Math.max(bucket.heldUntil, until.getTime());
    },
  };
}
