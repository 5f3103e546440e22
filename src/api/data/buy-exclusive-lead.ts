import type { Lead } from '../../../generated/types.gen.js';
import { readRendered } from '../../contract/rendered.js';
import type { Shown } from '../../feeds/feed.js';
import type { LeadColumns } from '../../feeds/query/lead-kind.js';
import type { LeadHolds } from '../../feeds/lead-holds.js';
import type { ExplainEmptyResult } from '../coverage/explain-empty-result.js';
import { describeNoLeads } from './describe-no-match.js';
import type { Handler } from '../handler.js';
import { leadFilterFromQuery } from './filters-from-query.js';
import type { LeadFeed } from '../../records/feeds/sold-feeds.js';

/** How long a lead that was sold exclusively is kept from everyone else. Source: docs/decisions/contract.md. */
const exclusiveMs = 30 * 86_400_000;
/** Limit of one request. More unsellable leads in a row mean a mass takedown or a fault outside the leads. */
const mostPassedOver = 20;

/**
 * GET /api/leads/exclusive: the best matching lead that nobody holds, nor has bought before a restore, and that can be
 * sold. It is held here until its sale ends; the ledger ensures that no other instance sells it.
 */
export function createBuyExclusiveLead(
  feed: LeadFeed,
  leadHolds: LeadHolds,
  now: () => Date,
  explain: ExplainEmptyResult,
): Handler<'buyExclusiveLead'> {
  /** Holds a lead and reads it. A lead that was taken down or breaks the contract is skipped and returns undefined. */
  async function take(shown: Shown<LeadColumns>): Promise<Lead | undefined> {
    const { id } = shown.record;
    let lead: Lead | undefined;
    leadHolds.take(id);
    try {
      const [body] = await feed.read('full', [shown]);
      lead = body && readRendered(body);
      if (lead === undefined) leadHolds.passOver(id, shown.version);
      return lead;
    } finally {
      if (lead === undefined) leadHolds.giveBack(id);
    }
  }

  return async ({ query }) => {
    await leadHolds.refreshIfOld();
    const filter = leadFilterFromQuery(query);
    for (let passedOver = 0; passedOver <= mostPassedOver; passedOver++) {
      const shown = feed.first({ ...filter, firstSeenFromMs: leadHolds.exclusiveFrom()?.getTime() });
      if (shown === undefined)
        throw await explain(feed, filter, describeNoLeads(filter, true), 'no_exclusive_lead_available');
      const lead = await take(shown);
      if (lead === undefined) continue;
      const { id } = shown.record;
      const exclusiveUntil = new Date(now().getTime() + exclusiveMs);
      return {
        status: 200,
        body: { exclusive_until: exclusiveUntil.toISOString(), lead },
        feed: { name: feed.name, version: shown.version },
        leads: [{ leadId: id, exclusiveUntil }],
        onSaleEnd: () => leadHolds.giveBack(id),
      };
    }
    throw new Error('Too many of the best leads cannot be sold.');
  };
}
