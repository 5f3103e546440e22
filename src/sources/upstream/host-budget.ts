/** Requests that may follow each other without a pause. */
const burst = 3;

/** Waits so many milliseconds; rejects as soon as the signal aborts. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<unknown>;

/** When a host's bucket would be full again, when it was asked last, until when it wants to be left alone; epoch ms. */
interface Bucket {
  fullAt: number;
  lastAt: number;
  blockedUntil: number;
  /** When it was looked at last. */
  seenAt: number;
}

/**
 * Creates the request rate of each host: a token bucket per host that allows a few requests at once and refills evenly.
 * When the clock is set back, the waiting times move back with it.
 */
export function createHostBudget(now: () => Date, sleep: Sleep) {
  const hosts = new Map<string, Bucket>();
  const find = (host: string): Bucket => {
    const at = now().getTime();
    const known = hosts.get(host) ?? { fullAt: 0, lastAt: 0, blockedUntil: 0, seenAt: at };
    const backMs = Math.max(0, known.seenAt - at);
    const bucket = {
      fullAt: known.fullAt - backMs,
      lastAt: known.lastAt - backMs,
      blockedUntil: known.blockedUntil - backMs,
      seenAt: at,
    };
    hosts.set(host, bucket);
    return bucket;
  };
  return {
    /**
     * Waits until the host may be asked once more, at least `pauseMs` milliseconds after the last request. Rejects when
     * the signal aborts before.
     */
    async take(host: string, requestsPerMinute: number, pauseMs: number, signal?: AbortSignal): Promise<void> {
      const bucket = find(host);
      const intervalMs = 60_000 / requestsPerMinute;
      const { seenAt: at } = bucket;
      const refilledAt = bucket.fullAt - (burst - 1) * intervalMs;
      const startAt = Math.max(at, bucket.blockedUntil, refilledAt, bucket.lastAt + pauseMs);
      bucket.fullAt = Math.max(startAt, bucket.fullAt) + intervalMs;
      bucket.lastAt = Math.max(startAt, bucket.lastAt);
      if (startAt > at) await sleep(startAt - at, signal);
    },
    /** How long the host still wants no request, milliseconds. */
    blockedMs(host: string): number {
      const { blockedUntil, seenAt } = find(host);
      return Math.max(0, blockedUntil - seenAt);
    },
    /** The host wants no request before `until`; later requests wait. */
    blockUntil(host: string, until: Date): void {
      const bucket = find(host);
      bucket.blockedUntil = Math.max(bucket.blockedUntil, until.getTime());
    },
  };
}
