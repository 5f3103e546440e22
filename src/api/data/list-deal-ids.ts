import type { DealIds } from '../../../generated/types.gen.js';
import { createProver } from '../../contract/prover.js';
import type { Validators } from '../../contract/validators.js';
import type { DealColumns } from '../../feeds/query/deal-kind.js';
import { memoizeLast } from '../../operations/memoize-last.js';
import type { DealFeed, DealSnapshot } from '../../records/feeds/sold-feeds.js';
import type { Handler } from '../handler.js';
import { answeredBy } from './answers.js';
import { reportUrl } from '../../records/report/report-url.js';

/**
 * GET /api/deals/ids: every deal id with its place, in the order of the feed. Rendered once per published version and
 * per later takedown.
 */
export function createListDealIds(feed: DealFeed, validators: Validators): Handler<'listDealIds'> {
  const prover = createProver<DealIds>(validators, 'DealIds');
  const render = memoizeLast((_key: string, snapshot: DealSnapshot) =>
    prover.render(
      toIds(
        snapshot,
        feed.last(snapshot.records.length).map(({ record }) => record),
      ),
    ),
  );
  return () => {
    const snapshot = feed.current();
    const excludedKey = feed.excludedKey();
    const { version } = snapshot;
    const body = render(`${version} ${excludedKey}`, snapshot);
    return { status: 200, body, feed: answeredBy(feed, version, excludedKey) };
  };
}

function toIds({ publishedAt }: DealSnapshot, records: readonly DealColumns[]): DealIds {
  return {
    count: records.length,
    generated_at: publishedAt.toISOString(),
    ids: records.map(({ id, state, city, lastVerified }) => ({
      id,
      state,
      city,
      last_verified: lastVerified.toISOString(),
      report_url: reportUrl(id),
    })),
  };
}
