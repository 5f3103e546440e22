import { SourceError } from '../source-error.js';

/** More pages than an honest source of millions of rows has. */
const maxPages = 20_000;

/**
 * Creates what asserts that the pages of one reading come to an end: it throws a SourceError (`delivery_unreadable`)
 * for a page that came before, by whatever text tells it from others, and for one page more than `most`. Default
 * 20,000.
 */
export function createPageGuard(most = maxPages): (page: string) => void {
  const seen = new Set<string>();
  return (page) => {
    if (seen.has(page)) {
      throw new SourceError(
        'delivery_unreadable',
        'The source answers the same page again and again. Nothing is retired; the next run tries again.',
      );
    }
    if (seen.size >= most) {
      throw new SourceError(
        'delivery_unreadable',
        `The source has no end: more than ${most} pages came. Nothing is retired; check the configured address.`,
      );
    }
    seen.add(page);
  };
}
