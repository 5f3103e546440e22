import { schedule } from 'node-cron';
import type { Log } from '../src/log.js';

const minuteMs = 60_000;

/**
 * Calls `tick` at each full minute of the system's time until the function it returns is called; where the clock is put
 * forward or back, by days perhaps, or the machine has slept, again within two minutes.
 */
export function tickEachMinute(tick: () => void, log: Pick<Log, 'warn' | 'error' | 'debug'>): () => void {
  const logger = {
    info: (message: string) => log.debug(message),
    warn: (message: string) => log.warn(message),
    error: (message: string | Error) => log.error(String(message)),
    debug: (message: string | Error) => log.debug(String(message)),
  };
  // A tick that was missed needs no word: the next finds all that is due.
  const task = schedule('* * * * *', tick, { timezone: 'UTC', suppressMissedWarning: true, logger });
  // It sleeps until a moment of the clock: where that was put back, until the clock has come so far again.
  let lastMs = Date.now();
  const watch = setInterval(() => {
    const nowMs = Date.now();
    if (nowMs < lastMs) {
      void task.stop();
      void task.start();
    }
    lastMs = nowMs;
  }, minuteMs);
  return () => {
    clearInterval(watch);
    void task.destroy();
  };
}
