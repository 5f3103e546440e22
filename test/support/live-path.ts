import type { App } from '../../src/app.js';

/** The path of an operation as somebody would ask for it: a live deal in the place of `{id}`, any token for `{token}`. */
export function livePath(app: Pick<App, 'feeds'>, path: string): string {
  const [deal] = app.feeds.deals.current().records;
  return path.replace('{id}', deal?.id ?? 'no-deal-is-published').replace('{token}', 'abcdefghijklmnopqrst');
}
