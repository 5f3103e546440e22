import { ServiceError } from '../../errors.js';
import type { DealFeed } from '../../records/feeds/deal-feed.js';
import { idIndex, lookUpIds } from './refuse-deal.js';
import { reportUrl } from '../../records/report/report-url.js';

/** `{id}`, `:id` or `<id>`, as they stand or percent-encoded once more. */
const placeholder = /^(?:(?:\{|%7b).*(?:\}|%7d)|(?::|%3a)[a-z_]+|(?:<|%3c).*(?:>|%3e))$/i;
const exampleCount = 3;

/** Refuses what is not the id of a deal with a 400 that shows how to ask; it is told whether a payment came or not. */
export function createRefuseDealId(
  feed: DealFeed,
  price: string,
): (path: Readonly<Record<string, unknown>>) => ServiceError {
  return ({ id }) => {
    const isPlaceholder = typeof id === 'string' && placeholder.test(id);
    const note = isPlaceholder
      ? 'The placeholder was sent as it stands: it takes the id of a deal.'
      : 'This is not the id of a deal: ids are UUIDs.';
    const howTo = `Take an id from ${idIndex} (free) and ask for ${reportUrl('<id>')} with it.`;
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
