import { readRendered } from '../contract/rendered.js';
import type { LeadShelf } from '../feeds/lead-shelf.js';
import type { Handler } from './handler.js';
import { leadFilterFromQuery } from './lead-filter-from-query.js';
import type { LeadFeed } from './lead-feed.js';
import { noLeadMatches } from './no-lead-matches.js';
import { toTimestamp } from './wire/timestamp.js';

/** How long a lead that was sold exclusively is shown and sold to nobody else. Source: the contract decisions. */
const exclusiveMs = 30 * 86_400_000;

/**
 * GET /api/leads/exclusive: the best lead that matches and nobody holds. It is set aside here until its sale has ended; that
 * no other instance sells it is the ledger's word.
 */
export function createBuyExclusiveLead(feed: LeadFeed, shelf: LeadShelf, now: () => Date): Handler<'buyExclusiveLead'> {
  return async ({ query }) => {
    await shelf.refreshIfOld();
    const filter = leadFilterFromQuery(query);
    const shown = feed.first(filter);
    if (shown === undefined) throw noLeadMatches(filter, feed.current().index, 'no_exclusive_lead_available');
    const { id } = shown.record;
    shelf.take(id);
    try {
      const [body] = await feed.read('full', [shown]);
      if (body === undefined) throw new Error('A lead that is shown has its text.');
      const lead = readRendered(body);
      const exclusiveUntil = new Date(now().getTime() + exclusiveMs);
      return {
        status: 200,
        body: { exclusive_until: toTimestamp(exclusiveUntil), lead },
        feed: { name: feed.name, version: shown.version, asOf: id },
        leads: [{ leadId: id, exclusiveUntil }],
        onSaleEnd: () => shelf.giveBack(id),
      };
    } catch (error) {
      shelf.giveBack(id);
      throw error;
    }
  };
}
