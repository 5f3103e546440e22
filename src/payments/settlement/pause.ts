import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after so many milliseconds, or as soon as the signal is aborted. Never rejects. */
export type Pause = (delayMs: number, signal: AbortSignal) => Promise<void>;

/** Pauses by a timer. */
export const pauseByTimer: Pause = (delayMs, signal) => delay(delayMs, undefined, { signal }).catch(() => undefined);
