import { feedRevision, type AnsweringFeed } from '../../operations/operation.js';
import type { SoldFeeds } from '../../records/feeds/sold-feeds.js';

/** The feed that answered, with what the answer depends on beside its version, as `etag-inputs.ts` names it. */
export function answeredBy(
  { name }: { readonly name: string },
  version: number,
  ...inputs: readonly (string | undefined)[]
): AnsweringFeed {
  const asOf = inputs.filter((input) => input !== undefined).join(' ');
  return asOf === '' ? { name, version } : { name, version, asOf };
}

/** A feed's state: a version, and what of the feed is not shown where that is anything. */
export function stateOf(feed: SoldFeeds[keyof SoldFeeds], version = feed.current().version): string {
  return feedRevision(answeredBy(feed, version, feed.asOf()));
}

/** What is composed of all that is known of a place is sold as of the deals. */
export function answeredByAll(
  { deals, signals, auctions }: Omit<SoldFeeds, 'leads'>,
  versions: Readonly<Record<'deals' | 'signals' | 'auctions', number>>,
): AnsweringFeed {
  const others = [stateOf(signals, versions.signals), stateOf(auctions, versions.auctions)];
  return answeredBy(deals, versions.deals, deals.asOf(), ...others);
}
