import { setImmediate as nextTurn } from 'node:timers/promises';
import { fetchPages } from './fetch-pages.js';
import type { IngestReport } from './ingest-report.js';
import { createRunState, figuresOf, type IngestOptions, progressOf } from './ingest-run.js';
import { readRows } from './read-rows.js';
import type { Sink } from './sink.js';
import { SourceError } from '../source-error.js';
import type { Delivered, DeliveryKind, Source } from '../source.js';

/** Reads a source to its end and counts what would be taken and refused. Writes nothing; `created` stays 0. */
export async function trySource<K extends DeliveryKind>(
  source: Source<K>,
  sink: Sink<Delivered[K]>,
  options: Pick<IngestOptions, 'since' | 'now' | 'onProgress' | 'signal'>,
): Promise<IngestReport> {
  const { since, now, signal } = options;
  const state = createRunState(0, since);
  try {
    for await (const page of fetchPages(source, { since, now, signal })) {
      const { accepted, rejects } = await readRows(source, sink, page.rows, state);
      state.accepted += accepted.length;
      state.rejected += rejects.length;
      options.onProgress?.(progressOf(source.name, state));
      await nextTurn();
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { ...figuresOf(source.name, state), status: 'failed', retired: 0, problem: error.message };
  }
  return { ...figuresOf(source.name, state), status: 'tried', retired: 0, problem: undefined };
}
