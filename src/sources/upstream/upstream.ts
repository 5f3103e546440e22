import type { IncomingHttpHeaders } from 'node:http';
import type { CookieJar } from './cookie-jar.js';

/** What a server said of a document's version; sent back to it, it answers 304 while the document is the same. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

export interface UpstreamRequest {
  /** Absolute http or https address. */
  readonly url: string;
  /** Media types asked for, as in the Accept header. */
  readonly accept: string;
  /** Headers that say who asks, such as a token. They never leave the origin of `url`, also when it redirects. */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly cookies?: CookieJar;
  readonly validators?: Validators;
  /** Statuses beside 200 and 304 that the caller understands by itself, such as 404 for "none". */
  readonly expects?: readonly number[];
  /** Asks again, like after a 503, while this is true of a reply; such as a 202 that says "not yet". */
  readonly isPending?: (status: number) => boolean;
  /** Requests a minute that the host is to see at most. Default 60. */
  readonly requestsPerMinute?: number;
  /** Largest decoded body. Default 16 MiB. */
  readonly maxBytes?: number;
  /** How long one try may take in all. Default 120,000. */
  readonly deadlineMs?: number;
  /** Asks robots.txt first. For pages that are made for people. */
  readonly obeysRobots?: boolean;
  /** Lets the origin of `url`, and only it, be at a private or loopback address. */
  readonly allowPrivate?: boolean;
  /** Ends the request, and whatever it waits for, as soon as it aborts; the request then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface UpstreamReply<T = Buffer> {
  /** 200, 304 where the request had validators, or one that the request expects. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Decoded. */
  readonly body: T;
  /** Where the reply came from, after redirects. */
  readonly url: string;
  readonly fetchedAt: Date;
}

/**
 * What a reader of a body throws when the body tells of a fault that may pass: the request is made again, like after a
 * 503.
 */
export class PassingFault extends Error {}

/** Reads the decoded body of a reply while it arrives; runs again from the start when the connection breaks. */
export type ReadBody<T> = (body: AsyncIterable<Buffer>) => Promise<T>;

/**
 * The one way to other people's servers. Polite: at most so many requests a minute per host, Retry-After, conditional
 * requests, robots.txt, an identified user agent, no retry where the server said no. Guarded: no private address behind
 * a public name, bounded bodies, times and redirects. Rejects with a SourceError that names the host, never a query or
 * key; or with the reason of its signal.
 */
export interface Upstream {
  /** One document, whole in memory. */
  get(request: UpstreamRequest): Promise<UpstreamReply>;
  /** One document as a stream, for what is too large for memory. */
  read<T>(request: UpstreamRequest, readBody: ReadBody<T>): Promise<UpstreamReply<T>>;
}

/** The validators of a reply; undefined when the server gave none. */
export function readValidators(headers: IncomingHttpHeaders): Validators | undefined {
  const { etag, 'last-modified': lastModified } = headers;
  return etag === undefined && lastModified === undefined ? undefined : { etag, lastModified };
}
