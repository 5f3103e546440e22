import { createHash } from 'node:crypto';
import type { SoldFeeds } from './api/sold-feeds.js';
import type { ContractOperation } from './contract/contract.js';
import type { Documents } from './discovery/documents.js';
import { daysAt } from './metros/local-date-of.js';
import { feedRevision, type Revision } from './operations/operation.js';
import type { SourceHealth } from './sources/source-health.js';

export interface RevisionPorts {
  readonly documents: Documents;
  readonly feeds: SoldFeeds;
  readonly readHealth: () => Promise<SourceHealth>;
  readonly now: () => Date;
}

/**
 * What replies depend on beside their parameters: what is sold, on its feed's version, auctions on the day, and leads on
 * those that are set aside; what is free and shows records, on all feeds and on the documents, prices among them; metadata
 * on how the sources stand as well; the landing page on all of that and on the minute, by which sources are told; documents on
 * themselves; what is sold to one buyer, probes, payments, sources, counts of changes and other pages on nothing known.
 */
export function createRevisions({ documents, feeds, readHealth, now }: RevisionPorts) {
  const digest = digestOf(documents);
  const digestHealth = createHealthDigest();
  const revisionOf = (feed: SoldFeeds[keyof SoldFeeds]): string => {
    const { name } = feed;
    const { version } = feed.current();
    const asOf = feed === feeds.auctions ? daysAt(now()) : feed.asOf();
    return feedRevision(asOf === undefined ? { name, version } : { name, version, asOf });
  };
  return ({ operationId, tags, priceUsd }: ContractOperation): Revision | undefined => {
    if (tags.some((tag) => ['health', 'payments', 'sources', 'changes', 'exclusive'].includes(tag))) return undefined;
    // What tells until when it is good changes by itself; further pages are their bytes and nothing else.
    if (operationId === 'getSecurityText') return undefined;
    if (tags.includes('pages') && operationId !== 'getHome') return undefined;
    if (tags.includes('discovery') && operationId !== 'getHome') return () => digest;
    const sold = Object.values(feeds).find(({ name }) => tags.includes(name));
    if (tags.includes('lookup')) return () => revisionOfAll(feeds);
    if (priceUsd !== undefined && sold !== undefined) return () => revisionOf(sold);
    const revisionOfFree = (): string => [...Object.values(feeds).map(revisionOf), digest].join(' ');
    const revisionOfMeta = async () => `${digestHealth(await readHealth())} ${revisionOfFree()}`;
    if (operationId === 'getMeta') return revisionOfMeta;
    if (operationId === 'getHome') return async () => `${minuteOf(now())} ${await revisionOfMeta()}`;
    return revisionOfFree;
  };
}

/** The health is one object for as long as it was read once, so that its text is made once, too. */
function createHealthDigest(): (health: SourceHealth) => string {
  const known = new WeakMap<SourceHealth, string>();
  return (health) => {
    const digest = known.get(health) ?? digestOf(health);
    known.set(health, digest);
    return digest;
  };
}

/** Sources are told as of a full minute. */
function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / 60_000);
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** What is composed of all feeds is sold as of the deals'. */
function revisionOfAll({ deals, signals, auctions }: SoldFeeds): string {
  const asOf = `${signals.current().version} ${auctions.current().version}`;
  return feedRevision({ name: deals.name, version: deals.current().version, asOf });
}
