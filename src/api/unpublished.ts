import type { SoldFeeds } from '../records/feeds/sold-feeds.js';
import type { ContractOperation } from '../contract/contract.js';
import { ServiceError } from '../errors.js';
import type { DeliveryKind } from '../sources/source.js';
import type { NamedId } from '../wire/operation-names.js';

export interface UnpublishedPorts {
  readonly feeds: SoldFeeds;
  /** True in a demonstration: its first data takes seconds. */
  readonly demonstration: boolean;
  /** The next reading of the sources of a kind; undefined where no job reads them. */
  readonly nextRunOf: (delivers: DeliveryKind, now: Date) => Date | undefined;
  readonly now: () => Date;
}

type FeedName = keyof SoldFeeds;

/** Lists the feeds without a readable version: never published, or with fewer columns than this server reads. */
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
    const needed = (feedsOf as Partial<Record<string, readonly FeedName[]>>)[operation.operationId] ?? [];
    if (needed.length === 0) return undefined;
    return () => {
      const missing = needed.find((name) => !feeds[name].isPublished());
      if (missing === undefined) return undefined;
      return feeds[missing].isReadable() ? notYetPublished(missing, ports) : republished(missing);
    };
  };
}

/** A look-up and a report are incomplete unless all three feeds of a place are published. */
const placeFeeds = ['deals', 'signals', 'auctions'] as const;

/** The feeds that each operation on data needs: without them it answers 503. */
const feedsOf: Readonly<Record<NamedId, readonly FeedName[]>> = {
  listDeals: ['deals'],
  listHotDeals: ['deals'],
  listBasicDeals: ['deals'],
  listDealIds: ['deals'],
  listSignals: ['signals'],
  listAuctions: ['auctions'],
  listLeads: ['leads'],
  listEvents: ['deals', 'auctions'],
  buyExclusiveLead: ['leads'],
  lookUpAddress: placeFeeds,
  getReport: placeFeeds,
  previewReport: placeFeeds,
  getMeta: [],
  getCoverage: [],
  countMatches: [],
  countChanges: [],
  listSources: [],
  getPayment: [],
  getPaymentResponse: [],
};

const mostSeconds = 3_600;

type Waiting = Omit<UnpublishedPorts, 'feeds'>;

/** Seconds until a feed may be published; at most an hour. */
export function secondsUntilNextRun(feed: FeedName, { demonstration, nextRunOf, now }: Waiting): number {
  if (demonstration) return 5;
  const at = now();
  const kinds: readonly DeliveryKind[] =
    feed === 'leads' ? ['listings', 'signals', 'auctions'] : [feed === 'deals' ? 'listings' : feed];
  const runs = kinds.flatMap((kind) => nextRunOf(kind, at)?.getTime() ?? []);
  const seconds = Math.ceil((Math.min(...runs) - at.getTime()) / 1_000);
  return Math.min(Math.max(seconds, 1), mostSeconds);
}

// The job that republishes runs each minute.
function republished(feed: FeedName): ServiceError {
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
