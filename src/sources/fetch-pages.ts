import { SourceError } from './source-error.js';
import type { DeliveryKind, Source, SourcePage } from './source.js';

/** Where pages are fetched from. */
export interface PagesFrom {
  /** The watermark of an earlier run, where only changes are wanted. */
  readonly since: string | undefined;
  /** The page at which a run goes on. */
  readonly first?: { readonly cursor: string; readonly page: SourcePage } | undefined;
  /** Of the delivery that was read last: the source may answer that it is still the same. */
  readonly knownEtag?: string | undefined;
}

/** The pages of a source from `first` on, or from its beginning. Throws only a SourceError. */
export async function* fetchPages(
  source: Source<DeliveryKind>,
  { since, first, knownEtag }: PagesFrom,
): AsyncGenerator<SourcePage> {
  let cursor = first?.cursor;
  let page = first?.page ?? (await fetchPage(source, cursor, since, knownEtag));
  for (;;) {
    yield page;
    if (page.nextCursor === undefined) return;
    if (page.nextCursor === cursor) {
      throw new SourceError('delivery_unreadable', 'The source answers the same page again and again.');
    }
    cursor = page.nextCursor;
    page = await fetchPage(source, cursor, since);
  }
}

/**
 * Fetches one page. Whatever a source throws is a failure of that source; its own words may hold a row's text, so they are
 * not kept.
 */
export async function fetchPage(
  source: Source<DeliveryKind>,
  cursor: string | undefined,
  since: string | undefined,
  knownEtag?: string,
): Promise<SourcePage> {
  try {
    return await source.fetchPage(cursor, since, knownEtag);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
    throw new SourceError(
      'delivery_unreadable',
      `The source could not be read${code}. Check that it is there and may be read.`,
    );
  }
}
