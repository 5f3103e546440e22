import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../errors.js';
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

/** It cannot be opened now, and may be when a session or an operator has done something. */
export class NotYet extends OperatorError {
  constructor(
    sentence: string,
    /** locked: another session holds a lock. due: somebody is to migrate. */
    readonly why: 'locked' | 'due',
    options?: ErrorOptions,
  ) {
    super(sentence, options);
  }
}

const eachSecond = { leastMs: 1_000, spreadMs: 0, tellEach: 30 };
/** With the time that each try waits for the lock, it is told each ten seconds. */
const lessOften = { leastMs: 1_000, spreadMs: 4_000, tellEach: 2 };

/**
 * Opens what rests on the database. While that is away, or its schema is not as it must be yet, tries again: each
 * second and logs it each half minute, or where a lock is waited for each one to five seconds and logs it each ten.
 * `whenAway` is awaited before the next try, and where the first try has not reached the database in 8 s: it may hang.
 */
export async function openAtLast<T>(
  open: (onReached: () => void) => Promise<T>,
  {
    log,
    whenAway,
    pause = delay,
    random = Math.random,
    hungMs = 8_000,
  }: {
    readonly log: Pick<Log, 'warn'>;
    readonly whenAway: () => Promise<void>;
    readonly pause?: (ms: number) => Promise<unknown>;
    /** A number in [0, 1) that spreads the tries of several instances. */
    readonly random?: () => number;
    readonly hungMs?: number;
  },
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    let timer: NodeJS.Timeout | undefined;
    const hung = new Promise<'hung'>((resolve) => (timer = setTimeout(resolve, hungMs, 'hung')));
    try {
      const opening = open(() => clearTimeout(timer));
      if (failures === 0 && (await Promise.race([opening, hung])) === 'hung') await whenAway();
      return await opening;
    } catch (error) {
      const waits = error instanceof NotYet;
      if (!waits && !isAway(error)) throw error;
      await whenAway();
      const { leastMs, spreadMs, tellEach } = waits && error.why === 'locked' ? lessOften : eachSecond;
      const sentence = waits
        ? `database.schema: ${error.message}`
        : 'database.reach: the database is away; it is tried again each second';
      if (failures % tellEach === 0) log.warn({ code: codeOf(error) }, sentence);
      await pause(leastMs + spreadMs * random());
    } finally {
      clearTimeout(timer);
    }
  }
}
