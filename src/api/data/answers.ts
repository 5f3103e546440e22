import type { ServiceError } from '../../errors.js';
import { maxPageRecords, type Feed, type PageRequest } from '../../feeds/feed.js';
import { pageHeaders } from '../../feeds/page-token.js';
import type { Identified } from '../../feeds/query/identified.js';
import type { SortRule } from '../../feeds/query/sort-rule.js';
import type { RecordViews, ViewName } from '../../feeds/store/published-record.js';
import type { AnsweringFeed } from '../../operations/operation.js';
import type { SoldFeeds } from '../../records/feeds/sold-feeds.js';

/** The paging and sorting parameters of a query. */
interface PageQuery<Name> {
  readonly limit?: number;
  readonly sort?: Name;
  readonly order?: 'asc' | 'desc';
}

/** The page size and order of a query. A declared sort name that the feed lacks does not compile. */
export function pageFromQuery<Name extends string>(
  sorts: Readonly<Record<Name, SortRule<never>>>,
  { limit = maxPageRecords, sort, order }: PageQuery<NoInfer<Name>>,
): Pick<PageRequest<never, never>, 'limit' | 'sort'> {
  const own = Object.keys(sorts)[0] as Name;
  const by = sort ?? own;
  const { descending: isUsual = false } = sorts[by];
  const descending = order === undefined ? isUsual : order === 'desc';
  return { limit, sort: by === own && descending === isUsual ? undefined : { by, descending } };
}

/** Creates the error for a filter without matches; never billed. */
export type ExplainNone<Filter> = (filter: Filter) => Promise<ServiceError>;

/**
 * Sells the first page of a filter's matches.
 * @throws the error of `explain` (404, never billed) when nothing matches
 */
export async function sellPage<
  Rank,
  Columns extends Identified,
  Filter,
  Views extends RecordViews,
  View extends keyof Views & ViewName,
>(
  feed: Feed<Rank, Columns, Filter, Views>,
  view: View,
  filter: Filter,
  how: Pick<PageRequest<never, never>, 'limit' | 'sort'>,
  explain: ExplainNone<Filter>,
  ...inputs: readonly string[]
) {
  const page = await feed.page(view, { filter, ...how });
  if (page.total === 0) throw await explain(filter);
  const answered = answeredBy(feed, page.version, page.excludedKey, ...inputs);
  return { status: 200, body: page.body, headers: pageHeaders(page), feed: answered } as const;
}

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
