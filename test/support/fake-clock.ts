import { setImmediate } from 'node:timers/promises';
import type { Pause } from '../../src/payments/settlement/pause.js';

/** A clock that stands still, and what waits by it. */
export function createFakeClock() {
  let ms = 0;
  let waiting: { readonly atMs: number; readonly wake: () => void }[] = [];
  const pause: Pause = (delayMs, signal) =>
    new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      waiting.push({ atMs: ms + delayMs, wake });
      signal.addEventListener('abort', wake);
    });
  return {
    elapsedMs: () => ms,
    pause,
    /** So much time passes at once. Resolves when whoever waited has done what takes no time. */
    async pass(passedMs: number): Promise<void> {
      ms += passedMs;
      const due = waiting.filter(({ atMs }) => atMs <= ms);
      waiting = waiting.filter((each) => !due.includes(each));
      for (const { wake } of due) wake();
      await setImmediate();
    },
  };
}
