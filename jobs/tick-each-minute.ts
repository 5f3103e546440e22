import { schedule } from 'node-cron';
import type { Log } from '../src/log.js';

const minuteMs = 60_000;

/**
 * Calls `tick` at each full minute of system time until the returned function is called. After the clock was changed,
 * even by days, or the machine slept, calls resume within two minutes.
 */
export function tickEachMinute(tick: () => void, log: Pick<Log, 'warn' | 'error' | 'debug'>): () => void {
  const logger = {
    info: (message: string) => log.debug(message),
    warn: (message: string) => log.warn(message),
    error: (message: string | Error) => log.error(String(message)),
    debug: (message: string | Error) => log.debug(String(message)),
  };
  // A missed tick needs no warning: the next one finds all due slots.
  const task = schedule('* * * * *', tick, { timezone: 'UTC', suppressMissedWarning: true, logger });
  // The task sleeps until a wall-clock time: if the clock was set back, it would wait until that time comes again.
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
