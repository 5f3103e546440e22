import type { ListSignalsData } from '../../generated/types.gen.js';
import { ServiceError } from '../errors.js';
import { hundredthsAtLeast } from '../feeds/deal-filter.js';
import type { FeedIndex } from '../feeds/feed-kind.js';
import { maxPageRecords } from '../feeds/feed.js';
import type { SignalFilter } from '../feeds/signal-kind.js';
import type { Handler } from './handler.js';
import { pageHeaders } from './page-headers.js';
import { isCountyOutside } from './is-county-outside.js';
import type { RenderSignalPage, SignalFeed } from './signal-feed.js';

/** GET /api/signals: county distress records, largest amount first. */
export function createListSignals(feed: SignalFeed, render: RenderSignalPage): Handler<'listSignals'> {
  return async ({ query }) => {
    const filter = filterFrom(query);
    const page = await feed.page('full', { filter, limit: query.limit ?? maxPageRecords });
    if (page.total === 0) throw nothingMatches(filter, feed.current().index);
    const answered = { name: feed.name, version: page.version };
    return { status: 200, body: render(page), headers: pageHeaders(page), feed: answered };
  };
}

function filterFrom(query: NonNullable<ListSignalsData['query']>): SignalFilter {
  return {
    ...(query.county === undefined ? {} : { county: query.county }),
    ...(query.signal_type === undefined ? {} : { signalType: query.signal_type }),
    ...(query.min_amount === undefined ? {} : { minAmountCents: hundredthsAtLeast(query.min_amount) }),
    // Whoever says false wants all of them: the filter has only one direction.
    ...(query.has_address === true ? { mailReady: true } : {}),
  };
}

function nothingMatches(filter: SignalFilter, index: FeedIndex<SignalFilter>): ServiceError {
  if (filter.county !== undefined && isCountyOutside(filter.county, index.places)) {
    return new ServiceError(
      'outside_coverage',
      'The feed does not cover this county. GET /api/meta tells what is covered. Nothing was billed.',
    );
  }
  return new ServiceError('no_records_match', 'No signal matches all filters. Nothing was billed.');
}
