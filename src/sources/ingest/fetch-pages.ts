import { digestOf } from '../read/digest-of.js';
import { createPageGuard } from '../formats/page-guard.js';
import { SourceError, unreadable } from '../source-error.js';
import {
  type DeliveryKind,
  isLicenceInForce,
  type PagedSource,
  type Source,
  type SourcePage,
  type WholeSource,
} from '../source.js';

/**
 * The caller stops the run; the cause is its reason. The run is left as by a killed process, so that the next run goes
 * on from its last page: neither the source nor the run has failed.
 */
export class Stopped extends Error {
  constructor(cause: unknown) {
    super('The run was asked to stop.', { cause });
    this.name = 'Stopped';
  }
}

/** Where pages are fetched from. */
export interface PagesFrom {
  /** The watermark of an earlier run, where only changes are wanted. */
  readonly since: string | undefined;
  /** The page at which a run goes on. */
  readonly first?: { readonly cursor: string; readonly page: SourcePage } | undefined;
  /** The ETag of the delivery read last: the source may answer that it is unchanged. */
  readonly knownEtag?: string | undefined;
  readonly now: () => Date;
  /** Aborts when no page is wanted any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The pages of a source from `first` on, or from its beginning. They come to an end: a page that leads back to one
 * before it fails, and so does one with the same rows, where the pages are found by counting. No page is fetched once
 * the licence has ended. Throws only a SourceError, or Stopped by the signal.
 */
export function fetchPages(source: Source<DeliveryKind>, from: PagesFrom): AsyncGenerator<SourcePage> {
  return 'readPages' in source ? readPages(source, from) : followCursors(source, from);
}

async function* readPages(
  source: WholeSource<DeliveryKind>,
  { knownEtag, now, signal }: PagesFrom,
): AsyncGenerator<SourcePage> {
  const pages = source.readPages(knownEtag)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value: page } = await guard(() => pages.next(), signal);
      if (done === true) return;
      yield page;
      if (!isLicenceInForce(source.licence, now())) throw licenceEnded();
    }
  } finally {
    await pages.return?.();
  }
}

async function* followCursors(
  source: PagedSource<DeliveryKind>,
  { since, first, knownEtag, now, signal }: PagesFrom,
): AsyncGenerator<SourcePage> {
  let cursor = first?.cursor;
  let page = first?.page ?? (await fetchPage(source, cursor, { since, knownEtag, signal }));
  const expectNewCursor = createPageGuard();
  const expectOtherRows = createPageGuard();
  if (cursor !== undefined) expectNewCursor(cursor);
  for (;;) {
    if (source.countsRows === true && page.nextCursor !== undefined) expectOtherRows(digestOf(page.rows));
    yield page;
    if (page.nextCursor === undefined) return;
    expectNewCursor(page.nextCursor);
    if (!isLicenceInForce(source.licence, now())) throw licenceEnded();
    cursor = page.nextCursor;
    page = await fetchPage(source, cursor, { since, signal });
  }
}

/**
 * Fetches one page. Whatever a source throws before the signal aborts is a failure of that source; its own words may
 * hold a row's text, so they are not kept. What comes after that is Stopped: a source may take for missing what was cut
 * off.
 */
export function fetchPage(
  source: PagedSource<DeliveryKind>,
  cursor: string | undefined,
  { since, knownEtag, signal }: Omit<PagesFrom, 'first' | 'now'>,
): Promise<SourcePage> {
  return guard(() => source.fetchPage(cursor, since, knownEtag), signal);
}

async function guard<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    const page = await read();
    signal?.throwIfAborted();
    return page;
  } catch (error) {
    if (signal?.aborted === true) throw new Stopped(signal.reason);
    if (error instanceof SourceError) throw error;
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
    throw unreadable(`The source could not be read${code}. Check that it is there and may be read.`);
  }
}

function licenceEnded(): SourceError {
  return new SourceError(
    'licence_ended',
    'The licence ended while the source was being read. It is read no further, and its rows are not shown.',
  );
}
