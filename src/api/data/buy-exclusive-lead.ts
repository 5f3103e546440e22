import type { Lead } from '../../../generated/types.gen.js';
import { readRendered } from '../../contract/rendered.js';
import { ServiceError } from '../../errors.js';
import type { Shown } from '../../feeds/feed.js';
import type { LeadColumns } from '../../feeds/query/lead-kind.js';
import type { LeadHolds } from '../../feeds/lead-holds.js';
import type { ExplainNothing } from './explain-nothing.js';
import type { Handler } from '../handler.js';
import { leadFilterFromQuery } from './lead-filter-from-query.js';
import type { LeadFeed } from '../../records/feeds/lead-feed.js';
import { noLeadMatches } from './no-lead-matches.js';
import { toTimestamp } from '../../records/timestamp.js';

/** How long a lead that was sold exclusively is shown and sold to nobody else. Source: docs/decisions/contract.md. */
const exclusiveMs = 30 * 86_400_000;
/** In one request: where more leads in a row cannot be sold, they were taken back, or the fault is not in a lead. */
const mostPassedOver = 20;

/**
 * GET /api/leads/exclusive: the best lead that matches, that nobody holds and that can be sold. It is set aside here
 * until its sale has ended; that no other instance sells it is the ledger's word.
 */
export function createBuyExclusiveLead(
  feed: LeadFeed,
  leadHolds: LeadHolds,
  now: () => Date,
  explain: ExplainNothing,
): Handler<'buyExclusiveLead'> {
  /**
   * Sets a lead aside and reads it; undefined where it was taken back or breaks the contract: then it is passed over.
   */
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
      const shown = feed.first(filter);
      if (shown === undefined)
        throw await noLeadMatches(filter, feed.current().index, 'no_exclusive_lead_available', explain);
      const lead = await take(shown);
      if (lead === undefined) continue;
      const { id } = shown.record;
      const exclusiveUntil = new Date(now().getTime() + exclusiveMs);
      return {
        status: 200,
        body: { exclusive_until: toTimestamp(exclusiveUntil), lead },
        feed: { name: feed.name, version: shown.version, asOf: id },
        leads: [{ leadId: id, exclusiveUntil }],
        onSaleEnd: () => leadHolds.giveBack(id),
      };
    }
    if (feed.takenBack() === undefined) throw new Error('Too many of the best leads cannot be sold.');
    throw new ServiceError('temporarily_unavailable', 'Many leads are being taken back. Try again later.', {
      retryAfterSeconds: 60,
    });
  };
}
