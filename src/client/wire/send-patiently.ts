import { readProblem } from './read-problem.js';
import type { Reply } from '../service-client.js';
import { createPurchaseError } from '../error-classes.js';

/** How long to retry when a server asks to come back later. */
export interface Patience {
  /** Total requests, including the first. */
  readonly maxAttempts: number;
  /** Rejects when waiting no longer makes sense. */
  readonly sleep: (ms: number) => Promise<void>;
  /** In [0, 1): spreads out clients that were refused together. */
  readonly random: () => number;
  /** Also retries when no answer arrives or only a proxy answers. Default: an unpaid request then ends. */
  readonly outlastsSilence?: boolean;
  /** Called before each pause. */
  readonly onWait?: ((seconds: number, reply: Reply | undefined) => void) | undefined;
}

/** A longer Retry-After is not followed; its reply is returned. */
const maxWaitSeconds = 60;
/** The maximum total wait for the first publication of a feed, over any number of requests. */
const firstPublicationSeconds = 120;
/** Without Retry-After, pauses double from one second to this. */
const maxPauseSeconds = 16;
/** The random share added to a pause. */
const jitter = 0.25;

/** True for the reply of a feed before its first publication. */
export function isNotYetPublished(reply: Reply | undefined): boolean {
  return reply !== undefined && readProblem(reply)?.reason === 'not_yet_published';
}

/**
 * Sends a request, and repeats it after Retry-After while that may help and attempts remain. Waits up to 120 seconds
 * for the first publication of a feed, unless only one attempt is allowed.
 * @returns the last reply, which may still ask to retry later.
 */
export async function sendPatiently(
  send: () => Promise<Reply | undefined>,
  mayHelp: (reply: Reply | undefined) => boolean,
  patience: Patience,
): Promise<Reply | undefined> {
  let waitedSeconds = 0;
  for (let attempt = 1; ;) {
    const reply = await send();
    const seconds = readRetryAfter(reply) ?? Math.min(2 ** (attempt - 1), maxPauseSeconds);
    const isFirstPublication = patience.maxAttempts > 1 && isNotYetPublished(reply);
    const isOver = isFirstPublication
      ? waitedSeconds + seconds > firstPublicationSeconds
      : attempt >= patience.maxAttempts;
    if (isOver || seconds > maxWaitSeconds || !mayHelp(reply)) return reply;
    if (isFirstPublication) waitedSeconds += seconds;
    else attempt += 1;
    patience.onWait?.(seconds, reply);
    await patience.sleep(Math.round(seconds * 1000 * (1 + jitter * patience.random())));
  }
}

/** At least one second; undefined when the server gives none. */
function readRetryAfter(reply: Reply | undefined): number | undefined {
  const text = reply?.headers.get('retry-after') ?? '';
  return /^[0-9]{1,9}$/.test(text) ? Math.max(Number(text), 1) : undefined;
}

/** @throws PurchaseError `aborted` after the signal has aborted */
export function assertGoesOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw createPurchaseError('aborted', 'The call was ended by its signal.', { cause: signal.reason });
}

/** A pause that ends with the signal. @throws PurchaseError `aborted` */
export function createAbortableSleep(
  sleep: (ms: number) => Promise<void>,
  signal: AbortSignal | undefined,
): (ms: number) => Promise<void> {
  if (signal === undefined) return sleep;
  return async (ms) => {
    assertGoesOn(signal);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    signal.addEventListener('abort', end);
    await Promise.race([sleep(ms), ended]).finally(() => signal.removeEventListener('abort', end));
    assertGoesOn(signal);
  };
}
