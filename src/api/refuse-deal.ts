import { ServiceError } from '../errors.js';
import type { Screen } from '../operations/operation.js';
import type { DealFeed } from './deal-feed.js';
import { findDeal } from './find-deal.js';
import { reportUrl } from './wire/report-url.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** `{id}`, `:id` or `<id>`, as they stand or percent-encoded once more. */
const placeholder = /^(?:(?:\{|%7b).*(?:\}|%7d)|(?::|%3a)[a-z_]+|(?:<|%3c).*(?:>|%3e))$/i;
const exampleCount = 3;

/** Why a report is not sold of a deal that is not in the feed; unbilled. */
export type RefuseMissing = (id: string) => Promise<ServiceError>;

/**
 * Refuses a report before anybody is asked to pay for it: an id that is none is a 400 that shows how to ask, and a deal
 * that is not in the feed a 404. The id index is free, so neither tells what would be sold.
 */
export function createReportScreen(feed: DealFeed, price: string, refuseMissing: RefuseMissing): Screen {
  return ({ id }) => {
    if (typeof id !== 'string' || !uuid.test(id)) return badDealId(id, feed, price);
    return findDeal(feed.current(), id.toLowerCase()) === undefined ? refuseMissing(id.toLowerCase()) : undefined;
  };
}

/** Tells a deal that is withheld from one that is not known. */
export function createRefuseMissing(isSuppressed: (id: string) => Promise<boolean>): RefuseMissing {
  return async (id) => ((await isSuppressed(id)) ? suppressed('deal') : unknownDeal());
}

/** A property that must not be shown; unbilled. */
export function suppressed(what: 'deal' | 'address'): ServiceError {
  return new ServiceError('suppressed', `This ${what} is withheld and is not sold any more. Nothing was billed.`);
}

function unknownDeal(): ServiceError {
  return new ServiceError('unknown_deal', 'No deal with this id is in the feed. Nothing was billed.', {
    next: [{ title: 'Every deal id, free', url: idIndex }],
  });
}

const idIndex = '/api/deals/ids';

function badDealId(id: unknown, feed: DealFeed, price: string): ServiceError {
  const isPlaceholder = typeof id === 'string' && placeholder.test(id);
  const note = isPlaceholder
    ? 'The placeholder was sent as it stands: it takes the id of a deal.'
    : 'This is not the id of a deal: ids are UUIDs.';
  const howTo = `Take an id from ${idIndex} (free) and ask for ${reportUrl('<id>')} with it.`;
  const { records } = feed.current();
  const examples = Array.from({ length: exampleCount }, (_, position) => records.at(position) ?? []).flat();
  return new ServiceError(isPlaceholder ? 'placeholder_not_replaced' : 'invalid_deal_id', `${note} ${howTo}`, {
    faults: [{ parameter: 'id', in: 'path', reason: 'invalid_parameter', detail: 'It must be the UUID of a deal.' }],
    next: [{ title: 'Every deal id, free', url: idIndex }],
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
}
