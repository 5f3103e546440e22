import { createHash } from 'node:crypto';
import type { SoldFeeds } from '../records/feeds/sold-feeds.js';
import type { ContractOperation } from '../contract/contract.js';
import type { Documents } from '../pages/discovery/documents.js';
import { daysAt } from '../places/metros/local-date-of.js';
import { feedRevision, type Revision } from '../operations/operation.js';

export interface RevisionPorts {
  readonly documents: Documents;
  readonly feeds: SoldFeeds;
  /** How the data stands. */
  readonly readHealth: () => Promise<object>;
  readonly now: () => Date;
}

/**
 * What replies depend on beside their parameters: what is sold, on its feed's version, reports and look-ups on those of
 * all three, auctions on the day, and leads on those that are set aside; what is free and shows records, on all feeds
 * and on the documents, prices among them; metadata on how the data stands as well; the landing page on all of that and
 * on the minute, by which sources are told; documents on themselves; what is sold to one buyer, probes, payments,
 * sources, counts of changes and other pages on nothing known.
 */
export function createRevisions({ documents, feeds, readHealth, now }: RevisionPorts) {
  const digest = createHash('sha256').update(JSON.stringify(documents)).digest('base64url');
  const revisionOf = (feed: SoldFeeds[keyof SoldFeeds]): string => {
    const { name } = feed;
    const { version } = feed.current();
    const asOf = feed === feeds.auctions ? daysAt(now()) : feed.asOf();
    return feedRevision(asOf === undefined ? { name, version } : { name, version, asOf });
  };
  // What is withheld of a version while something was taken back since, only the bytes of a reply tell.
  const isSettled = () => Object.values(feeds).every((feed) => feed.takenBack() === undefined);
  const takenBack = () => Object.values(feeds).flatMap((feed) => feed.takenBack()?.state ?? []);
  const revisionOfFree = (): string => [...Object.values(feeds).map(revisionOf), digest, ...takenBack()].join(' ');
  const revisionOfMeta = async () => `${JSON.stringify(await readHealth())} ${revisionOfFree()}`;
  return ({ operationId, tags, priceUsd }: ContractOperation): Revision | undefined => {
    if (tags.some((tag) => ['health', 'payments', 'sources', 'changes', 'exclusive'].includes(tag))) return undefined;
    if (operationId === 'getMeta') return revisionOfMeta;
    if (operationId === 'getHome') return async () => `${minuteOf(now())} ${await revisionOfMeta()}`;
    // What tells until when it is good changes by itself; further pages are their bytes and nothing else.
    if (operationId === 'getSecurityText' || tags.includes('pages')) return undefined;
    if (tags.includes('discovery')) return () => digest;
    const sold = Object.values(feeds).find(({ name }) => tags.includes(name));
    if (tags.includes('lookup') || operationId === 'getReport')
      return () => (isSettled() ? revisionOfAll(feeds) : undefined);
    if (priceUsd !== undefined && sold !== undefined) return () => (isSettled() ? revisionOf(sold) : undefined);
    return revisionOfFree;
  };
}

/** Sources are told as of a full minute. */
function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / 60_000);
}

/** What is composed of all feeds is sold as of the deals'. */
function revisionOfAll({ deals, signals, auctions }: SoldFeeds): string {
  const asOf = `${signals.current().version} ${auctions.current().version}`;
  return feedRevision({ name: deals.name, version: deals.current().version, asOf });
}
