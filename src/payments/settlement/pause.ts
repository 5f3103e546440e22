import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after so many milliseconds, or as soon as the signal is aborted. Never rejects. */
export type Pause = (delayMs: number, signal: AbortSignal) => Promise<void>;

/** Pauses by a timer. */
export const pauseByTimer: Pause = (delayMs, signal) => delay(delayMs, undefined, { signal }).catch(() => undefined);

/**
 * Whether so many milliseconds have passed since a moment. Where the clock was put back behind it nobody knows, and
 * waiting until it has come so far again may take days: then they have.
 */
export function hasPassed(ms: number, sinceMs: number, now: Date): boolean {
  const passedMs = now.getTime() - sinceMs;
  return passedMs < 0 || passedMs >= ms;
}
