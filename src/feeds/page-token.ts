import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isKeyedHash } from '../secrets/is-keyed-hash.js';
import type { Sort } from './query/sort-rule.js';
import type { Secrets } from '../secrets/secrets.js';

/** How long a bought result set can be paged through. Source: docs/decisions/contract.md. */
export const pageTokenMs = 30 * 60_000;

/** What a page token stands for: the rest of one bought result set. */
export interface PageCapability<After = unknown, Filter = unknown> {
  readonly feed: string;
  readonly view: string;
  readonly filter: Filter;
  readonly limit: number;
  readonly sort?: Sort | undefined;
  readonly after: After;
  readonly feedVersion: number;
  readonly expiresAt: number;
}

export interface PageTokens {
  issue(capability: PageCapability): string;
  /** The capability behind a token; `expired` after its time; undefined when this service never issued it. */
  redeem(token: string, now: Date): PageCapability | 'expired' | undefined;
}

/** Signs page tokens with a secret that all instances share, so that any of them can go on with a result set. */
export function createPageTokens(secrets: Secrets): PageTokens {
  /** Tokens that were found genuine; whether they have expired is asked each time. */
  const genuine = new LRUCache<string, PageCapability>({ max: 1_000 });
  const sign = (secret: string, payload: string) => createHmac('sha256', secret).update(`page ${payload}`);
  return {
    issue(capability) {
      const payload = Buffer.from(JSON.stringify(capability)).toString('base64url');
      return `${payload}.${sign(secrets[0], payload).digest('base64url')}`;
    },
    redeem(token, now) {
      const capability = genuine.get(token) ?? open(token);
      if (capability === undefined) return undefined;
      genuine.set(token, capability);
      return capability.expiresAt <= now.getTime() ? 'expired' : capability;
    },
  };

  function open(token: string): PageCapability | undefined {
    const [payload, signature, ...rest] = token.split('.');
    if (payload === undefined || signature === undefined || rest.length > 0) return undefined;
    if (!isKeyedHash(signature, secrets, (secret) => sign(secret, payload).digest())) return undefined;
    // The signature is ours: what it covers has the shape that `issue` gave it.
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as PageCapability;
  }
}

/** The number of matching records, and the link to the next page (RFC 8288). */
export function pageHeaders(page: {
  readonly total: number;
  readonly next: string | undefined;
}): Record<string, string> {
  return {
    'X-Total-Count': String(page.total),
    ...(page.next === undefined ? {} : { Link: `<${pagePath(page.next)}>; rel="next"` }),
  };
}

/** The path of a page by its token. */
export function pagePath(token: string): string {
  return `/api/pages/${token}`;
}
