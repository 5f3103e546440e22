import type { Contract } from '../../contract/contract.js';

const steps = [
  ['countMatches', '?of=basic_deals&state=OH&max_price=150000', 'How many match, before anything is paid.'],
  [
    'listBasicDeals',
    '?state=OH&max_price=150000&limit=5',
    'The five best of them. Nothing is billed where none match.',
  ],
  ['getReport', '', 'The whole reasoning of the deal that you choose; its id stands in the list.'],
] as const;

/** From a question to a decision: what to call, in this order, and what it costs at this server's prices. */
export function workedExample({ operations }: Contract) {
  let cents = 0;
  const calls = steps.flatMap(([id, query, buys]) =>
    operations
      .filter(({ operationId }) => operationId === id)
      .map(({ path, priceUsd = '0.00' }) => {
        cents += Number(priceUsd.replace('.', ''));
        return { call: `GET ${path}${query}`, price: `$${priceUsd}`, buys };
      }),
  );
  return { calls, total: `$${(cents / 100).toFixed(2)}` };
}
