import type { ServiceError } from '../../errors.js';
import type { FeedIndex } from '../../feeds/query/feed-kind.js';
import type { Identified } from '../../feeds/query/identified.js';
import { maxPageRecords, type Feed } from '../../feeds/feed.js';
import type { RecordViews } from '../../feeds/store/published-record.js';
import { answeredBy } from './answered-by.js';
import { pageHeaders } from '../../records/feeds/page-headers.js';

/**
 * The first page of a filter's matches, as a paid list sells it.
 * @throws the error of `explain` (404, never billed) when nothing matches
 */
export async function sellPage<
  Rank,
  Columns extends Identified,
  Filter,
  Views extends RecordViews,
  View extends keyof Views & string,
>(
  feed: Feed<Rank, Columns, Filter, Views>,
  view: View,
  filter: Filter,
  limit: number | undefined,
  explain: (filter: Filter, index: FeedIndex<Filter>) => ServiceError | Promise<ServiceError>,
  ...inputs: readonly string[]
) {
  const page = await feed.page(view, { filter, limit: limit ?? maxPageRecords });
  if (page.total === 0) throw await explain(filter, feed.current().index);
  const answered = answeredBy(feed, page.version, page.excludedKey, ...inputs);
  return { status: 200, body: page.body, headers: pageHeaders(page), feed: answered } as const;
}
