import { isUtf8 } from 'node:buffer';
import { readJson } from '../read/read-json.js';
import { unreadable } from '../source-error.js';
import { collectBody } from './decode-body.js';
import { PassingFault, type Upstream, type UpstreamReply, type UpstreamRequest } from './upstream.js';

/** A JSON document; `body` is undefined where the reply is none, such as a 304 or an error page. */
export type JsonReply = UpstreamReply<unknown>;

export interface JsonRequest extends Omit<UpstreamRequest, 'accept'> {
  /** In words, a fault inside a reply of status 200 that may pass; the request is then made again. */
  readonly findPassingFault?: (body: unknown) => string | undefined;
}

/**
 * Fetches one JSON document. Rejects with a SourceError, as `Upstream` does; what the document must be, the caller says
 * with `expectObject` or `expectList`.
 */
export async function getJson(upstream: Upstream, request: JsonRequest): Promise<JsonReply> {
  const { findPassingFault, ...rest } = request;
  return upstream.read({ accept: 'application/json', ...rest }, async (chunks) => {
    const bytes = await collectBody(chunks);
    const body = readJson(bytes.toString('utf8').replace(/^\ufeff/, ''));
    if (body !== undefined && !isUtf8(bytes))
      throw unreadable('A document of JSON is not in UTF-8. Nothing of it is read.');
    const fault = findPassingFault?.(body);
    if (fault !== undefined) throw new PassingFault(fault);
    return body;
  });
}

/** Asserts that a JSON document is an object. `what` names the document in the error. */
export function expectObject(body: unknown, what: string): Readonly<Record<string, unknown>> {
  if (isObject(body)) return body;
  throw unreadable(`${what} is not an object of JSON. Check the configured address.`);
}

/** Asserts that a JSON document, or a part of it, is a list. */
export function expectList(body: unknown, what: string): readonly unknown[] {
  if (Array.isArray(body)) return body;
  throw unreadable(`${what} is not a list of JSON. Check the configured address.`);
}

/** True for an object of named values. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
