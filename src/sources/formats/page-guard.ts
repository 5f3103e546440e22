import { unreadable } from '../source-error.js';

/** More pages than any honest source of millions of rows has. */
const maxPages = 20_000;

/**
 * Creates a check that the pages of a reading end. `page` is any text that distinguishes pages. Default limit: 20,000.
 *
 * @throws SourceError `delivery_unreadable` for a repeated page, and for more than `most` pages
 */
export function createPageGuard(most = maxPages): (page: string) => void {
  const seen = new Set<string>();
  return (page) => {
    if (seen.has(page)) {
      throw unreadable(
        'The source returns the same page again and again. Nothing is retired; the next run tries again.',
      );
    }
    if (seen.size >= most) {
      throw unreadable(
        `The source has no end: more than ${most} pages came. Nothing is retired; check the configured address.`,
      );
    }
    seen.add(page);
  };
}
