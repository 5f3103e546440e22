import { leadSorts } from '../../feeds/query/lead-kind.js';
import type { LeadHolds } from '../../feeds/lead-holds.js';
import { answeredBy, pageFromQuery } from './answers.js';
import type { ExplainEmptyResult } from '../coverage/explain-empty-result.js';
import { describeNoLeads } from './describe-no-match.js';
import type { Handler } from '../handler.js';
import { leadFilterFromQuery } from './filters-from-query.js';
import type { LeadFeed } from '../../records/feeds/sold-feeds.js';
import { pageHeaders } from '../../feeds/page-token.js';

/** GET /api/leads: scored leads, highest score first, without those held for a buyer. */
export function createListLeads(
  feed: LeadFeed,
  leadHolds: LeadHolds,
  explain: ExplainEmptyResult,
): Handler<'listLeads'> {
  return async ({ query }) => {
    await leadHolds.refreshIfOld();
    const filter = leadFilterFromQuery(query);
    const page = await feed.page('full', { filter, ...pageFromQuery(leadSorts, query) });
    if (page.total === 0) throw await explain(feed, filter, describeNoLeads(filter));
    const { version, excludedKey, ids } = page;
    return {
      status: 200,
      body: page.body,
      headers: pageHeaders(page),
      feed: answeredBy(feed, version, excludedKey),
      leads: ids.map((leadId) => ({ leadId, exclusiveUntil: undefined })),
    };
  };
}
