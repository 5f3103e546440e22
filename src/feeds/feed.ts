import { LRUCache } from 'lru-cache';
import type { Rendered } from '../contract/rendered.js';
import { hasPosition } from './query/bitmap.js';
import type { Cutoff } from './query/cutoff.js';
import { createFindExcluded, type Excluded, type HeldLeads } from './excluded.js';
import type { FeedKind } from './query/feed-kind.js';
import type { Identified } from './query/identified.js';
import { rankOf } from './query/feed-order.js';
import { pageTokenMs, type PageCapability, type PageTokens } from './page-token.js';
import type { RecordViews, ViewName } from './store/published-record.js';
import { firstShown, joinBodies, recordsAt, sizeOf, type Slice } from './query/slice.js';
import type { CellOf, After, Snapshot, Tally } from './query/snapshot.js';
import type { Sort } from './query/sort-rule.js';
import type { Origin, Takedowns } from './takedowns.js';

/** Most records in one reply. Source: docs/decisions/contract.md. */
export const maxPageRecords = 1000;
/** Versions that page tokens may still name, the current one among them. */
export const keptVersions = 8;
const minuteMs = 60_000;
/** Memory for pages that were asked for before. */
const pageCacheBytes = 16 * 1024 * 1024;

/** A page of a feed: proven bytes and where the rest is. */
export interface FeedPage<Body> {
  readonly body: Rendered<Body[]>;
  readonly total: number;
  readonly version: number;
  /** Ids of the records, in their order. */
  readonly ids: readonly string[];
  /** Names the records of the version that are not shown; undefined where all are. */
  readonly excludedKey: string | undefined;
  /** Token of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

export interface PageRequest<Rank, Filter> {
  readonly filter: Filter;
  readonly limit: number;
  readonly after?: After<Rank> | undefined;
  /** Undefined: the feed's own order. */
  readonly sort?: Sort | undefined;
  /** The version to read; an older one is kept as long as its page tokens are valid. Default: the current one. */
  readonly version?: number;
}

/** The published records of one kind, as buyers see them. */
export interface Feed<Rank, Columns extends Identified, Filter, Views extends RecordViews> {
  readonly name: string;
  current(): Snapshot<Rank, Columns, Filter>;
  /** Whether it was ever published, if with no record at all: then its version is still 0. */
  isPublished(): boolean;
  /** Whether what is published can be read, as last noted. */
  isReadable(): boolean;
  noteReadable(isReadable: boolean): void;
  /** Makes a snapshot current. Page tokens still name older ones, until some of them was taken down. */
  replace(snapshot: Snapshot<Rank, Columns, Filter>): void;
  /** Names the records of the current version that are not shown; undefined where all are. */
  excludedKey(): string | undefined;
  /** Notes that the current version needs no change to be complete up to a later cutoff. */
  confirm(cutoff: Cutoff): void;
  /** Whether the current version has anything that was taken down. */
  hasTakedowns(): boolean;
  /** The records of the current version that may be shown, in their order. */
  shown(): Iterable<Columns>;
  /** Whether a record of the current version may be shown. */
  mayShow(record: Origin): boolean;
  page<View extends keyof Views & ViewName>(
    view: View,
    request: PageRequest<Rank, Filter>,
  ): Promise<FeedPage<Views[View]>>;
  /** The first record that matches and may be shown, at once. */
  first(filter: Filter): Shown<Columns> | undefined;
  /** How much of the current version matches and may be shown. */
  tally(filter: Filter, others: readonly Filter[], cellOf?: CellOf<Columns>): Tally;
  /** The last records that may be shown, in their order. */
  last(limit: number): readonly Shown<Columns>[];
  /** The proven bytes of records that were shown, all of one version; undefined for one that breaks the contract. */
  read<View extends keyof Views & ViewName>(
    view: View,
    shown: readonly Shown<Columns>[],
  ): Promise<readonly (Rendered<Views[View]> | undefined)[]>;
  /** The rest of a bought result set, for a token of this feed. */
  resume(capability: PageCapability): Promise<FeedPage<Views[keyof Views]>>;
  /** Forgets older versions now, instead of when their page tokens end. */
  close(): void;
}

/** A record and the version that it is of. */
export interface Shown<Record> {
  readonly record: Record;
  readonly version: number;
}

/** Gives the proven bytes of records of a version, in their order. */
export type ReadBodies<Views extends RecordViews> = <View extends keyof Views & ViewName>(
  view: View,
  ids: readonly string[],
  version: number,
) => Promise<{
  /** Undefined for a record that breaks the contract. */
  readonly bodies: readonly (Rendered<Views[View]> | undefined)[];
  /** Bytes of those that are not held anyway. */
  readonly ownBytes: number;
}>;

export interface FeedPorts<Rank extends Identified, Columns extends Rank & Origin, Filter, Views extends RecordViews> {
  readonly kind: FeedKind<Rank, Columns, Filter>;
  readonly empty: Snapshot<Rank, Columns, Filter>;
  readonly readBodies: ReadBodies<Views>;
  readonly tokens: PageTokens;
  readonly takedowns: Takedowns;
  /** The held leads; only for the feed of leads. */
  readonly leadHolds?: HeldLeads | undefined;
  readonly now: () => Date;
}

interface HeldPage<Rank extends Identified> {
  readonly slice: Slice<After<Rank>>;
  readonly page: FeedPage<unknown>;
  readonly minute: number;
}

/** Creates the feed, empty until the first `replace`. */
export function createFeed<Rank extends Identified, Columns extends Rank & Origin, Filter, Views extends RecordViews>(
  ports: FeedPorts<Rank, Columns, Filter, Views>,
): Feed<Rank, Columns, Filter, Views> {
  type HeldSnapshot = Snapshot<Rank, Columns, Filter>;
  const { kind, readBodies, tokens, takedowns, now } = ports;
  let current = ports.empty;
  const kept = new LRUCache<number, HeldSnapshot>({
    max: keptVersions - 1,
    // The link of a page is renewed each minute.
    ttl: pageTokenMs + minuteMs,
    ttlAutopurge: true,
    ttlResolution: 0,
    perf: { now: () => now().getTime() },
  });
  const pages = new LRUCache<string, HeldPage<Rank>>({ maxSize: pageCacheBytes });
  const findExcluded = createFindExcluded(takedowns, ports.leadHolds, now);
  let [isReadable, complete]: [boolean, Cutoff] = [true, { at: ports.empty.publishedAt }];

  /** A version of before, unless the database has dropped of it, or some of it was taken down. */
  function keptVersion(version: number): HeldSnapshot | undefined {
    // Not as a use of it: the oldest is to go first, as from the database.
    const snapshot = isForgotten(version, current.version) ? undefined : kept.peek(version);
    return snapshot === undefined || excludedFrom(snapshot)?.hasTakedowns === true ? undefined : snapshot;
  }

  /** A publication without changes raises the number of the current version. */
  const excludedFrom = (of: HeldSnapshot): Excluded | undefined =>
    findExcluded(of, (of === current ? complete : of).takedownNumber ?? 0);

  const shownAt = (positions: Parameters<typeof recordsAt>[1]): Shown<Columns>[] =>
    recordsAt(current.records, positions).map((record) => ({ record, version: current.version }));

  async function cut(
    view: keyof Views & ViewName,
    snapshot: HeldSnapshot,
    { filter, limit, after, sort }: PageRequest<Rank, Filter>,
    excluded: Excluded | undefined,
  ): Promise<Slice<After<Rank>>> {
    const { positions, total, hasMore } = snapshot.select(filter, limit, after, excluded?.positions, sort);
    const records = recordsAt(snapshot.records, positions);
    // Once: a packed record decodes its id at each access.
    const idsOfAll = records.map(({ id }) => id);
    const read = await readBodies(view, idsOfAll, snapshot.version);
    const { ids, bodies, last } = firstShown(records, idsOfAll, read.bodies, limit, hasMore);
    if (ids.length === 0 && records.length > 0) throw new Error('Every record of a page breaks the contract.');
    const number = sort && last && kind.sorts[sort.by]?.numberOf(last, filter);
    const nextAfter = last && { rank: rankOf<Rank>(kind.order, last), number };
    return { ...joinBodies(bodies, read.ownBytes), ids, total, nextAfter };
  }

  const feed: Feed<Rank, Columns, Filter, Views> = {
    name: kind.name,
    current: () => current,
    isPublished: () => current.version > 0 || complete.at > ports.empty.publishedAt,
    isReadable: () => isReadable,
    noteReadable: (is) => void (isReadable = is),
    replace(snapshot) {
      // Its last token may have been issued just now. A database that has gone back has lost versions.
      if (snapshot.version < current.version) kept.clear();
      else kept.set(current.version, current);
      current = snapshot;
      feed.confirm({ at: snapshot.publishedAt, takedownNumber: snapshot.takedownNumber });
      pages.clear(); // they would keep bytes that nothing else needs any more
    },
    resume(capability) {
      // The signature on the token is ours: what it covers is what `page` of this feed has put there.
      const { view, filter, limit, after, sort, feedVersion } = capability as PageCapability<After<Rank>, Filter>;
      return feed.page(view as keyof Views & ViewName, { filter, limit, after, sort, version: feedVersion });
    },
    close: () => kept.clear(),
    excludedKey: () => excludedFrom(current)?.key,
    confirm: (cutoff) => void (complete = cutoff),
    hasTakedowns: () => excludedFrom(current)?.hasTakedowns === true,
    shown: () => without(current.records, excludedFrom(current)),
    mayShow: (record) => takedowns.mayShow(record, complete.takedownNumber ?? 0),
    first: (filter) => shownAt(current.select(filter, 1, undefined, excludedFrom(current)?.positions).positions)[0],
    tally: (filter, others, cellOf) => current.tally(filter, others, cellOf, excludedFrom(current)?.positions),
    last: (limit) => shownAt(current.selectLast(limit, excludedFrom(current)?.positions)),
    read: async (view, shown) => {
      const ids = shown.map(({ record }) => record.id);
      return (await readBodies(view, ids, shown[0]?.version ?? 0)).bodies;
    },
    async page<View extends keyof Views & ViewName>(view: View, request: PageRequest<Rank, Filter>) {
      type Page = FeedPage<Views[View]>;
      const snapshot = (request.version === undefined ? undefined : keptVersion(request.version)) ?? current;
      const { version } = snapshot;
      const { version: _asked, ...asked } = request;
      // Read once: what is held meanwhile is found out when the page is sold.
      const revision = takedowns.revision();
      const excluded = excludedFrom(snapshot);
      const key = JSON.stringify([view, version, asked, excluded?.key]);
      const seen = pages.get(key);
      const minute = Math.floor(now().getTime() / minuteMs);
      if (seen?.minute === minute) return seen.page as Page;
      const slice = seen?.slice ?? (await cut(view, snapshot, request, excluded));
      // Something may have been taken down, or the version dropped, while it was read.
      if (takedowns.revision() !== revision || (snapshot !== current && keptVersion(version) !== snapshot))
        return feed.page(view, request);
      const { body, total, ids, nextAfter } = slice;
      // A token is valid for 30 minutes from its issue: the link is renewed each minute, the body stays what it is.
      const expiresAt = (minute + 1) * minuteMs + pageTokenMs;
      const place = { feed: kind.name, view, feedVersion: version, expiresAt };
      const rest = nextAfter && { ...asked, ...place, after: nextAfter };
      const page = { body, total, version, ids, excludedKey: excluded?.key, next: rest && tokens.issue(rest) };
      pages.set(key, { slice, page, minute }, { size: key.length + sizeOf(slice) });
      // The key names the view: what is found under it is a page of that view.
      return page as Page;
    },
  };
  return feed;
}

function* without<Columns>(records: Iterable<Columns>, excluded: Excluded | undefined): Generator<Columns> {
  if (excluded === undefined) return yield* records;
  let position = 0;
  for (const record of records) if (!hasPosition(excluded.positions, position++)) yield record;
}

/** Whether the database keeps no longer all of a version, nor what has changed since; see `discardSuperseded`. */
export function isForgotten(version: number, current: number): boolean {
  return version < current - keptVersions;
}
