import type { FeedPage } from '../feeds/feed.js';

/** How many records match, and where the rest is (RFC 8288). */
export function pageHeaders(page: FeedPage<unknown>): Record<string, string> {
  return {
    'X-Total-Count': String(page.total),
    ...(page.next === undefined ? {} : { Link: `</api/pages/${page.next}>; rel="next"` }),
  };
}
