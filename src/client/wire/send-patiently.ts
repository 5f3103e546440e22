import { readProblem } from './read-problem.js';
import type { Reply } from '../service-client.js';

/** How long to go on when a server asks to come back later. */
export interface Patience {
  /** Requests in all, the first included. */
  readonly maxAttempts: number;
  /** Rejects when waiting is of no use any more. */
  readonly sleep: (ms: number) => Promise<void>;
  /** In [0, 1): spreads out those who were turned away together. */
  readonly random: () => number;
  /** Goes on also when nobody answers, or only somebody in between. Default: that ends what is not paid for yet. */
  readonly outlastsSilence?: boolean;
  /** Told before each pause. */
  readonly onWait?: ((seconds: number, reply: Reply | undefined) => void) | undefined;
}

/** A server that asks for more is not waited for: its answer is passed on. */
const maxWaitSeconds = 60;
/** How long the first publication of a feed is waited for in all, however many requests that takes. */
const firstPublicationSeconds = 120;
/** Where the server does not say when, pauses double from one second to this. */
const maxPauseSeconds = 16;
/** Share of a pause that chance adds to it. */
const jitter = 0.25;

/** True for the answer of a feed that is published for the first time. */
export function isNotYetPublished(reply: Reply | undefined): boolean {
  return reply !== undefined && readProblem(reply)?.reason === 'not_yet_published';
}

/**
 * Sends, and sends the same again after Retry-After for as long as that may help and patience lasts. The first
 * publication of a feed is waited for up to 120 seconds, unless patience ends with the first request.
 *
 * @returns the last answer, which may still be one that asks to come back later.
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

/** Seconds, one at least; undefined where the server does not say. */
function readRetryAfter(reply: Reply | undefined): number | undefined {
  const text = reply?.headers.get('retry-after') ?? '';
  return /^[0-9]{1,9}$/.test(text) ? Math.max(Number(text), 1) : undefined;
}
