import type { FeedVersion } from './feed-store.js';

/**
 * What was written down just before a publication began may be seen by its reader only after it: it is asked for again.
 * A chunk of an ingest takes a second or two; publications and what is before them never run at the same time.
 */
const overlapMs = 30_000;

/** The changes that may be missing in one of several feeds. */
export interface NewSince {
  /**
   * What was written down since then; the epoch where that is not known, as before the first publication, or where the
   * clock was put back behind one of them.
   */
  readonly at: Date;
  /** Takedowns of higher numbers. */
  readonly takedownNumber: number;
}

export async function newSince(
  ...publishers: readonly { currentVersion(): Promise<FeedVersion> }[]
): Promise<NewSince> {
  const versions = await Promise.all(publishers.map((publisher) => publisher.currentVersion()));
  const since = versions.map(({ completeAsOf }) =>
    completeAsOf === undefined ? 0 : completeAsOf.getTime() - overlapMs,
  );
  return {
    at: new Date(Math.min(...since)),
    takedownNumber: Math.min(...versions.map(({ takedownNumber }) => takedownNumber)),
  };
}
