/** Tries of one request in all, the first included. */
export const maxTries = 5;
const firstDelayMs = 1_000;
const maxDelayMs = 60_000;
/** A server that wants to be left alone for longer is asked again by the next run, not by this one. */
export const maxRetryAfterMs = 5 * 60_000;

/**
 * True for a status that may pass by itself: too many requests, time-outs, faults of the server. Never for a refusal.
 */
export function isPassing(status: number): boolean {
  return [408, 425, 429, 500, 502, 503, 504].includes(status) || (status >= 520 && status <= 530);
}

/**
 * How long to wait before the next try, milliseconds: what Retry-After says (seconds or a date), else twice as long
 * after each try, with a random part so that callers do not come back together. Undefined: do not try again in this
 * run.
 */
export function retryDelayMs(
  tries: number,
  retryAfter: string | undefined,
  now: Date,
  random: () => number,
): number | undefined {
  if (tries >= maxTries) return undefined;
  const longest = Math.min(maxDelayMs, firstDelayMs * 2 ** (tries - 1));
  const own = Math.round(longest * (0.5 + random() / 2));
  const asked = readRetryAfterMs(retryAfter, now);
  if (asked === undefined) return own;
  return asked > maxRetryAfterMs ? undefined : Math.max(asked, own);
}

/** For how long Retry-After asks to be left alone, milliseconds; undefined where it cannot be read. */
export function readRetryAfterMs(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
