import type { App } from '../../src/app.js';

/**
 * The path of an operation as somebody would ask for it: a live deal in the place of `{id}`, any token for `{token}`, and
 * what the operation cannot be asked without.
 */
export function livePath(app: Pick<App, 'feeds'>, path: string): string {
  const [deal] = app.feeds.deals.current().records;
  const filled = path.replace('{id}', deal?.id ?? 'no-deal-is-published').replace('{token}', 'abcdefghijklmnopqrst');
  return path === '/api/lookup' ? `${filled}?address=${encodeURIComponent(someAddress)}` : filled;
}

/** Where the county records of the tests lie. */
const someAddress = '1 Example Ave, Cleveland, OH 44105';
