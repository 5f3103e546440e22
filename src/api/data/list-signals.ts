import { signalSorts } from '../../feeds/query/signal-kind.js';
import type { Handler } from '../handler.js';
import { answeredBy, pageFromQuery } from './answers.js';
import { pageHeaders } from '../../feeds/page-token.js';
import type { ExplainEmptyResult } from '../coverage/explain-empty-result.js';
import { signalFilterFromQuery } from './filters-from-query.js';
import type { SignalFeed } from '../../records/feeds/sold-feeds.js';
import type { RenderSignalPage } from '../../records/feeds/signal-page.js';

/** GET /api/signals: county distress records, largest amount first. */
export function createListSignals(
  feed: SignalFeed,
  render: RenderSignalPage,
  explain: ExplainEmptyResult,
): Handler<'listSignals'> {
  return async ({ query }) => {
    const filter = signalFilterFromQuery(query);
    const page = await feed.page('full', { filter, ...pageFromQuery(signalSorts, query) });
    if (page.total === 0) throw await explain(feed, filter, 'No signal matches all filters.');
    const answered = answeredBy(feed, page.version, page.excludedKey);
    return { status: 200, body: render(page), headers: pageHeaders(page), feed: answered };
  };
}
