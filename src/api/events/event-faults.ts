import type { Contract } from '../../contract/contract.js';
import type { FaultOf } from '../../operations/decode.js';

const feeds = { deals: 'listDeals', auctions: 'listAuctions' } as const;

/** Rules for parameters of /api/events beyond their schemas and the rules of all filters. */
export function createEventFaults(
  { operations }: Contract,
  ofFilters: Readonly<Record<string, FaultOf>>,
): Readonly<Record<string, FaultOf>> {
  const namesOf = (id: string): readonly string[] =>
    operations.find(({ operationId }) => operationId === id)?.parameters.map(({ name }) => name) ?? [];
  const [deals, auctions] = [namesOf(feeds.deals), namesOf(feeds.auctions)];

  function foreign(name: string): FaultOf {
    const isOfBoth = deals.includes(name) === auctions.includes(name);
    const own = deals.includes(name) ? 'deals' : 'auctions';
    return (value, query) =>
      isOfBoth || own === feedOf(query) ? ofFilters[name]?.(value, query) : `a filter of ${own}, not of this feed`;
  }

  return {
    ...Object.fromEntries(namesOf('listEvents').map((name) => [name, foreign(name)])),
    since: (text, query) =>
      query['cursor'] === undefined ? ofFilters['first_seen_since']?.(text, query) : 'cursor excludes since',
    cursor(text, query) {
      const letter = feedOf(query) === 'deals' ? 'd' : 'a';
      return String(text).startsWith(letter) ? undefined : `a cursor of ${feedOf(query)} begins with ${letter}`;
    },
    event: (list, query) =>
      feedOf(query) === 'deals' && (list as string[]).includes('rescheduled')
        ? 'rescheduled is an event of auctions'
        : undefined,
  };
}

function feedOf(query: Readonly<Record<string, unknown>>): unknown {
  return query['feed'] ?? 'deals';
}
