import type { FeedPage } from '../../feeds/feed.js';

/** The number of matching records, and the link to the next page (RFC 8288). */
export function pageHeaders(page: FeedPage<unknown>): Record<string, string> {
  return {
    'X-Total-Count': String(page.total),
    ...(page.next === undefined ? {} : { Link: `<${pagePath(page.next)}>; rel="next"` }),
  };
}

/** The path of a page by its token. */
export function pagePath(token: string): string {
  return `/api/pages/${token}`;
}
