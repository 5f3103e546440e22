import type { ListSignalsData } from '../../../generated/types.gen.js';
import { hundredthsAtLeast } from '../../feeds/query/deal-filter.js';
import { maxPageRecords } from '../../feeds/feed.js';
import type { SignalFilter } from '../../feeds/query/signal-kind.js';
import type { Handler } from '../handler.js';
import { hasRecordOf } from './coverage-of.js';
import { pageHeaders } from '../../records/feeds/page-headers.js';
import type { ExplainNothing } from './explain-nothing.js';
import type { RenderSignalPage, SignalFeed } from '../../records/feeds/signal-feed.js';

/** GET /api/signals: county distress records, largest amount first. */
export function createListSignals(
  feed: SignalFeed,
  render: RenderSignalPage,
  explain: ExplainNothing,
): Handler<'listSignals'> {
  return async ({ query }) => {
    const filter = filterFrom(query);
    const { county } = filter;
    const page = await feed.page('full', { filter, limit: query.limit ?? maxPageRecords });
    if (page.total === 0)
      throw await explain({
        feed: 'signals',
        place: { county },
        hasRecord: hasRecordOf(feed.current().index, county === undefined ? {} : { county }),
        reason: 'no_records_match',
        detail: 'No signal matches all filters.',
      });
    const answered = { name: feed.name, version: page.version };
    return { status: 200, body: render(page), headers: pageHeaders(page), feed: answered };
  };
}

function filterFrom(query: NonNullable<ListSignalsData['query']>): SignalFilter {
  return {
    ...(query.county === undefined ? {} : { county: query.county }),
    ...(query.signal_type === undefined ? {} : { signalType: query.signal_type }),
    ...(query.min_amount === undefined ? {} : { minAmountCents: hundredthsAtLeast(query.min_amount) }),
    // `false` means no filter: the parameter works in one direction only.
    ...(query.has_address === true ? { mailReady: true } : {}),
  };
}
