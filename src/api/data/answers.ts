import type { AnsweringFeed } from '../../operations/operation.js';
import type { SoldFeeds } from '../../records/feeds/sold-feeds.js';

/** The feed that answered, with the other inputs of its ETag in the order of `etag-inputs.ts`. */
export function answeredBy(
  { name }: { readonly name: string },
  version: number,
  ...inputs: readonly (string | undefined)[]
): AnsweringFeed & { readonly revision: string } {
  return { name, version, revision: [name, version, ...inputs].filter((input) => input !== undefined).join(' ') };
}

/** A feed's version, and the key of its excluded records if there are any. */
export function feedRevision(feed: SoldFeeds[keyof SoldFeeds], version = feed.current().version): string {
  return answeredBy(feed, version, feed.excludedKey()).revision;
}

/** Reports and look-ups are sold under the version of the deals; signals and auctions are in their ETag too. */
export function answeredByAll(
  { deals, signals, auctions }: Omit<SoldFeeds, 'leads'>,
  versions: Readonly<Record<'deals' | 'signals' | 'auctions', number>>,
): AnsweringFeed {
  const others = [feedRevision(signals, versions.signals), feedRevision(auctions, versions.auctions)];
  return answeredBy(deals, versions.deals, deals.excludedKey(), ...others);
}
