import type { DealFilter } from '../feeds/deal-filter.js';
import { maxPageRecords, type FeedPage, type PageRequest } from '../feeds/deal-feed.js';
import type { DealSnapshot } from '../feeds/deal-snapshot.js';
import { nothingMatches } from './nothing-matches.js';
import { pageHeaders } from './page-headers.js';

/**
 * The first page of what a filter matches, as a paid list sells it.
 *
 * @throws ServiceError `no_records_match` or `outside_coverage` (404, never billed) when nothing matches
 */
export function sellPage<Record>(
  pageOf: (request: PageRequest) => FeedPage<Record>,
  filter: DealFilter,
  limit: number | undefined,
  current: () => DealSnapshot,
) {
  const page = pageOf({ filter, limit: limit ?? maxPageRecords });
  if (page.total === 0) throw nothingMatches(filter, current());
  const feed = { name: 'deals', version: page.version };
  return { status: 200, body: page.body, headers: pageHeaders(page), feed } as const;
}
