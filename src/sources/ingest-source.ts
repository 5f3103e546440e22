import { setImmediate as nextTurn } from 'node:timers/promises';
import { retireListings } from '../listings/retire-listings.js';
import { ingestChunk } from './ingest-chunk.js';
import { createRunState, type IngestOptions, type IngestProgress, progressOf, type RunState } from './ingest-run.js';
import { isLicenceInForce } from './is-licence-in-force.js';
import { judgeRun } from './judge-run.js';
import { createRunStore, type RunOutcome } from './run-store.js';
import { saveLicence } from './save-licence.js';
import { SourceError } from './source-error.js';
import type { Licence, ListingSource, RawRow, RowReject, SourcePage } from './source.js';

/** Rows that are kept and merged at once; small, so that an embedded database answers others in between. */
const chunkRows = 25;

/** `refused`: the licence does not allow to start; `unchanged`: the delivery is the one that was read last. */
export interface IngestReport extends IngestProgress {
  readonly status: RunOutcome['status'] | 'refused';
  readonly retired: number;
  /** One plain sentence when the run did not complete. */
  readonly problem: string | undefined;
}

/**
 * Reads a source to its end: rows are kept as they came, parsed, and merged into the listings chunk by chunk; refused rows
 * are kept with their reason; at the end the listings that vanished are retired, unless the run is quarantined (see
 * `judgeRun`). A source that cannot be read fails its run and nothing is retired. Interrupted at any point, even by
 * kill -9, the next run completes the work: nothing is lost, nothing is doubled. Rejects only when the database does.
 */
export async function ingestSource(source: ListingSource, options: IngestOptions): Promise<IngestReport> {
  const { knex, now } = options;
  const startedAt = now();
  await saveLicence(knex, source, startedAt);
  const refusal = refusalOf(source.licence, startedAt);
  if (refusal !== undefined)
    return reportOf(source, createRunState(0), { status: 'refused', retired: 0, problem: refusal });
  const runs = createRunStore(knex);
  const state = createRunState(await runs.start(source.name, startedAt));
  const end = await runToEnd(source, options, state, startedAt).catch(async (error: unknown) => {
    const problem = error instanceof SourceError ? error.message : 'The run was ended by an error of this service.';
    const failed = { status: 'failed', retired: 0, problem, etag: undefined } as const;
    await runs.finish(state.runId, { ...state, ...failed }, now()).catch(() => undefined);
    if (error instanceof SourceError) return failed;
    throw error;
  });
  await runs.finish(state.runId, { ...state, ...end }, now());
  return reportOf(source, state, end);
}

type RunEnd = Pick<RunOutcome, 'status' | 'retired' | 'problem' | 'etag'>;

async function runToEnd(
  source: ListingSource,
  options: IngestOptions,
  state: RunState,
  startedAt: Date,
): Promise<RunEnd> {
  const { knex, now, acceptShrink = false, rereadUnchanged = acceptShrink } = options;
  const runs = createRunStore(knex);
  const baseline = await runs.findLatest(source.name, ['completed']);
  const previous = await runs.findLatest(source.name, ['completed', 'quarantined']);
  const latest = await runs.findLatest(source.name, ['completed', 'quarantined', 'failed', 'abandoned']);
  const knownEtag = latest?.status === 'completed' && !rereadUnchanged ? latest.etag : undefined;
  let etag: string | undefined;
  for await (const page of fetchPages(source)) {
    etag ??= page.etag;
    if (etag !== undefined && etag === knownEtag) return { status: 'unchanged', retired: 0, problem: undefined, etag };
    for (const rows of chunksOf(page.rows)) {
      await ingestChunk(source, rows, page.fetchedAt, options, state);
      options.onProgress?.(progressOf(source.name, state));
      await nextTurn();
    }
  }
  const verdict = acceptShrink
    ? 'completed'
    : judgeRun({ startedAt, etag, accepted: state.accepted, baseline, previous });
  if (verdict === 'quarantined') {
    const problem = `Only ${state.accepted} of ${baseline?.accepted} rows came. Nothing was retired; accept the smaller set, or wait for the next delivery.`;
    return { status: verdict, retired: 0, problem, etag };
  }
  const retired = await retireListings(knex, {
    sourceName: source.name,
    runId: state.runId,
    at: now(),
    yieldTurn: () => nextTurn(),
  });
  return { status: verdict, retired, problem: undefined, etag };
}

async function* fetchPages(source: ListingSource): AsyncGenerator<SourcePage> {
  let cursor: string | undefined;
  do {
    const page = await fetchPage(source, cursor);
    yield page;
    if (page.nextCursor !== undefined && page.nextCursor === cursor) {
      throw new SourceError('delivery_unreadable', 'The source answers the same page again and again.');
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Whatever a source throws is a failure of that source; its own words may hold a row's text, so they are not kept. */
async function fetchPage(source: ListingSource, cursor: string | undefined): Promise<SourcePage> {
  try {
    return await source.fetchPage(cursor);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
    throw new SourceError(
      'delivery_unreadable',
      `The source could not be read${code}. Check that it is there and may be read.`,
    );
  }
}

function* chunksOf(rows: readonly (RawRow | RowReject)[]): Generator<readonly (RawRow | RowReject)[]> {
  for (let start = 0; start < rows.length; start += chunkRows) yield rows.slice(start, start + chunkRows);
}

function refusalOf(licence: Licence, now: Date): string | undefined {
  if (!licence.mayStore) return 'The licence does not allow storing. The source is not read.';
  if (!isLicenceInForce(licence, now))
    return 'The licence has expired. The source is not read and its listings are withheld.';
  return undefined;
}

function reportOf(
  source: ListingSource,
  state: RunState,
  { status, retired, problem }: Omit<IngestReport, keyof IngestProgress>,
): IngestReport {
  return { ...progressOf(source.name, state), status, retired, problem };
}
