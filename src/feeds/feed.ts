import { LRUCache } from 'lru-cache';
import type { Rendered } from '../contract/rendered.js';
import { ServiceError } from '../errors.js';
import { type AsOf, isAhead } from './query/as-of.js';
import type { Bitmap } from './query/bitmap.js';
import { createConceal, type HeldLeads } from './concealment.js';
import type { FeedKind } from './query/feed-kind.js';
import type { Identified } from './query/identified.js';
import { rankOf } from './query/feed-order.js';
import { pageTokenMs, type PageCapability, type PageTokens } from './page-token.js';
import type { RecordViews } from './store/published-record.js';
import { firstShown, joinBodies, recordsAt, sizeOf, type Slice } from './query/slice.js';
import type { Snapshot } from './query/snapshot.js';

/** Most records in one reply. Source: docs/decisions/contract.md. */
export const maxPageRecords = 1000;
/** Versions that page tokens may still name, the current one among them. */
export const keptVersions = 8;
const minuteMs = 60_000;
/** How often as many further records are looked through as a reply can have, where a whole page was taken back. */
const mostSteps = 20;
/** Memory for pages that were asked for before. */
const pageCacheBytes = 16 * 1024 * 1024;

/** A page of a feed: proven bytes and where the rest is. */
export interface FeedPage<Body> {
  readonly body: Rendered<Body[]>;
  readonly total: number;
  readonly version: number;
  /** Ids of the records, in their order. */
  readonly ids: readonly string[];
  /** What the page depends on beside request and version; undefined where nothing is ever hidden. */
  readonly asOf: string | undefined;
  /** Token of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

export interface PageRequest<Rank, Filter> {
  readonly filter: Filter;
  readonly limit: number;
  readonly after?: Rank;
  /** The version to read; an older one is kept as long as its page tokens are valid. Default: the current one. */
  readonly version?: number;
}

/** The published records of one kind, as buyers see them. */
export interface Feed<Rank, Columns extends Identified, Filter, Views extends RecordViews> {
  readonly name: string;
  current(): Snapshot<Rank, Columns, Filter>;
  /** Whether it was ever published, if with no record at all: then its version is still 0. */
  isPublished(): boolean;
  /**
   * Makes a snapshot current. Older ones stay readable for the page tokens that name them, until something is
   * withdrawn.
   */
  replace(snapshot: Snapshot<Rank, Columns, Filter>): void;
  /** Another text whenever what is hidden of the current version changes; undefined where nothing ever is. */
  asOf(): string | undefined;
  /** Notes that the current version needs no change to be complete as of then. */
  confirm(asOf: AsOf): void;
  /** What was taken back since the current version was complete; undefined where nothing was. */
  takenBack(): TakenBack | undefined;
  page<View extends keyof Views & string>(
    view: View,
    request: PageRequest<Rank, Filter>,
  ): Promise<FeedPage<Views[View]>>;
  /** The first record that matches and may be shown, at once. */
  first(filter: Filter): Shown<Columns> | undefined;
  /** The last records that may be shown, in their order. */
  last(limit: number): readonly Shown<Columns>[];
  /** The proven bytes of records that were shown, all of one version; undefined for one that breaks the contract. */
  read<View extends keyof Views & string>(
    view: View,
    shown: readonly Shown<Columns>[],
  ): Promise<readonly (Rendered<Views[View]> | undefined)[]>;
  /** The rest of a bought result set, for a token of this feed. */
  resume(capability: PageCapability): Promise<FeedPage<Views[keyof Views]>>;
  /** Forgets older versions now, instead of when their page tokens end. */
  close(): void;
}

/**
 * Something was taken back that a version may still hold: until the next one, each record is looked at before it is
 * shown.
 */
export interface TakenBack {
  /** Of what was taken back before, the version has nothing. */
  readonly completeAsOf: Date;
  /** Another text whenever something else was. */
  readonly state: string;
}

/** What was taken back, of any feed. */
export interface TakenBackSoFar {
  /** When something last was; undefined while nothing ever was. */
  latest(): Date | undefined;
  /** How much was for good, here or elsewhere: what no clock has to tell, as those of two instances may differ. */
  count(): number;
  /** Another text whenever something was, also where a clock that is behind says that it was before. */
  state(): string;
}

/** A record and the version that it is of. */
export interface Shown<Record> {
  readonly record: Record;
  readonly version: number;
}

/** Gives the proven bytes of records of a version, in their order. */
export type ReadBodies<Views extends RecordViews> = <View extends keyof Views & string>(
  view: View,
  ids: readonly string[],
  version: number,
) => Promise<{
  /** Undefined for a record that breaks the contract, or that was taken back. */
  readonly bodies: readonly (Rendered<Views[View]> | undefined)[];
  /** How many of them were taken back. */
  readonly withheld: number;
  /** Bytes of those that are not held anyway. */
  readonly ownBytes: number;
}>;

export interface FeedPorts<Rank extends Identified, Columns extends Rank, Filter, Views extends RecordViews> {
  readonly kind: FeedKind<Rank, Columns, Filter>;
  readonly empty: Snapshot<Rank, Columns, Filter>;
  readonly readBodies: ReadBodies<Views>;
  readonly tokens: PageTokens;
  /** What of the feed is set aside; undefined where all that is published may be shown. */
  readonly leadHolds?: HeldLeads | undefined;
  /** What was published before something was taken back is not shown any more. Default: nothing ever is. */
  readonly withdrawals?: TakenBackSoFar | undefined;
  readonly now: () => Date;
}

const nothingTakenBack: TakenBackSoFar = { latest: () => undefined, count: () => 0, state: () => '' };

interface HeldPage<Rank extends Identified> {
  readonly slice: Slice<Rank>;
  readonly page: FeedPage<unknown>;
  readonly minute: number;
}

/** Creates the feed, empty until the first `replace`. */
export function createFeed<Rank extends Identified, Columns extends Rank, Filter, Views extends RecordViews>(
  ports: FeedPorts<Rank, Columns, Filter, Views>,
): Feed<Rank, Columns, Filter, Views> {
  type HeldSnapshot = Snapshot<Rank, Columns, Filter>;
  const { kind, readBodies, tokens, withdrawals = nothingTakenBack, now } = ports;
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
  const conceal = ports.leadHolds && createConceal(ports.leadHolds, now);
  let complete: AsOf = { at: ports.empty.publishedAt };

  /** A version of before, unless the database has dropped of it, or it may hold what was taken back since. */
  function keptVersion(version: number): HeldSnapshot | undefined {
    // Not as a use of it: the oldest is to go first, as from the database.
    const snapshot = isForgotten(version, current.version) ? undefined : kept.peek(version);
    const at = withdrawals.latest();
    if (snapshot === undefined) return undefined;
    // Dated later than the one after it, it is of a clock that was put back since.
    const { publishedAt } = snapshot;
    if (at !== undefined && (publishedAt <= at || publishedAt > current.publishedAt)) return undefined;
    return isOfAnotherCount(snapshot, withdrawals) ? undefined : snapshot;
  }

  async function cut(
    view: keyof Views & string,
    snapshot: HeldSnapshot,
    { filter, limit, after }: PageRequest<Rank, Filter>,
    hidden: Bitmap | undefined,
    step = 0,
  ): Promise<Slice<Rank>> {
    const { positions, total, hasMore } = snapshot.select(filter, step === 0 ? limit : maxPageRecords, after, hidden);
    const records = recordsAt(snapshot.records, positions);
    // Once: a packed record reads its id anew each time.
    const idsOfAll = records.map(({ id }) => id);
    const read = await readBodies(view, idsOfAll, snapshot.version);
    const { ids, bodies, last } = firstShown(records, idsOfAll, read.bodies, limit, hasMore);
    if (ids.length === 0 && read.withheld < records.length)
      throw new Error('Every record of a page breaks the contract.');
    const nextAfter = last && rankOf<Rank>(kind.order, last);
    // Nobody pays for a page of nothing while a later one has something.
    if (ids.length === 0 && nextAfter !== undefined) {
      if (step === mostSteps) throw tooMuchTakenBack();
      return cut(view, snapshot, { filter, limit, after: nextAfter }, hidden, step + 1);
    }
    return { ...joinBodies(bodies, read.ownBytes), ids, total: ids.length === 0 ? 0 : total, nextAfter };
  }

  const feed: Feed<Rank, Columns, Filter, Views> = {
    name: kind.name,
    current: () => current,
    isPublished: () => current.version > 0 || complete.at > ports.empty.publishedAt,
    replace(snapshot) {
      // Its last token may have been issued just now.
      kept.set(current.version, current);
      current = snapshot;
      feed.confirm({ at: snapshot.publishedAt, takenBack: snapshot.takenBack });
      // They would keep bytes that nothing else needs any more.
      pages.clear();
    },
    resume(capability) {
      // The signature on the token is ours: what it covers is what `page` of this feed has put there.
      const { view, filter, limit, after, feedVersion } = capability as PageCapability<Rank, Filter>;
      return feed.page(view as keyof Views & string, { filter, limit, after, version: feedVersion });
    },
    close: () => kept.clear(),
    asOf: () => conceal?.(current)?.key,
    confirm: (asOf) => void (complete = asOf),
    takenBack: () => takenBackSince(complete, withdrawals, now()),
    first(filter) {
      const { positions } = current.select(filter, 1, undefined, conceal?.(current)?.positions);
      const record = current.records.at(positions[0] ?? -1);
      return record && { record, version: current.version };
    },
    last: (limit) =>
      recordsAt(current.records, current.selectLast(limit, conceal?.(current)?.positions)).map((record) => ({
        record,
        version: current.version,
      })),
    read: async (view, shown) => {
      const ids = shown.map(({ record }) => record.id);
      return (await readBodies(view, ids, shown[0]?.version ?? 0)).bodies;
    },
    async page<View extends keyof Views & string>(view: View, request: PageRequest<Rank, Filter>) {
      type Page = FeedPage<Views[View]>;
      const snapshot = (request.version === undefined ? undefined : keptVersion(request.version)) ?? current;
      const { version } = snapshot;
      const { filter, limit, after } = request;
      // Read once: what is set aside meanwhile is found out when the page is sold.
      const hidden = conceal?.(snapshot);
      const key = JSON.stringify([view, version, filter, limit, after, hidden?.key, feed.takenBack()?.state]);
      const seen = pages.get(key);
      const minute = Math.floor(now().getTime() / minuteMs);
      if (seen?.minute === minute) return seen.page as Page;
      const slice = seen?.slice ?? (await cut(view, snapshot, request, hidden?.positions));
      // Something may have been taken back while it was read.
      if (snapshot !== current && keptVersion(version) !== snapshot) return feed.page(view, request);
      const { body, total, ids, nextAfter } = slice;
      // A token is valid for 30 minutes from its issue: the link is renewed each minute, the body stays what it is.
      const expiresAt = (minute + 1) * minuteMs + pageTokenMs;
      const feedVersion = version;
      const rest = nextAfter && { feed: kind.name, view, filter, limit, after: nextAfter, feedVersion, expiresAt };
      const page = { body, total, version, ids, asOf: hidden?.key, next: rest && tokens.issue(rest) };
      pages.set(key, { slice, page, minute }, { size: key.length + sizeOf(slice) });
      // The key names the view: what is found under it is a page of that view.
      return page as Page;
    },
  };
  return feed;
}

/** Whether the database keeps no longer all of a version, nor what has changed since; see `discardSuperseded`. */
export function isForgotten(version: number, current: number): boolean {
  return version < current - keptVersions;
}

function takenBackSince(complete: AsOf, withdrawals: TakenBackSoFar, now: Date): TakenBack | undefined {
  const at = withdrawals.latest();
  const completeAsOf = isAhead(complete.at, now) ? new Date(0) : complete.at;
  const isSince = (at !== undefined && at > completeAsOf) || isOfAnotherCount(complete, withdrawals);
  return isSince ? { completeAsOf, state: withdrawals.state() } : undefined;
}

/** Whether something was taken back for good that a version does not know of, whatever the clocks say. */
export function isOfAnotherCount(
  { takenBack }: Pick<AsOf, 'takenBack'>,
  withdrawals: Pick<TakenBackSoFar, 'count'>,
): boolean {
  return takenBack !== undefined && takenBack !== withdrawals.count();
}

/** Until the next version, which is without it. */
function tooMuchTakenBack(): ServiceError {
  return new ServiceError('temporarily_unavailable', 'Most of this data is being taken back. Try again later.', {
    retryAfterSeconds: 60,
  });
}
