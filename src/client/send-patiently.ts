import type { Reply } from './service-client.js';

/** How long to go on when a server asks to come back later. */
export interface Patience {
  /** Requests in all, the first included. */
  readonly maxAttempts: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Told before each pause. */
  readonly onWait?: (seconds: number, reply: Reply | undefined) => void;
}

const defaultWaitSeconds = 1;
/** A server that asks for more is not waited for: its answer is passed on. */
const maxWaitSeconds = 60;

/**
 * Sends, and sends the same again after Retry-After for as long as that may help and patience lasts.
 *
 * @returns the last answer, which may still be one that asks to come back later.
 */
export async function sendPatiently(
  send: () => Promise<Reply | undefined>,
  mayHelp: (reply: Reply | undefined) => boolean,
  patience: Patience,
): Promise<Reply | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await send();
    const seconds = waitSeconds(reply);
    if (attempt >= patience.maxAttempts || seconds > maxWaitSeconds || !mayHelp(reply)) return reply;
    patience.onWait?.(seconds, reply);
    await patience.sleep(seconds * 1000);
  }
}

function waitSeconds(reply: Reply | undefined): number {
  const text = reply?.headers.get('retry-after') ?? '';
  return /^[0-9]{1,9}$/.test(text) ? Math.max(Number(text), defaultWaitSeconds) : defaultWaitSeconds;
}
