import type { ShortFeed, ShortMeta } from '../../generated/types.gen.js';
import { priceLabel } from '../contract/contract.js';
import { filterNames, guarantee, type MetaInputs } from './meta.js';

/** What is sold, in short: of each feed how much there is, how fresh it is, its price and its filters. */
export function shortMeta({ contract, feeds }: Pick<MetaInputs, 'contract' | 'feeds'>): ShortMeta {
  const priced = contract.operations.filter(({ priceUsd, tool }) => priceUsd !== undefined && tool !== undefined);
  const prices = Object.fromEntries(priced.map((operation) => [operation.tool?.name, priceLabel(operation)]));

  function feedOf(name: keyof typeof feeds, operationId: string): ShortFeed {
    const feed = feeds[name];
    const { version, publishedAt } = feed.current();
    const asOf = version > 0 ? publishedAt.toISOString() : null;
    return {
      published: feed.isPublished(),
      records: feed.tally({}, []).total,
      as_of: asOf,
      price: prices[name] ?? '',
      filters: filterNames(contract, operationId),
      absent: asOf === null ? { as_of: { reason: 'not_yet_observed' } } : {},
    };
  }

  return {
    name: contract.document.info.title,
    guarantee,
    feeds: {
      deals: feedOf('deals', 'listDeals'),
      signals: feedOf('signals', 'listSignals'),
      auctions: feedOf('auctions', 'listAuctions'),
      leads: feedOf('leads', 'listLeads'),
    },
    prices,
    paths: { coverage: '/api/coverage', count: '/api/count', contract: '/openapi.json' },
  };
}
