import { createPurchaseError } from '../error-classes.js';
import type { PurchaseError } from '../payments/purchase-error.js';

/** Starts a timer; the returned function cancels it. */
export type StartTimer = (ms: number, end: () => void) => () => void;

/** The limits of one request. */
export interface Bounds {
  /** Bytes of a 200 after decoding. Default 32 MB. */
  readonly maxReplyBytes?: number | undefined;
  readonly startTimer?: StartTimer | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
}

/** An answer that was read whole. */
export interface BoundedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const defaultReplyBytes = 32_000_000;
/** Of a 402, and of every other answer without data. */
const maxErrorBytes = 256_000;
/** Node's own limit is about the same. */
const maxHeaderBytes = 16_000;
/** Without a byte. */
const maxQuietMs = 15_000;
/** From the request to the last byte. */
const maxTotalMs = 90_000;

/** A timer of the platform. */
export const startPlatformTimer: StartTimer = (ms, end) => {
  const timer = setTimeout(end, ms);
  return () => clearTimeout(timer);
};

/**
 * Sends one request and reads its answer, counting bytes after decoding while they come. Redirects are not followed,
 * since a payment is meant for this server only.
 * @param isPaying the first byte may then come as late as the end of all, since a settlement takes up to 40 s
 * @throws UnexpectedAnswerError `reply_too_large` beyond 32 MB (`maxReplyBytes`), 256 kB for an error, 16 kB of
 *   headers; `reply_stalled` after 15 s without a byte, or 90 s in all. Anything else: no complete answer arrived.
 */
export async function fetchBounded(
  url: string,
  init: RequestInit,
  { maxReplyBytes = defaultReplyBytes, startTimer = startPlatformTimer, fetch = globalThis.fetch, signal }: Bounds,
  isPaying = false,
): Promise<BoundedAnswer> {
  const end = new AbortController();
  let stalled: PurchaseError | undefined;
  const stall = () => {
    stalled ??= createPurchaseError('reply_stalled', 'The answer did not come to its end in time.');
    end.abort(stalled);
  };
  const stopTotal = startTimer(maxTotalMs, stall);
  let stopQuiet = startTimer(isPaying ? maxTotalMs : maxQuietMs, stall);
  const onBytes = () => {
    stopQuiet();
    stopQuiet = startTimer(maxQuietMs, stall);
  };
  try {
    const both = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]);
    const response = await fetch(new Request(url, { ...init, redirect: 'manual', signal: both }));
    onBytes();
    const { status, headers } = response;
    if (countHeaderBytes(headers) > maxHeaderBytes) throw tooLarge('headers', maxHeaderBytes, status);
    const text = await readText(response, status === 200 ? maxReplyBytes : maxErrorBytes, onBytes);
    return { status, headers, text };
  } catch (error) {
    if (isHeaderOverflow(error)) throw tooLarge('headers', maxHeaderBytes);
    throw stalled ?? error;
  } finally {
    stopQuiet();
    stopTotal();
    end.abort(); // frees the connection where the rest is not read
  }
}

async function readText({ body, status }: Response, maxBytes: number, onBytes: () => void): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) return text + decoder.decode();
    onBytes();
    bytes += value.length;
    if (bytes > maxBytes) throw tooLarge('body', maxBytes, status);
    text += decoder.decode(value, { stream: true });
  }
}

function countHeaderBytes(headers: Headers): number {
  const lineBytes = ': \r\n'.length;
  return [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + lineBytes, 0);
}

/** Node's `fetch` gives up by itself above its own limit. */
function isHeaderOverflow(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error && (cause as NodeJS.ErrnoException).code === 'UND_ERR_HEADERS_OVERFLOW';
}

function tooLarge(what: string, maxBytes: number, status?: number): PurchaseError {
  const told = `The answer's ${what} is over the limit of ${maxBytes} bytes, so the rest was not read.`;
  return createPurchaseError('reply_too_large', told, status === undefined ? {} : { status });
}
