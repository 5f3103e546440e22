import type { IncomingMessage } from 'node:http';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { SourceError, unreadable } from '../source-error.js';
import { acceptedCodings, collectBody, decodeBody, refuseLargeLength } from './decode-body.js';
import { resolveName } from './guard-lookup.js';
import { createHostBudget, type Sleep } from './host-budget.js';
import { isPassing, maxRetryAfterMs, readRetryAfterMs, retryDelayMs } from './retry-delay.js';
import { createRobotsGate } from './robots-rules.js';
import { createSendRequest, type SendRequest } from './send-request.js';
import { PassingFault, type ReadBody, type Upstream, type UpstreamReply, type UpstreamRequest } from './upstream.js';

const defaults = { requestsPerMinute: 60, maxBytes: 16 * 1024 * 1024, deadlineMs: 120_000 };
const maxRedirects = 5;

export interface UpstreamOptions {
  /** Product token of the user agent, which robots.txt may name. */
  readonly product: string;
  readonly version: string;
  /** Page or mail address for the operators of upstream servers; part of the user agent. */
  readonly contactUrl: string;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Default: by the system's clock, until the signal aborts. */
  readonly sleep?: Sleep;
  /** How one request is sent. Default: guarded, with names resolved by the operating system. */
  readonly send?: SendRequest;
  /** Without a byte for so long a try has failed. Default 30,000. */
  readonly idleMs?: number;
}

/** One hop: what came, or where it points. */
type Hop<T> = UpstreamReply<T> | { readonly redirect: URL } | { readonly failed: string; readonly retryAfter?: string };

/** Creates the client that all sources of a process share, so that each host is asked no more than it should be. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { now, random, send = createSendRequest(resolveName), idleMs = 30_000 } = options;
  const sleep: Sleep = options.sleep ?? ((ms, signal) => sleepFor(ms, undefined, { ...(signal && { signal }) }));
  const userAgent = `${options.product}/${options.version} (+${options.contactUrl})`;
  const budget = createHostBudget(now, sleep);
  const enterByRobots = createRobotsGate({ product: options.product, now, get });

  async function get(request: UpstreamRequest): Promise<UpstreamReply> {
    return read(request, collectBody);
  }

  async function read<T>(request: UpstreamRequest, readBody: ReadBody<T>): Promise<UpstreamReply<T>> {
    try {
      return await readPatiently(request, readBody);
    } catch (error) {
      // Whatever it came upon when it was ended says nothing of the server.
      request.signal?.throwIfAborted();
      throw error;
    }
  }

  async function readPatiently<T>(request: UpstreamRequest, readBody: ReadBody<T>): Promise<UpstreamReply<T>> {
    for (let tries = 1; ; tries += 1) {
      const { host, hop } = await tryOnce(request, readBody);
      if (!('failed' in hop)) return hop;
      const at = now();
      const delayMs = retryDelayMs(tries, hop.retryAfter, at, random);
      const blockedMs = delayMs ?? readRetryAfterMs(hop.retryAfter, at) ?? 0;
      // All who ask the host wait, also the source that is read next.
      if (hop.retryAfter !== undefined) budget.blockUntil(host, new Date(at.getTime() + blockedMs));
      if (delayMs === undefined) throw unavailable(request, host, hop.failed);
      await sleep(delayMs, request.signal);
    }
  }

  /** Follows redirects to one reply, or to a failure that may pass. */
  async function tryOnce<T>(request: UpstreamRequest, readBody: ReadBody<T>) {
    let url = new URL(request.url);
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const pauseMs = request.obeysRobots === true ? await enterByRobots(url, request) : 0;
      if (budget.blockedMs(url.host) > maxRetryAfterMs)
        throw unavailable(request, url.host, 'it asked to be left alone for longer');
      const perMinute = request.requestsPerMinute ?? defaults.requestsPerMinute;
      await budget.take(url.host, perMinute, pauseMs, request.signal);
      const hop = await sendHop(request, url, readBody);
      if (!('redirect' in hop)) return { host: url.host, hop };
      url = hop.redirect;
    }
    throw unreadable(`${url.host} redirects in circles. Correct the configured address.`);
  }

  async function sendHop<T>(request: UpstreamRequest, url: URL, readBody: ReadBody<T>): Promise<Hop<T>> {
    const isHome = url.origin === new URL(request.url).origin;
    const maxBytes = request.maxBytes ?? defaults.maxBytes;
    const { signal, release } = limitTry(request.deadlineMs ?? defaults.deadlineMs, request.signal);
    const allowPrivate = isHome && request.allowPrivate === true;
    let reply: IncomingMessage | undefined;
    try {
      reply = await send({ url, headers: headersOf(request, url, isHome), allowPrivate, idleMs, signal });
      request.cookies?.take(url.href, reply.headers['set-cookie']);
      const status = reply.statusCode ?? 0;
      const verdict = judge(request, url, status, reply.headers.location);
      if (verdict !== 'take') {
        reply.destroy();
        const retryAfter = reply.headers['retry-after'];
        return 'failed' in verdict && retryAfter !== undefined ? { ...verdict, retryAfter } : verdict;
      }
      refuseLargeLength(reply, maxBytes);
      const body = await readBody(decodeBody(reply, maxBytes));
      return { status, headers: reply.headers, body, url: url.href, fetchedAt: now() };
    } catch (error) {
      // An unread body would keep its connection, and the next request would wait for it.
      reply?.destroy();
      if (error instanceof SourceError || request.signal?.aborted === true) throw error;
      if (error instanceof PassingFault) return { failed: error.message };
      if (isCertificateFault(error)) {
        throw new SourceError(
          'upstream_refused',
          `The certificate of ${url.host} is not valid. Nothing is read from it.`,
        );
      }
      return { failed: `the connection failed${codeOf(error)}` };
    } finally {
      release();
    }
  }

  function headersOf(request: UpstreamRequest, url: URL, isHome: boolean): Record<string, string> {
    const { etag, lastModified } = request.validators ?? {};
    const cookie = request.cookies?.header(url.href);
    return {
      'user-agent': userAgent,
      accept: request.accept,
      'accept-encoding': acceptedCodings,
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
      ...(cookie !== undefined && { cookie }),
      ...(isHome && request.credentials),
    };
  }

  return { get, read };
}

/**
 * A signal that aborts at the deadline of one try, or with the caller's, until it is released. `AbortSignal.any` would
 * leave a trace of each try on the caller's signal, which lives as long as the process.
 */
function limitTry(deadlineMs: number, callers: AbortSignal | undefined) {
  const limit = new AbortController();
  const end = () => limit.abort(callers?.reason);
  const deadline = setTimeout(end, deadlineMs);
  callers?.addEventListener('abort', end);
  if (callers?.aborted === true) end();
  const release = () => {
    clearTimeout(deadline);
    callers?.removeEventListener('abort', end);
  };
  return { signal: limit.signal, release };
}

/** What is done with a reply by its status: taken, followed, tried again later, or the end of the run. */
function judge(request: UpstreamRequest, url: URL, status: number, location: string | undefined) {
  if (request.isPending?.(status) === true) return { failed: `it still answers ${status}, "not ready yet"` };
  if (status === 200 || request.expects?.includes(status) === true) return 'take' as const;
  if (status === 304) {
    if (isConditional(request)) return 'take' as const;
    throw unreadable(`${url.host} answers 304, "not modified", though it was not asked that.`);
  }
  if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) {
    return { redirect: followable(url, location) };
  }
  if (isPassing(status)) return { failed: `it answers ${status}` };
  throw new SourceError('upstream_refused', `${url.host} refuses with status ${status}. ${adviceOn(status)}`);
}

function isConditional({ validators }: UpstreamRequest): boolean {
  return validators?.etag !== undefined || validators?.lastModified !== undefined;
}

function followable(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  const isKnown = to?.protocol === 'https:' || to?.protocol === 'http:';
  if (to !== undefined && isKnown && !(from.protocol === 'https:' && to.protocol === 'http:')) return to;
  throw new SourceError('upstream_refused', `${from.host} redirects to an address that is not followed.`);
}

function adviceOn(status: number): string {
  if (status === 401) return 'Check the key that is configured.';
  if (status === 403) return 'Check the key and the rights that it has; the request is not repeated.';
  return 'Check the configured address and query.';
}

function unavailable(request: UpstreamRequest, host: string, failed: string): SourceError {
  const code =
    request.isPending !== undefined && failed.includes('not ready') ? 'upstream_not_ready' : 'upstream_unavailable';
  return new SourceError(code, `${host} cannot be read now: ${failed}. The next run tries again.`);
}

function isCertificateFault(error: unknown): boolean {
  return /CERT|TLS_|SSL|SELF_SIGNED|UNABLE_TO_/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
}
