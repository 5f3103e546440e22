import { fetchPages } from '../../src/sources/ingest/fetch-pages.js';
import type { Delivered, DeliveryKind, PagedSource, RowReject, Source, SourcePage } from '../../src/sources/source.js';

/** All pages of a source. */
export interface ReadOutcome<K extends DeliveryKind> {
  readonly pages: readonly SourcePage[];
  readonly taken: readonly Delivered[K][];
  readonly refused: readonly RowReject[];
  readonly removedKeys: readonly string[];
  readonly watermark: string | undefined;
}

/** Reads a source to its end, each page with a new source object from `create` if it has cursors. */
export async function readSource<K extends DeliveryKind>(
  create: () => Source<K>,
  from: { readonly watermark?: string | undefined; readonly knownEtag?: string | undefined } = {},
): Promise<ReadOutcome<K>> {
  const pages: SourcePage[] = [];
  const taken: Delivered[K][] = [];
  const refused: RowReject[] = [];
  const first = create();
  const source: Source<K> =
    'fetchPage' in first ? { ...first, fetchPage: (...place) => paged(create()).fetchPage(...place) } : first;
  for await (const page of fetchPages(source, {
    since: from.watermark,
    knownEtag: from.knownEtag,
    now: () => new Date(0),
  })) {
    pages.push(page);
    for (const row of page.rows) {
      const parsed = 'reject' in row ? row : source.parse(row);
      if ('reject' in parsed) refused.push(parsed);
      else taken.push(parsed);
    }
  }
  const watermark = pages.findLast((page) => page.watermark !== undefined)?.watermark;
  return { pages, taken, refused, removedKeys: pages.flatMap((page) => page.removedKeys ?? []), watermark };
}

function paged<K extends DeliveryKind>(source: Source<K>): PagedSource<K> {
  if ('fetchPage' in source) return source;
  throw new Error('The source is read in one go.');
}
