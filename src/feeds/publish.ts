import { setImmediate as nextTurn } from 'node:timers/promises';
import { readAhead } from '../db/sql/read-ahead.js';
import { createWriteBehind } from '../db/sql/write-behind.js';
import type { Log } from '../log.js';
import type { Cutoff } from './query/cutoff.js';
import { beginEvents, type EventPorts } from './events/write-events.js';
import { keptVersions } from './feed.js';
import type { Beside, DraftVersion } from './store/draft-store.js';
import type { FeedStore } from './store/feed-store.js';
import { viewNames, type RecordToStore } from './store/published-record.js';
import type { Preload } from './store/preload.js';

export interface PublishReport {
  readonly version: number;
  /** Records that were rendered; all of the feed, or those that changed. */
  readonly active: number;
  readonly changed: number;
  /** Records that left the feed: retired, suppressed, or without a licence. */
  readonly retired: number;
  /** Records that broke the contract and were left out. */
  readonly refused: number;
}

/** The report of a feed that is not published yet. */
export const nothingPublished: PublishReport = { version: 0, active: 0, changed: 0, retired: 0, refused: 0 };

export interface PublishPorts<Item, Columns extends { readonly id: string }> {
  /** Renders and proves. Throws for a record that breaks the contract; it is left out and the others go on. */
  readonly render: (item: Item) => RecordToStore;
  readonly store: FeedStore<Columns>;
  /** Undefined where changes are not sold as events. */
  readonly events?: EventPorts<Columns> | undefined;
  /** Begins the version after `from` in memory too. Default: it is loaded later. */
  readonly preload?: (from: number) => Promise<Preload | undefined>;
  /** Records rendered and written between two turns of the event loop. */
  readonly chunkSize: number;
  readonly now: () => Date;
  /** Up to where the items are complete. Default: now. */
  readonly cutoff?: Cutoff;
  readonly recheck?: Recheck | undefined;
  readonly beside?: Beside | undefined;
  /** Written with the first version of the feed, instead of `beside`: what happened before it. */
  readonly past?: Beside | undefined;
  readonly log: Log;
  /** Called with the number of records rendered so far. */
  readonly onProgress?: (done: number) => void;
}

/** Takes down records that the draft has from before a takedown. `takedownNumber`: that of the draft. */
export type Recheck = (takedownNumber: number) => Promise<void>;

/** A possible change: the record as it is now, or undefined if it may no longer be offered. */
export interface PossibleChange<Item> {
  readonly id: string;
  readonly item: Item | undefined;
}

/** The items to publish, in chunks; or a function that returns them for a draft, called when the publication begins. */
export type ToPublish<Item> =
  AsyncIterable<readonly Item[]> | ((draft: DraftVersion) => AsyncIterable<readonly Item[]>);

/** A fault of the rules hits every record, so only the first few are logged. */
const loggedRefusals = 5;
const idsPerStatement = 200;
const recordsPerQuestion = 500;
const recordsPerStatement = 100;
/** Characters of JSON text in one statement: the embedded database blocks this thread while it reads them. */
const textPerStatement = 200_000;

/**
 * Publishes a whole feed under its next version: renders and proves each record, writes those that changed, retires
 * those that are gone, then makes the version current in one statement. Until then nothing is visible; when nothing
 * changed, the version stays. Safe to run again after a crash at any point.
 */
export async function publishAll<Item extends { readonly id: string }, Columns extends { readonly id: string }>(
  items: ToPublish<Item>,
  ports: PublishPorts<Item, Columns>,
): Promise<PublishReport> {
  const publication = await beginPublication(ports);
  const { store, chunkSize } = ports;
  const shown = new Set<string>();
  try {
    for await (const { chunk, hashes } of readAhead(withHashes(publication.open(items), store, publication.from))) {
      for (const part of slicesOf(chunk, chunkSize)) {
        for (const id of await publication.addRecords(part, hashes)) shown.add(id);
        await nextTurn();
      }
    }
    for await (const ids of store.readIds(publication.from))
      await publication.retire(ids.filter((id) => !shown.has(id)));
    return await publication.commit(true);
  } finally {
    await publication.settle();
  }
}

/** Chunks with the hashes that their records had in a version. */
async function* withHashes<Item extends { readonly id: string }>(
  items: AsyncIterable<readonly Item[]>,
  store: Pick<FeedStore<unknown>, 'readHashes'>,
  version: number,
) {
  for await (const whole of items) {
    for (const chunk of slicesOf(whole, recordsPerQuestion)) {
      const ids = chunk.map(({ id }) => id);
      yield { chunk, hashes: await store.readHashes(version, ids) };
    }
  }
}

/** Publishes what may have changed and leaves the rest of the feed as it is; else as `publishAll`. */
export async function publishChanges<Item extends { readonly id: string }, Columns extends { readonly id: string }>(
  changes: ToPublish<PossibleChange<Item>>,
  ports: PublishPorts<Item, Columns>,
): Promise<PublishReport> {
  const publication = await beginPublication(ports);
  try {
    for await (const chunk of publication.open(changes)) {
      for (const part of slicesOf(chunk, ports.chunkSize)) {
        const ids = part.map(({ id }) => id);
        const hashes = await ports.store.readHashes(publication.from, ids);
        const items = part.flatMap(({ item }) => item ?? []);
        const rendered = new Set(await publication.addRecords(items, hashes));
        await publication.retire(ids.filter((id) => hashes.has(id) && !rendered.has(id)));
        await nextTurn();
      }
    }
    return await publication.commit(false);
  } finally {
    await publication.settle();
  }
}

/** One publication in progress. */
interface Publication<Item> {
  /** The version it starts from. */
  readonly from: number;
  open<Each>(what: ToPublish<Each>): AsyncIterable<readonly Each[]>;
  /** Renders records and writes those whose hash is another. Returns the ids of those that keep the contract. */
  addRecords(items: readonly Item[], hashes: ReadonlyMap<string, string>): Promise<readonly string[]>;
  retire(ids: readonly string[]): Promise<void>;
  /** `isWhole`: cleans up after publications that were cut off as well. */
  commit(isWhole: boolean): Promise<PublishReport>;
  /**
   * Waits for pending writes, successful or not: none may land after the start of the next publication.
   */
  settle(): Promise<void>;
}

async function beginPublication<Item extends { readonly id: string }, Columns extends { readonly id: string }>(
  ports: PublishPorts<Item, Columns>,
): Promise<Publication<Item>> {
  const { store, log } = ports;
  // A publication shows what was there when it began: the next one asks for what has changed since then.
  const cutoff = ports.cutoff ?? { at: ports.now() };
  const draft = await store.begin();
  const from = draft.version - 1;
  const events = ports.events && (await beginEvents(ports.events, { draft, at: cutoff.at, now: ports.now, log }));
  const preload = await ports.preload?.(from);
  const counts = { active: 0, changed: 0, retired: 0, refused: 0 };
  let pending: RecordToStore[] = [];
  let pendingText = 0;
  const writes = createWriteBehind();

  /** Written while the next records are rendered; a failure is thrown by the next write, or by the last. */
  async function writePending(): Promise<void> {
    if (pending.length === 0) return;
    const records = pending;
    await writes.begin(async () => {
      await store.write(draft, records);
      await events?.written(records);
    });
    pending = [];
    pendingText = 0;
  }

  function renderOrRefuse(item: Item): RecordToStore | undefined {
    try {
      return ports.render(item);
    } catch (error) {
      if (counts.refused++ < loggedRefusals)
        log.error({ err: error, id: item.id }, 'a record breaks the contract and is not published');
      return undefined;
    }
  }

  return {
    from,
    open: (what) => (typeof what === 'function' ? what(draft) : what),
    async addRecords(items, hashes) {
      const records = items.flatMap((item) => renderOrRefuse(item) ?? []);
      const changed = records.filter(({ id, hash }) => hashes.get(id) !== hash);
      pending.push(...changed);
      preload?.put(changed);
      for (const record of changed) pendingText += textLengthOf(record);
      if (pending.length >= recordsPerStatement || pendingText >= textPerStatement) await writePending();
      counts.active += records.length;
      counts.changed += changed.length;
      ports.onProgress?.(counts.active);
      return records.map(({ id }) => id);
    },
    async retire(ids) {
      for (const some of slicesOf(ids, idsPerStatement)) {
        await store.retire(draft, some);
        await events?.retired(some);
        preload?.remove(some);
      }
      counts.retired += ids.length;
    },
    async commit(isWhole) {
      await writePending();
      await writes.done();
      const options = { isWhole, beside: (draft.shapeBefore === '' ? ports.past : undefined) ?? ports.beside };
      if (counts.changed + counts.retired === 0) {
        await store.confirmVersion(draft, cutoff, options);
        return { ...counts, version: from };
      }
      const takedownNumber = cutoff.takedownNumber ?? 0;
      await ports.recheck?.(takedownNumber);
      async function move(): Promise<void> {
        await events?.finish(takedownNumber);
        await store.commitVersion(draft, cutoff, ports.now, options);
      }
      await (preload?.commit(move, cutoff) ?? move());
      // Page tokens still name older versions.
      const oldest = from + 1 - keptVersions;
      await store.discardSuperseded(oldest, isWhole ? undefined : oldest);
      return { ...counts, version: from + 1 };
    },
    async settle() {
      await writes.settle();
      preload?.abandon();
    },
  };
}

function textLengthOf({ columns, bodies }: RecordToStore): number {
  return viewNames.reduce((length, view) => length + (bodies[view]?.text.length ?? 0), columns.length);
}

function* slicesOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
