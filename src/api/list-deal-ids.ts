import type { DealIds } from '../../generated/types.gen.js';
import type { Prover } from '../contract/prover.js';
import { createLatest } from '../latest.js';
import type { DealFeed, DealSnapshot } from './deal-feed.js';
import type { Handler } from './handler.js';
import { reportUrl } from './wire/report-url.js';
import { toTimestamp } from './wire/timestamp.js';

/** GET /api/deals/ids: every deal id with its place, in the order of the feed. Rendered once per published version. */
export function createListDealIds(feed: DealFeed, prover: Prover<DealIds>): Handler<'listDealIds'> {
  const render = createLatest((snapshot: DealSnapshot) => prover.render(toIds(snapshot)));
  return () => {
    const snapshot = feed.current();
    return { status: 200, body: render(snapshot), feed: { name: 'deals', version: snapshot.version } };
  };
}

function toIds(snapshot: DealSnapshot): DealIds {
  return {
    count: snapshot.records.length,
    generated_at: toTimestamp(snapshot.publishedAt),
    ids: Array.from(snapshot.records, ({ id, state, city, lastVerified }) => ({
      id,
      state,
      city,
      last_verified: toTimestamp(lastVerified),
      report_url: reportUrl(id),
    })),
  };
}
