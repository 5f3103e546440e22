import { LRUCache } from 'lru-cache';
import { SourceError } from '../source-error.js';
import type { Upstream, UpstreamRequest } from './upstream.js';
/** What a robots.txt says to one agent. */
export interface RobotsRules {
  /** True when the agent may fetch this path with its query. */
  allows(pathAndQuery: string): boolean;
  /** Pause between requests that the site asks for, milliseconds. */
  readonly crawlDelayMs: number | undefined;
}

interface Group {
  readonly agents: string[];
  readonly rules: { readonly allow: boolean; readonly pattern: string }[];
  crawlDelayMs: number | undefined;
}

const maxLines = 10_000;
/** A longer pause would be a refusal in other words; a host is then asked once in so long. */
const maxCrawlDelayMs = 60_000;

/**
 * Reads a robots.txt for one agent, named by its product token such as `my-crawler`. Groups of that token apply
 * together; without one the groups of `*` do. The longest pattern decides, at equal length `Allow`; `*` stands for any
 * characters and `$` for the end. Source: RFC 9309.
 */
export function readRobots(text: string, product: string): RobotsRules {
  const groups = readGroups(text);
  const own = groups.filter(({ agents }) => agents.includes(product.toLowerCase()));
  const mine = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'));
  const rules = mine
    .flatMap((group) => group.rules)
    .sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow));
  return {
    allows: (path) => path === '/robots.txt' || (rules.find(({ pattern }) => matches(pattern, path))?.allow ?? true),
    crawlDelayMs: mine.find(({ crawlDelayMs }) => crawlDelayMs !== undefined)?.crawlDelayMs,
  };
}

/** The rules of a site without a robots.txt. */
export const allowEverything: RobotsRules = { allows: () => true, crawlDelayMs: undefined };

function readGroups(text: string): Group[] {
  const groups: Group[] = [];
  let isNaming = false;
  for (const line of text.split(/\r\n|\r|\n/, maxLines)) {
    const match = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/.exec(line.replace(/^\ufeff/, ''));
    if (match === null) continue;
    const [name, value] = [match[1]?.toLowerCase(), (match[2] ?? '').trim()];
    if (name === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [], crawlDelayMs: undefined });
      groups.at(-1)?.agents.push(value.toLowerCase().replace(/\/.*$/, ''));
      isNaming = true;
      continue;
    }
    const group = groups.at(-1);
    if (group === undefined || (name !== 'allow' && name !== 'disallow' && name !== 'crawl-delay')) continue;
    isNaming = false;
    if (name === 'crawl-delay') {
      if (/^\d+(\.\d+)?$/.test(value)) group.crawlDelayMs = Math.min(maxCrawlDelayMs, Number(value) * 1_000);
    } else if (value !== '') group.rules.push({ allow: name === 'allow', pattern: normalize(value) });
  }
  return groups;
}

/** Matches piece by piece, so that a hostile pattern costs no more than its length times the path's. */
function matches(pattern: string, path: string): boolean {
  const isEnd = pattern.endsWith('$');
  const pieces = (isEnd ? pattern.slice(0, -1) : pattern).split('*');
  // A star or a dollar of the path itself stands in a pattern as its escape.
  const text = normalize(path).replace(/[*$]/g, escape);
  const first = pieces.shift() ?? '';
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const [index, piece] of pieces.entries()) {
    if (isEnd && index === pieces.length - 1) return text.length - piece.length >= at && text.endsWith(piece);
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return !isEnd || at === text.length;
}

/** Percent escapes in one spelling: what should have been escaped is, and what need not be is not. */
function normalize(path: string): string {
  return encodeURI(path)
    .replace(/%25([0-9a-f]{2})/gi, (_, hex: string) => `%${hex.toUpperCase()}`)
    .replace(/%[0-7][0-9A-F]/g, (escaped) => {
      const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : escaped;
    });
}

function escape(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Source: RFC 9309, sections 2.4 (a day) and 2.5 (at least 500 kibibytes are read). */
const keptMs = 24 * 3_600_000;
const maxBytes = 512 * 1024;
/** 2.3.1.3: there are no rules. A 429 says nothing of them, only that they are to be asked for later. */
const unavailable = Array.from({ length: 100 }, (_, index) => 400 + index).filter((status) => status !== 429);

interface RobotsGateOptions {
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
