import { LRUCache } from 'lru-cache';
import { SourceError } from '../source-error.js';
import { allowEverything, readRobots, type RobotsRules } from './robots-rules.js';
import type { Upstream, UpstreamRequest } from './upstream.js';

/** Source: RFC 9309, sections 2.4 (a day) and 2.5 (at least 500 kibibytes are read). */
const keptMs = 24 * 3_600_000;
const maxBytes = 512 * 1024;
/** 2.3.1.3: there are no rules. A 429 says nothing of them, only that they are to be asked for later. */
const unavailable = Array.from({ length: 100 }, (_, index) => 400 + index).filter((status) => status !== 429);

export interface RobotsGateOptions {
  readonly product: string;
  readonly now: () => Date;
  readonly get: Upstream['get'];
}

/**
 * Creates the gate, which reads each site's robots.txt once a day. It returns the pause between requests that the site
 * wants, milliseconds, 0 for none.
 * - A site without a robots.txt (any 4xx but 429) allows everything.
 * - A site whose robots.txt is not available now is not read at all (RFC 9309).
 *
 * @throws SourceError for a page that must not be read
 */
export function createRobotsGate({ product, now, get }: RobotsGateOptions) {
  const kept = new LRUCache<string, { readonly rules: RobotsRules; readonly at: number }>({ max: 200 });

  async function find(url: URL, { allowPrivate, url: home, signal }: UpstreamRequest): Promise<RobotsRules> {
    const known = kept.get(url.origin);
    if (known !== undefined && now().getTime() - known.at < keptMs) return known.rules;
    const reply = await get({
      url: `${url.origin}/robots.txt`,
      accept: 'text/plain',
      expects: unavailable,
      maxBytes,
      signal,
      allowPrivate: allowPrivate === true && url.origin === new URL(home).origin,
    });
    const rules = reply.status === 200 ? readRobots(reply.body.toString('utf8'), product) : allowEverything;
    kept.set(url.origin, { rules, at: now().getTime() });
    return rules;
  }

  return async (url: URL, request: UpstreamRequest): Promise<number> => {
    const rules = await find(url, request);
    if (rules.allows(url.pathname + url.search)) return rules.crawlDelayMs ?? 0;
    throw new SourceError(
      'robots_disallowed',
      `The robots.txt of ${url.host} does not allow this page. Ask its operator, or take the source out.`,
    );
  };
}
