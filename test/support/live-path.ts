import type { App } from '../../src/app.js';

/** A sample request of an operation: a live deal for `{id}`, any token for `{token}`, and the required parameters. */
export function livePath(app: Pick<App, 'feeds'>, path: string): string {
  const deal = app.feeds.deals.current().records.at(0);
  const filled = path.replace('{id}', deal?.id ?? 'no-deal-is-published').replace('{token}', 'abcdefghijklmnopqrst');
  return filled + (asked[path] ?? '');
}

/** By path. The address is that of the tests' county records. */
const asked: Readonly<Record<string, string>> = {
  '/api/lookup': `?address=${encodeURIComponent('1 Example Ave, Cleveland, OH 44105')}`,
  '/api/count': '?of=deals',
  '/api/changes': '?since=2026-01-15T05:00:00Z',
};
