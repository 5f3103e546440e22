import type { App } from '../../src/app.js';

/**
 * The path of an operation as somebody would ask for it: a live deal in the place of `{id}`, any token for `{token}`,
 * and what the operation cannot be asked without.
 */
export function livePath(app: Pick<App, 'feeds'>, path: string): string {
  const deal = app.feeds.deals.current().records.at(0);
  const filled = path.replace('{id}', deal?.id ?? 'no-deal-is-published').replace('{token}', 'abcdefghijklmnopqrst');
  return filled + (asked[path] ?? '');
}

/** By path; the address is where the county records of the tests lie. */
const asked: Readonly<Record<string, string>> = {
  '/api/lookup': `?address=${encodeURIComponent('1 Example Ave, Cleveland, OH 44105')}`,
  '/api/changes': '?since=2026-01-15T05:00:00Z',
};
