import type { ResultPage } from '../../../generated/types.gen.js';
import type { Rendered } from '../../contract/rendered.js';
import { ServiceError } from '../../errors.js';
import type { PageCapability, PageTokens } from '../../feeds/page-token.js';
import type { AuctionFeed, DealFeed, LeadFeed, SignalFeed } from '../../records/feeds/sold-feeds.js';
import type { RenderSignalPage } from '../../records/feeds/signal-page.js';
import type { Handler } from '../handler.js';
import { pageHeaders } from '../../feeds/page-token.js';
import { eventsFeed, type createListEvents } from '../events/list-events.js';
import type { LeadHolds } from '../../feeds/lead-holds.js';

export interface PagePorts {
  readonly deals: DealFeed;
  readonly signals: SignalFeed;
  readonly auctions: AuctionFeed;
  readonly leads: LeadFeed;
  readonly leadHolds: LeadHolds;
  readonly renderSignals: RenderSignalPage;
  /** The rest of events that were bought. */
  readonly resumeEvents: ReturnType<typeof createListEvents>['resume'];
  readonly tokens: PageTokens;
  readonly now: () => Date;
}

/** GET /api/pages/{token}: the next page of a bought result set, free. */
export function createGetPage(ports: PagePorts): Handler<'getPage'> {
  const { deals, auctions, signals, leads, leadHolds, renderSignals, tokens, now } = ports;

  async function resume(capability: PageCapability) {
    if (capability.feed === signals.name) {
      const page = await signals.resume(capability);
      return { page, body: renderSignals(page), name: signals.name };
    }
    if (capability.feed === leads.name) {
      // Leads sold exclusively since the first page was bought must not appear on the next.
      await leadHolds.refresh();
      const page = await leads.resume(capability);
      return { page, body: page.body, name: leads.name };
    }
    const feed = capability.feed === auctions.name ? auctions : deals;
    const page = await feed.resume(capability);
    // A token is of one view, and so are the records of its page.
    return { page, body: page.body as Rendered<ResultPage>, name: feed.name };
  }

  return async ({ path }) => {
    const capability = tokens.redeem(path.token, now());
    if (capability === undefined) {
      throw new ServiceError(
        'not_found',
        'This page token was not issued here. Use the token from the Link header unchanged.',
      );
    }
    if (capability === 'expired') {
      throw new ServiceError(
        'cursor_expired',
        'The page token is older than 30 minutes; a repeated delivery does not renew it. Buy the result set ' +
          'again: without `limit` one reply has up to 1,000 records.',
      );
    }
    if (capability.feed === eventsFeed) {
      const { body, headers, ...feed } = await ports.resumeEvents(capability);
      return { status: 200, body, headers, feed };
    }
    const { page, body, name } = await resume(capability);
    return { status: 200, body, headers: pageHeaders(page), feed: { name, version: page.version } };
  };
}
