import { ServiceError } from '../../errors.js';
import type { DealFeed } from '../../records/feeds/deal-feed.js';
import { idIndex, lookUpIds } from './refuse-deal.js';
import { reportUrl } from '../../records/report/report-url.js';

/** `{id}`, `:id` or `<id>`, plain or percent-encoded twice. */
const placeholder = /^(?:(?:\{|%7b).*(?:\}|%7d)|(?::|%3a)[a-z_]+|(?:<|%3c).*(?:>|%3e))$/i;
const exampleCount = 3;

/** Refuses an invalid deal id with a 400 that shows a correct request, with or without a payment. */
export function createRefuseDealId(
  feed: DealFeed,
  price: string,
): (path: Readonly<Record<string, unknown>>) => ServiceError {
  return ({ id }) => {
    const isPlaceholder = typeof id === 'string' && placeholder.test(id);
    const note = isPlaceholder
      ? 'The placeholder was not replaced by the id of a deal.'
      : 'This is not a deal id: ids are UUIDs.';
    const howTo = `Take an id from ${idIndex} (free) and request ${reportUrl('<id>')} with it.`;
    const { records } = feed.current();
    const examples = Array.from({ length: exampleCount }, (_, position) => records.at(position) ?? []).flat();
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
