import { fetchPage, type PagesFrom, Stopped } from './fetch-pages.js';
import { createRunState, type IngestOptions, type RunState } from './ingest-run.js';
import { type CutOffRun, findCutOffRun, findLatestRun, findWatermark, readSightings, startRun } from './run-store.js';
import type { DeliveryKind, PagedSource, Source, SourcePage } from '../source.js';

const defaultFullEveryMs = 7 * 24 * 3600 * 1000;
/**
 * A daily job may begin earlier than it did a week ago. What is due within half a day is due now; otherwise it would be
 * a day late.
 */
const fullSlackMs = 12 * 3600 * 1000;
/** A run that was cut off is continued when its last page is not older than this. */
const resumeWithinMs = 6 * 3600 * 1000;

/** A run that has begun, or that goes on where it was cut off. */
export interface OpenRun {
  readonly state: RunState;
  readonly startedAt: Date;
  readonly etag: string | undefined;
  /** The page at which a run goes on. */
  readonly first?: { readonly cursor: string; readonly page: SourcePage };
}

/**
 * Begins a run of a source. A run that was cut off between two pages, even by kill -9, continues after its last kept
 * page with everything it saw before. It does so if the source is configured as it was and still serves that page of
 * the same delivery; otherwise the source is read from its beginning. Throws Stopped by the signal, with nothing
 * changed.
 */
export async function openRun(source: Source<DeliveryKind>, options: IngestOptions, now: Date): Promise<OpenRun> {
  const since = await chooseSince(source, options, now);
  const resumed = 'fetchPage' in source ? await resumeRun(source, options, since, now) : undefined;
  if (resumed !== undefined) return resumed;
  const runId = await startRun(options.knex, source, since, now);
  return { state: createRunState(runId, since), startedAt: now, etag: undefined };
}

async function resumeRun(
  source: PagedSource<DeliveryKind>,
  { knex, signal }: IngestOptions,
  since: string | undefined,
  now: Date,
): Promise<OpenRun | undefined> {
  const cutOff = await findCutOffRun(knex, source, since, new Date(now.getTime() - resumeWithinMs));
  const page = cutOff && (await fetchNext(source, cutOff, { since, signal }));
  if (cutOff === undefined || page === undefined) return undefined;
  const { runId, startedAt, etag, nextCursor, ...figures } = cutOff;
  const state = Object.assign(createRunState(runId, since), figures, await readSightings(knex, runId));
  return { state, startedAt, etag, first: { cursor: nextCursor, page } };
}

/**
 * The operator's word, else where the last run left off, unless the source is due to be read whole or configured anew.
 */
async function chooseSince(
  source: Source<DeliveryKind>,
  options: IngestOptions,
  now: Date,
): Promise<string | undefined> {
  if (options.since !== undefined) return options.since;
  if (options.rereadUnchanged === true || options.acceptShrink === true) return undefined;
  const whole = await findLatestRun(options.knex, source.name, ['completed'], { whole: true });
  const dueAt =
    whole === undefined ? 0 : whole.startedAt.getTime() + (options.fullEveryMs ?? defaultFullEveryMs) - fullSlackMs;
  return now.getTime() >= dueAt ? undefined : findWatermark(options.knex, source);
}

/** The page at which a cut-off run stopped; undefined when it cannot be fetched any more or is of another delivery. */
async function fetchNext(
  source: PagedSource<DeliveryKind>,
  { nextCursor, etag }: CutOffRun,
  how: Pick<PagesFrom, 'since' | 'signal'>,
): Promise<SourcePage | undefined> {
  const page = await fetchPage(source, nextCursor, how).catch((error: unknown) => {
    // What was read so far is to be gone on with another time.
    if (error instanceof Stopped) throw error;
    return undefined;
  });
  const isOther = etag !== undefined && page?.etag !== undefined && page.etag !== etag;
  return isOther ? undefined : page;
}
