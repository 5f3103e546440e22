import { ServiceError } from '../errors.js';
import type { PageTokens } from '../feeds/page-token.js';
import type { DealFeed } from './deal-feed.js';
import type { Handler } from './handler.js';
import { pageHeaders } from './page-headers.js';

/** GET /api/pages/{token}: the next page of a bought result set, free. */
export function createGetPage(feed: DealFeed, tokens: PageTokens, now: () => Date): Handler<'getPage'> {
  return async ({ path }) => {
    const capability = tokens.redeem(path.token, now());
    if (capability === undefined) {
      throw new ServiceError(
        'not_found',
        'This page token was not issued here. Take it from the Link header as it is.',
      );
    }
    if (capability === 'expired') {
      throw new ServiceError(
        'cursor_expired',
        'The page token is older than 30 minutes, also where its reply was delivered again since. Buy the result set ' +
          'again: without `limit` one reply has up to 1,000 records.',
      );
    }
    const page = await feed.resume(capability);
    return {
      status: 200,
      body: page.body,
      headers: pageHeaders(page),
      feed: { name: feed.name, version: page.version },
    };
  };
}
