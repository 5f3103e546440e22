import { LRUCache } from 'lru-cache';
import { joinRendered, type Rendered } from '../contract/rendered.js';
import type { DealFilter } from './deal-filter.js';
import { createDealSnapshot, type DealSnapshot } from './deal-snapshot.js';
import { pageTokenMs, type PageTokens } from './page-token.js';
import type { RankKey } from './published-deal.js';

/** Most records in one reply. Source: the contract decisions. */
export const maxPageRecords = 1000;
/** Memory for pages that were asked for before; a page is a list of records that are held anyway. */
const pageCacheBytes = 16 * 1024 * 1024;

/** A page of the feed: proven bytes and where the rest is. */
export interface FeedPage<Record> {
  readonly body: Rendered<Record[]>;
  readonly total: number;
  readonly version: number;
  /** Token of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

export interface PageRequest {
  readonly filter: DealFilter;
  readonly limit: number;
  readonly after?: RankKey;
  /** The version to read; an older one is kept as long as its page tokens are valid. Default: the current one. */
  readonly version?: number;
}

/** The published deals, as buyers see them. */
export interface DealFeed<Full, Basic> {
  current(): DealSnapshot<Full, Basic>;
  /** Makes a snapshot current. Older ones stay readable for the page tokens that name them. */
  replace(snapshot: DealSnapshot<Full, Basic>): void;
  fullPage(request: PageRequest): FeedPage<Full>;
  basicPage(request: PageRequest): FeedPage<Basic>;
}

/** Creates the feed, empty until the first `replace`. */
export function createDealFeed<Full, Basic>(tokens: PageTokens, now: () => Date): DealFeed<Full, Basic> {
  let current = createDealSnapshot<Full, Basic>(0, new Date(0), []);
  const kept = new LRUCache<number, DealSnapshot<Full, Basic>>({
    max: 8,
    ttl: pageTokenMs,
    perf: { now: () => now().getTime() },
  });
  const fullPages = createPageCache<Full>();
  const basicPages = createPageCache<Basic>();

  function page<Record>(
    view: 'full' | 'basic',
    cache: PageCache<Record>,
    recordOf: (snapshot: DealSnapshot<Full, Basic>, position: number) => Rendered<Record> | undefined,
    request: PageRequest,
  ): FeedPage<Record> {
    const snapshot = (request.version === undefined ? undefined : kept.get(request.version)) ?? current;
    const { filter, limit, after } = request;
    const key = JSON.stringify([snapshot.version, filter, limit, after]);
    const seen = cache.get(key);
    const minute = Math.floor(now().getTime() / 60_000);
    if (seen?.minute === minute) return seen.page;
    const slice = seen?.slice ?? cut(snapshot, request, (position) => recordOf(snapshot, position));
    const { body, total, nextAfter } = slice;
    // A token is valid for 30 minutes from its issue: the link is renewed each minute, the body stays what it is.
    const expiresAt = (minute + 1) * 60_000 + pageTokenMs;
    const next = nextAfter && { view, filter, limit, after: nextAfter, feedVersion: snapshot.version, expiresAt };
    const page = { body, total, version: snapshot.version, next: next && tokens.issue(next) };
    cache.set(key, { slice, page, minute });
    return page;
  }

  return {
    current: () => current,
    replace(snapshot) {
      current = snapshot;
      kept.set(snapshot.version, snapshot);
    },
    fullPage: (request) => page('full', fullPages, (snapshot, position) => snapshot.deals[position]?.full, request),
    basicPage: (request) => page('basic', basicPages, (snapshot, position) => snapshot.deals[position]?.basic, request),
  };
}

/** What a request matches in one version of the feed; the same whenever it is asked. */
interface Slice<Record> {
  readonly body: Rendered<Record[]>;
  readonly total: number;
  /** The last record, when there are more. */
  readonly nextAfter: RankKey | undefined;
}

type PageCache<Record> = LRUCache<string, { slice: Slice<Record>; page: FeedPage<Record>; minute: number }>;

function cut<Record>(
  snapshot: DealSnapshot,
  { filter, limit, after }: PageRequest,
  recordOf: (position: number) => Rendered<Record> | undefined,
): Slice<Record> {
  const { positions, total, hasMore } = snapshot.select(filter, limit, after);
  const last = hasMore ? snapshot.deals[positions.at(-1) ?? -1] : undefined;
  const nextAfter = last && { dealScore: last.dealScore, confidenceHundredths: last.confidenceHundredths, id: last.id };
  return { body: joinRendered(positions.flatMap((position) => recordOf(position) ?? [])), total, nextAfter };
}

function createPageCache<Record>(): PageCache<Record> {
  return new LRUCache({
    maxSize: pageCacheBytes / 2,
    sizeCalculation: ({ slice }, key) => slice.body.chunks.length * 16 + key.length + 500,
  });
}
