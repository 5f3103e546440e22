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

/** The feeds without a readable version: never published, or only with fewer columns than this server reads. */
export function listUnpublished(feeds: SoldFeeds): readonly FeedName[] {
  return (Object.keys(feeds) as FeedName[]).filter((name) => !feeds[name].isPublished());
}

/**
 * Creates the check of an operation's feeds; undefined for operations that need none. The check returns the 503 while
 * one of them has no readable version, undefined afterwards.
 */
export function createFindUnpublishedOf(ports: UnpublishedPorts) {
  const { feeds } = ports;
  return (operation: ContractOperation): (() => ServiceError | undefined) | undefined => {
    const needed = feedsOf(operation);
    if (needed.length === 0) return undefined;
    return () => {
      const missing = needed.find((name) => !feeds[name].isPublished());
      if (missing === undefined) return undefined;
      return feeds[missing].isReadable() ? notYetPublished(missing, ports) : publishedAnew(missing);
    };
  };
}

/** A look-up and a report sell the records of a place in three feeds: without one of them they would be incomplete. */
function feedsOf({ operationId, tags, priceUsd }: ContractOperation): readonly FeedName[] {
  if (['lookUpAddress', 'getReport', 'previewReport'].includes(operationId)) return ['deals', 'signals', 'auctions'];
  if (operationId === 'listEvents') return ['deals', 'auctions'];
  if (operationId === 'buyExclusiveLead') return ['leads'];
  if (operationId === 'listDealIds') return ['deals'];
  if (priceUsd === undefined) return [];
  return (['deals', 'signals', 'auctions', 'leads'] as const).filter((name) => tags.includes(name)).slice(0, 1);
}

const mostSeconds = 3_600;

type Waiting = Omit<UnpublishedPorts, 'feeds'>;

/** Seconds until it is worth asking for a feed again. */
export function secondsUntilNextRun(feed: FeedName, { demonstration, nextRunOf, now }: Waiting): number {
  if (demonstration) return 5;
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

function notYetPublished(feed: FeedName, waiting: Waiting): ServiceError {
  const when = waiting.demonstration
    ? 'first data in about 10 seconds.'
    : 'ask again after Retry-After. Nothing was billed.';
  return new ServiceError('not_yet_published', `${capital(feed)} are published for the first time; ${when}`, {
    retryAfterSeconds: secondsUntilNextRun(feed, waiting),
  });
}
