import { setImmediate as nextTurn } from 'node:timers/promises';
import { analyzeGrown } from '../../db/analyze-grown.js';
import { createWriteBehind } from '../../db/sql/write-behind.js';
import { fetchPages, Stopped } from './fetch-pages.js';
import { ingestChunk } from './ingest-chunk.js';
import {
  createRunState,
  figuresOf,
  type IngestOptions,
  type IngestProgress,
  type IngestReport,
  progressOf,
  type RunState,
} from './ingest-run.js';
import { findProblems, isAllRefused, listCounts } from '../import-report.js';
import { judgeRun } from './judge-run.js';
import { type OpenRun, openRun } from './open-run.js';
import { openSink } from './sinks.js';
import { readRows } from './read-rows.js';
import { findLatestRun, finishRun, keepPage, type RunOutcome, undoRun } from './run-store.js';
import { saveLicence } from '../save-licence.js';
import type { Sink } from './sink.js';
import { SourceError, unreadable } from '../source-error.js';
import {
  type Delivered,
  type DeliveryKind,
  isLicenceInForce,
  type Licence,
  type Source,
  type SourcePage,
} from '../source.js';

/**
 * Reads a source to its end, chunk by chunk: parses rows in memory, then stores the raw rows and rejects, then merges
 * the accepted rows. At the end it retires what vanished, unless the run is quarantined (see `judgeRun`) or read only
 * changes. An unchanged delivery counts as read again. A source that cannot be read, or whose licence ends meanwhile,
 * fails its run and retires nothing. After an interruption, even by kill -9, the next run continues from the last
 * stored page where it can: nothing is lost or doubled. Rejects with a database error, or with the reason of a stop.
 */
export async function ingestSource<K extends DeliveryKind>(
  source: Source<K>,
  options: IngestOptions,
): Promise<IngestReport> {
  try {
    return await readSource(source, options);
  } catch (error) {
    throw error instanceof Stopped ? error.cause : error;
  }
}

async function readSource<K extends DeliveryKind>(source: Source<K>, options: IngestOptions): Promise<IngestReport> {
  const { knex, now } = options;
  const sink = openSink(source, options);
  const refusal = refusalOf(source.licence, now());
  if (options.dryRun !== true) await saveLicence(knex, source, { instance: options.instance ?? '', now: now() });
  if (refusal !== undefined)
    return reportOf(source, createRunState(0), { status: 'refused', retired: 0, problem: refusal });
  if (options.dryRun === true) return trySource(source, sink, options);
  const run = await openRun(source, options, now());
  const { state } = run;
  const end = await runToEnd(source, sink, options, run).catch(async (error: unknown) => {
    if (error instanceof Stopped) {
      // A run that has read nothing has nothing to resume.
      if (state.chunks === 0) await undoRun(knex, state.runId).catch(() => undefined);
      throw error;
    }
    const { message: problem, code: problemCode } = error instanceof SourceError ? error : errorOfOurs;
    const failed = { ...endedBy('failed', state), problem, problemCode };
    await finishRun(knex, state.runId, { ...state, ...failed }, now()).catch(() => undefined);
    if (error instanceof SourceError) return failed;
    throw error;
  });
  await finishRun(knex, state.runId, { ...state, ...end }, now());
  return reportOf(source, state, end);
}

/** Dry run: counts accepted and rejected rows and writes nothing; `created` stays 0. */
async function trySource<K extends DeliveryKind>(
  source: Source<K>,
  sink: Sink<Delivered[K]>,
  options: IngestOptions,
): Promise<IngestReport> {
  const { since, now, signal } = options;
  const state = createRunState(0, since);
  try {
    for await (const page of fetchPages(source, { since, now, signal })) {
      noteDelivery(page, state);
      const { accepted, rejects } = await readRows(source, sink, page.rows, state);
      state.accepted += accepted.length;
      state.rejected += rejects.length;
      options.onProgress?.(progressOf(source.name, state));
      await nextTurn();
    }
    if (since === undefined) refuseUnread(state);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return reportOf(source, state, { status: 'failed', retired: 0, problem: error.message });
  }
  return reportOf(source, state, { status: 'tried', retired: 0, problem: problemOf(source, state) });
}

function tellProgress({ onProgress }: IngestOptions, progress: IngestProgress): void {
  try {
    onProgress?.(progress);
  } catch (cause) {
    throw new Stopped(cause);
  }
}

const errorOfOurs = { message: 'The run was ended by an error of this service.', code: undefined };

type RunEnd = Omit<RunOutcome, 'accepted' | 'rejected' | 'created' | 'imported'>;

async function runToEnd<K extends DeliveryKind>(
  source: Source<K>,
  sink: Sink<Delivered[K]>,
  options: IngestOptions,
  run: OpenRun,
): Promise<RunEnd> {
  const { acceptShrink = false, rereadUnchanged = acceptShrink || options.since !== undefined } = options;
  const { state, startedAt } = run;
  const latest = await findLatestRun(options.knex, source.name, ['completed', 'quarantined', 'failed', 'abandoned']);
  // A run that saw changes only has not looked for what vanished.
  const isWholeKnown = latest?.status === 'completed' && latest.since === undefined;
  const knownEtag = isWholeKnown && !rereadUnchanged ? latest.etag : undefined;
  let etag = run.etag;
  let isLater = false;
  const { since } = state;
  const { now, signal } = options;
  for await (const page of fetchPages(source, { since, first: run.first, knownEtag, now, signal })) {
    etag ??= page.etag;
    if (etag !== undefined && etag === knownEtag) {
      const retired = (await sink.retireUnchanged?.(now())) ?? 0;
      const end = { ...endedBy('unchanged', state, etag), retired };
      return { ...end, ...(source.delivers !== 'listings' && { seenAt: startedAt }) };
    }
    noteDelivery(page, state);
    if (isLater) await options.betweenPages?.();
    isLater = true;
    await ingestPage(source, sink, page, options, state);
    if (page.nextCursor !== undefined) {
      await keepPage(options.knex, state.runId, { ...state, nextCursor: page.nextCursor, etag }, now());
      Object.assign(state, { pageIds: [], pageUnread: [] });
    }
  }
  if (since !== undefined) {
    const watermark = options.since === undefined ? (state.watermark ?? since) : undefined;
    return {
      ...endedBy('completed', state, etag),
      problem: problemOf(source, state),
      watermark,
      seenAt: options.since === undefined ? startedAt : undefined,
    };
  }
  refuseUnread(state);
  const problem = acceptShrink ? undefined : await doubtOf(source, options, state, { startedAt, etag });
  if (problem !== undefined) return { ...endedBy('quarantined', state, etag), problem };
  const { seen, unread, runId } = state;
  const retired = await sink.retire({ runId, at: options.now(), seen, unread });
  const end = endedBy('completed', state, etag);
  const known = { watermark: state.watermark, seenAt: startedAt, problem: problemOf(source, state) };
  return { ...end, ...known, retired: end.retired + retired };
}

async function ingestPage<K extends DeliveryKind>(
  source: Source<K>,
  sink: Sink<Delivered[K]>,
  page: SourcePage,
  options: IngestOptions,
  state: RunState,
): Promise<void> {
  state.watermark = page.watermark ?? state.watermark;
  const writes = createWriteBehind();
  try {
    for (let start = 0; start < page.rows.length; start += sink.chunkRows) {
      const rows = await readRows(source, sink, page.rows.slice(start, start + sink.chunkRows), state);
      await writes.begin(async () => {
        await ingestChunk(source.name, sink, rows, page.fetchedAt, options, state);
        // As often as the run has doubled.
        if (Number.isInteger(Math.log2(++state.chunks))) await analyzeGrown(options.knex);
        tellProgress(options, progressOf(source.name, state));
      });
      await nextTurn();
    }
    await writes.done();
  } finally {
    await writes.settle();
  }
  const { removedKeys = [] } = page;
  for (let start = 0; start < removedKeys.length; start += sink.chunkRows) {
    state.removed += await sink.remove(removedKeys.slice(start, start + sink.chunkRows), page.fetchedAt, state.runId);
  }
}

/**
 * A delivery of which no row can be read replaces nothing.
 *
 * @throws SourceError `delivery_unreadable`
 */
function refuseUnread({ imported, rejected }: RunState): void {
  if (!isAllRefused(imported)) return;
  const reasons = listCounts(imported.rows.refused);
  throw unreadable(
    `All ${rejected} rows were refused (${reasons}). Nothing was replaced; correct the delivery or the mapping.`,
  );
}

/** Notes a page's statements about the whole delivery. */
function noteDelivery({ problem, unmapped }: SourcePage, { problems, imported }: RunState): void {
  if (problem !== undefined) problems.add(problem);
  if (unmapped !== undefined && unmapped.length > 0) imported.unmapped = unmapped;
}

/** What the operator must know about an accepted reading. */
function problemOf({ name }: Source<DeliveryKind>, { problems, imported }: RunState): string | undefined {
  const found = [...problems, ...findProblems(imported)];
  return found.length === 0 ? undefined : [...found, `See: rejects ${name}.`].join(' ');
}

/** Why a complete run is quarantined, in one sentence; undefined if it is accepted. */
async function doubtOf(
  source: Source<DeliveryKind>,
  { knex }: IngestOptions,
  { accepted }: RunState,
  run: { readonly startedAt: Date; readonly etag: string | undefined },
): Promise<string | undefined> {
  const baseline = await findLatestRun(knex, source.name, ['completed'], { whole: true });
  const previous = await findLatestRun(knex, source.name, ['completed', 'quarantined'], { whole: true });
  if (judgeRun({ ...run, accepted, baseline, previous }) === 'completed') return undefined;
  return `Only ${accepted} of ${baseline?.accepted} rows came. Nothing was retired; wait for the next delivery, or believe this one: ingest ${source.name} --accept-shrink.`;
}

function endedBy(status: RunEnd['status'], state: RunState, etag?: string): RunEnd {
  const nothing = { problem: undefined, problemCode: undefined, watermark: undefined, seenAt: undefined };
  return { status, etag, retired: state.removed, ...nothing };
}

function refusalOf(licence: Licence, now: Date): string | undefined {
  if (!licence.mayStore) return 'The licence does not allow storing. The source is not read.';
  if (!isLicenceInForce(licence, now))
    return 'The licence has expired. The source is not read and its rows are not shown.';
  return undefined;
}

function reportOf(
  source: Source<DeliveryKind>,
  state: RunState,
  { status, retired, problem }: Omit<IngestReport, keyof IngestProgress | 'imported'>,
): IngestReport {
  return { ...figuresOf(source.name, state), status, retired, problem, imported: state.imported };
}
