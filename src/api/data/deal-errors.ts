import { ServiceError, type NextStep } from '../../errors.js';
import type { DealColumns } from '../../feeds/query/deal-kind.js';
import type { DealFeed } from '../../records/feeds/sold-feeds.js';
import { reportUrl } from '../../records/report/report-url.js';

/** The free list of every deal id. */
export const idIndex = '/api/deals/ids';
export const lookUpIds: NextStep = { title: 'Every deal id, free', url: idIndex };

/** For every deal that is not in the feed: nobody learns which ones were suppressed. */
export function unknownDeal(): ServiceError {
  return new ServiceError('unknown_deal', 'No deal with this id is in the feed. Nothing was billed.', {
    next: [lookUpIds],
  });
}

/** `{id}`, `:id` or `<id>`, plain or percent-encoded twice. */
const placeholder = /^(?:(?:\{|%7b).*(?:\}|%7d)|(?::|%3a)[a-z_]+|(?:<|%3c).*(?:>|%3e))$/i;
const exampleCount = 3;

/** Creates the 400 for an invalid deal id, which shows a correct request, with or without a payment. */
export function createExplainInvalidDealId(
  feed: DealFeed,
  price: string,
): (path: Readonly<Record<string, unknown>>) => ServiceError {
  return ({ id }) => {
    const isPlaceholder = typeof id === 'string' && placeholder.test(id);
    const note = isPlaceholder
      ? 'The placeholder was not replaced by the id of a deal.'
      : 'This is not a deal id: ids are UUIDs.';
    const howTo = `Take an id from ${idIndex} (free) and request ${reportUrl('<id>')} with it.`;
    const examples: DealColumns[] = [];
    for (const deal of feed.shown()) if (examples.push(deal) === exampleCount) break;
    return new ServiceError(isPlaceholder ? 'placeholder_not_replaced' : 'invalid_deal_id', `${note} ${howTo}`, {
      faults: [{ parameter: 'id', in: 'path', reason: 'invalid_parameter', detail: 'It must be the UUID of a deal.' }],
      next: [lookUpIds],
      members: {
        note,
        how_to: howTo,
        price,
        live_examples: examples.map(({ id: dealId, city, state }) => ({
          url: reportUrl(dealId),
          property: `${city}, ${state}`,
        })),
        free_id_index: idIndex,
        note_billing: 'No charge was made.',
      },
    });
  };
}
