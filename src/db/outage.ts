import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.js';

/** A server that cannot be used now, and may be later, by SQLSTATE or by the code of the connection. */
const away = /^(08|53|57P|25006|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)/;

/** True where the database is away, full or read-only, as opposed to refusing this service. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error);
  return away.test(code) || (code === '' && /timeout|terminated/i.test(String(error)));
}

/** True where the database answers that it is read-only or full. */
export function isUnwritable(error: unknown): boolean {
  return ['25006', '53100'].includes(codeOf(error));
}

/** The SQLSTATE of an error, or the code of its connection; empty without one. */
export function codeOf(error: unknown): string {
  const own = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (own !== '') return own;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  const text = error instanceof Error ? error.message : '';
  if (/not support SSL/.test(text)) return 'SSL';
  return error instanceof Error && error.cause !== undefined ? codeOf(error.cause) : '';
}

const [againMs, tellMs] = [1_000, 30_000];

/**
 * Opens what rests on the database. While that is away, tries again each second, and logs it each half minute;
 * `whenAway` is awaited before.
 */
export async function openAtLast<T>(
  open: () => Promise<T>,
  {
    log,
    whenAway,
    pause = delay,
  }: {
    readonly log: Pick<Log, 'warn'>;
    readonly whenAway: () => Promise<void>;
    readonly pause?: (ms: number) => Promise<unknown>;
  },
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await open();
    } catch (error) {
      if (!isAway(error)) throw error;
      await whenAway();
      if ((failures * againMs) % tellMs === 0)
        log.warn({ code: codeOf(error) }, 'database.reach: the database is away; it is tried again each second');
      await pause(againMs);
    }
  }
}
