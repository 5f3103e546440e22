import { createHash } from 'node:crypto';
import type { SoldFeeds } from '../records/feeds/sold-feeds.js';
import type { ContractOperation } from '../contract/contract.js';
import type { Documents } from '../pages/discovery/documents.js';
import { daysAt } from '../places/metros/local-date-of.js';
import { feedRevision, type Revision } from '../operations/operation.js';

export interface RevisionPorts {
  readonly documents: Documents;
  readonly feeds: SoldFeeds;
  /** The health of the data. */
  readonly readHealth: () => Promise<object>;
  readonly now: () => Date;
}

/**
 * The inputs of a reply's ETag, besides the operation's parameters:
 * - paid list: its feed's version; auctions also the day, leads also the holds
 * - report and lookup: the versions of deals, signals and auctions
 * - other free data: all feeds and the documents, including prices
 * - metadata: the same, and the health of the data
 * - landing page: the same, and the minute, since sources are read once a minute
 * - documents: their own text
 * - exclusive leads, health, payments, sources, changes and other pages: no known inputs
 */
export function createRevisions({ documents, feeds, readHealth, now }: RevisionPorts) {
  const digest = createHash('sha256').update(JSON.stringify(documents)).digest('base64url');
  const revisionOf = (feed: SoldFeeds[keyof SoldFeeds]): string => {
    const { name } = feed;
    const { version } = feed.current();
    const asOf = feed === feeds.auctions ? daysAt(now()) : feed.asOf();
    return feedRevision(asOf === undefined ? { name, version } : { name, version, asOf });
  };
  // After a takedown only the bytes of a reply show which records of the version are left.
  const isSettled = () => Object.values(feeds).every((feed) => feed.takenBack() === undefined);
  const takenBack = () => Object.values(feeds).flatMap((feed) => feed.takenBack()?.state ?? []);
  const revisionOfFree = (): string => [...Object.values(feeds).map(revisionOf), digest, ...takenBack()].join(' ');
  const revisionOfMeta = async () => `${JSON.stringify(await readHealth())} ${revisionOfFree()}`;
  return ({ operationId, tags, priceUsd }: ContractOperation): Revision | undefined => {
    if (tags.some((tag) => ['health', 'payments', 'sources', 'changes', 'exclusive'].includes(tag))) return undefined;
    if (operationId === 'getMeta') return revisionOfMeta;
    if (operationId === 'getHome') return async () => `${minuteOf(now())} ${await revisionOfMeta()}`;
    // security.txt changes with its expiry date; further pages are identified by their bytes.
    if (operationId === 'getSecurityText' || tags.includes('pages')) return undefined;
    if (tags.includes('discovery')) return () => digest;
    const sold = Object.values(feeds).find(({ name }) => tags.includes(name));
    if (tags.includes('lookup') || operationId === 'getReport')
      return () => (isSettled() ? revisionOfAll(feeds) : undefined);
    if (priceUsd !== undefined && sold !== undefined) return () => (isSettled() ? revisionOf(sold) : undefined);
    return revisionOfFree;
  };
}

/** Sources are reported as of a full minute. */
function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / 60_000);
}

/** Replies from all feeds carry the version of the deals feed. */
function revisionOfAll({ deals, signals, auctions }: SoldFeeds): string {
  const asOf = `${signals.current().version} ${auctions.current().version}`;
  return feedRevision({ name: deals.name, version: deals.current().version, asOf });
}
