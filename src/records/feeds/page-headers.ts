import type { FeedPage } from '../../feeds/feed.js';

/** How many records match, and where the rest is (RFC 8288). */
export function pageHeaders(page: FeedPage<unknown>): Record<string, string> {
  return {
    'X-Total-Count': String(page.total),
    ...(page.next === undefined ? {} : { Link: `<${pagePath(page.next)}>; rel="next"` }),
  };
}

/** The address of the page that a token stands for. */
export function pagePath(token: string): string {
  return `/api/pages/${token}`;
}
