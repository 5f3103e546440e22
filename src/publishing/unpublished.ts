import type { SoldFeeds } from '../records/feeds/sold-feeds.js';
import type { ContractOperation } from '../contract/contract.js';
import { ServiceError } from '../errors.js';
import type { DeliveryKind } from '../sources/source.js';

export interface UnpublishedPorts {
  readonly feeds: SoldFeeds;
  /** True where fictional properties are shown: their first data takes seconds. */
  readonly demonstration: boolean;
  /** When sources of a kind are read next; undefined where nothing reads them by itself. */
  readonly nextRunOf: (delivers: DeliveryKind, now: Date) => Date | undefined;
  readonly now: () => Date;
}

type FeedName = keyof SoldFeeds;

/** Names of the feeds that were never published. */
export function listUnpublished(feeds: SoldFeeds): readonly FeedName[] {
  return (Object.keys(feeds) as FeedName[]).filter((name) => !feeds[name].isPublished());
}

/**
 * Creates what tells of an operation whether it can be delivered: the 503 while a feed that it sells was never
 * published, or by a version whose records lack what this one reads; undefined from then on. Undefined for operations
 * that need no feed.
 */
export function createUnpublished(ports: UnpublishedPorts) {
  const { feeds } = ports;
  return (operation: ContractOperation): (() => ServiceError | undefined) | undefined => {
    const needed = feedsOf(operation);
    if (needed.length === 0) return undefined;
    return () => {
      const missing = needed.find((name) => !feeds[name].isPublished());
      if (missing === undefined) return undefined;
      return feeds[missing].isReadable() ? notYetPublished(missing, waitFor(missing, ports)) : publishedAnew(missing);
    };
  };
}

/**
 * A look-up and a report sell what all three feeds have of a place: without one of them they would tell less than there
 * is.
 */
function feedsOf({ operationId, tags, priceUsd }: ContractOperation): readonly FeedName[] {
  if (operationId === 'lookUpAddress' || operationId === 'getReport') return ['deals', 'signals', 'auctions'];
  if (operationId === 'buyExclusiveLead') return ['leads'];
  if (operationId === 'listDealIds') return ['deals'];
  if (priceUsd === undefined) return [];
  return (['deals', 'signals', 'auctions', 'leads'] as const).filter((name) => tags.includes(name)).slice(0, 1);
}

const demonstrationSeconds = 5;
const mostSeconds = 3_600;

/** Seconds until it is worth asking for a feed again. */
export function waitFor(feed: FeedName, { demonstration, nextRunOf, now }: Omit<UnpublishedPorts, 'feeds'>): number {
  if (demonstration) return demonstrationSeconds;
  const at = now();
  const kinds: readonly DeliveryKind[] =
    feed === 'leads' ? ['listings', 'signals', 'auctions'] : [feed === 'deals' ? 'listings' : feed];
  const runs = kinds.flatMap((kind) => nextRunOf(kind, at)?.getTime() ?? []);
  const seconds = Math.ceil((Math.min(...runs) - at.getTime()) / 1_000);
  return Math.min(Math.max(seconds, 1), mostSeconds);
}

/** The job that republishes runs each minute. */
function publishedAnew(feed: FeedName): ServiceError {
  return new ServiceError(
    'temporarily_unavailable',
    `${capital(feed)} are published anew after an upgrade; ask again after Retry-After. Nothing was billed.`,
    { retryAfterSeconds: 60 },
  );
}

function capital(feed: FeedName): string {
  return `${feed.charAt(0).toUpperCase()}${feed.slice(1)}`;
}

function notYetPublished(feed: FeedName, retryAfterSeconds: number): ServiceError {
  const when =
    retryAfterSeconds === demonstrationSeconds
      ? 'first data in about 10 seconds.'
      : 'ask again after Retry-After. Nothing was billed.';
  return new ServiceError('not_yet_published', `${capital(feed)} are published for the first time; ${when}`, {
    retryAfterSeconds,
  });
}
