import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Rendered } from '../contract/rendered.js';
import type { Log } from '../log.js';
import { type Cutoff, isAhead } from './query/cutoff.js';
import type { HeldLeads } from './excluded.js';
import type { FeedKind } from './query/feed-kind.js';
import type { Identified } from './query/identified.js';
import type { Beside } from './store/draft-store.js';
import type { FeedStore, FeedVersion } from './store/feed-store.js';
import { createFeed, type Feed, type ReadBodies } from './feed.js';
import { createInMemoryBodies, type InMemoryBodies, type ViewProvers } from './store/in-memory-bodies.js';
import { createEmptyRecords } from './store/in-memory-records.js';
import type { PageTokens } from './page-token.js';
import type { PlacedTexts } from './store/place-reader.js';
import {
  publishAll,
  publishChanges,
  type PossibleChange,
  type PublishPorts,
  type PublishReport,
  type Recheck,
  type ToPublish,
} from './publish.js';
import { loadOrLeave, type RecordToStore, type RecordViews, type ViewName } from './store/published-record.js';
import { refreshFeed } from './refresh-feed.js';
import { createSnapshot } from './query/snapshot.js';
import { createPreloader, type Preload } from './store/preload.js';
import type { Origin, Takedowns } from './takedowns.js';

/** A feed with its publication, and the loading of published versions into memory. */
export interface FeedPublisher<Source, Rank, Columns extends Identified, Filter, Views extends RecordViews> {
  readonly feed: Feed<Rank, Columns, Filter, Views>;
  /** The published version, of any instance. `completeAsOf` is undefined if its publisher's clock was ahead. */
  currentVersion(): Promise<FeedVersion>;
  /** The place keys that some records have or had lately, each once. */
  placeKeysOf(ids: readonly string[]): Promise<readonly string[]>;
  /** The found records that may be shown. */
  filterShown(found: PlacedTexts): readonly PlacedRecord<Views['full']>[];
  /** Those of some ids that are published now and may be shown, and the version that says so. */
  filterPublished(
    ids: readonly string[],
  ): Promise<{ readonly version: number; readonly published: ReadonlySet<string> }>;
  /** Publishes the whole feed and loads it; see `publishAll`. */
  publishAll(items: ToPublish<Source>, options?: PublishOptions): Promise<PublishReport>;
  /** Publishes what may have changed and loads it; see `publishChanges`. */
  publishChanges(changes: ToPublish<PossibleChange<Source>>, options?: PublishOptions): Promise<PublishReport>;
  /** Loads what was published since, here or elsewhere. Calls at the same time share one load. */
  refresh(): Promise<void>;
}

export interface PublishOptions {
  readonly onProgress?: OnPublishProgress | undefined;
  /** Up to where the items are complete. Fixed before they are read. Default: now. */
  readonly cutoff?: Cutoff;
  readonly beside?: Beside;
}

/** The records published so far; `of`: the number published before, where that is known and all are published. */
export type OnPublishProgress = (progress: {
  readonly published: number;
  readonly of?: number;
  readonly feed: string;
}) => void;

/** A published record, with all keys of its place. */
export interface PlacedRecord<Record> {
  readonly record: Record;
  readonly placeKeys: readonly string[];
}

export interface FeedPublisherPorts<
  Source,
  Rank extends Identified,
  Columns extends Rank & Origin,
  Filter,
  Views extends RecordViews,
> {
  readonly store: FeedStore<Columns>;
  readonly kind: FeedKind<Rank, Columns, Filter>;
  /** Renders and proves. Throws for a record that breaks the contract; it is left out. */
  readonly render: (source: Source) => RecordToStore;
  readonly provers: ViewProvers<Views>;
  /** Records rendered or loaded between two turns of the event loop: some milliseconds of work. */
  readonly sliceSize: number;
  readonly takedowns: Takedowns;
  /** Awaited when all of a version is written, before it is moved: see `Recheck`. */
  readonly recheck?: Recheck | undefined;
  /** The held leads; only for the feed of leads. */
  readonly leadHolds?: HeldLeads;
  /** Where changes are sold as events: how they are written, and who brings a version's into memory. */
  readonly events?: PublishPorts<never, Columns>['events'] & { readonly load: (version: number) => Promise<void> };
  /** Written with its first version: what happened to its records before. */
  readonly past?: PublishPorts<never, Columns>['past'];
  /** See `createPreloader`. */
  readonly mostReplacedBytes?: number | undefined;
  readonly tokens: PageTokens;
  readonly now: () => Date;
  readonly log: Log;
}

/** Sets a feed up over a database, empty until it is refreshed. */
export async function createFeedPublisher<
  Source extends Identified,
  Rank extends Identified,
  Columns extends Rank & Origin,
  Filter,
  Views extends RecordViews,
>(
  ports: FeedPublisherPorts<Source, Rank, Columns, Filter, Views>,
): Promise<FeedPublisher<Source, Rank, Columns, Filter, Views>> {
  const { store, kind, render, provers, sliceSize, takedowns, recheck, tokens, now, log } = ports;
  const nothing = { version: 0, publishedAt: new Date(0), records: createEmptyRecords<Rank, Columns>(kind) };
  const bodies = (kind.holdsBodies ?? kind.packing === undefined) ? createInMemoryBodies(provers) : undefined;
  const feed = createFeed<Rank, Columns, Filter, Views>({
    kind,
    empty: await createSnapshot(kind, nothing, () => Promise.resolve()),
    readBodies: createReadBodies({ store, provers, held: bodies, log }),
    tokens,
    takedowns,
    leadHolds: ports.leadHolds,
    now,
  });
  const preloader = createPreloader({ kind, feed, bodies, log }, ports.mostReplacedBytes);
  const refreshPorts = { kind, feed, store, preloader, bodies, sliceSize, log };
  let refreshing: Promise<void> | undefined;

  function refresh(): Promise<void> {
    refreshing ??= refreshFeed(refreshPorts)
      .then(async (moved) => {
        const { version, records } = feed.current();
        await ports.events?.load(version);
        if (moved) log.info({ feed: kind.name, feedVersion: version, records: records.length }, 'feed loaded');
      })
      .finally(() => (refreshing = undefined));
    return refreshing;
  }

  /** A version that is being loaded comes before the one after it. */
  async function preload(from: number): Promise<Preload | undefined> {
    while (refreshing !== undefined) await refreshing.catch(() => undefined);
    return preloader.begin(from);
  }

  async function finish(publication: Promise<PublishReport>): Promise<PublishReport> {
    const report = await publication;
    // Each line has the version of the program under `version`.
    const { version, ...figures } = report;
    log.info({ feed: kind.name, feedVersion: version, ...figures }, 'feed published');
    await refresh();
    return report;
  }

  /** `before`: the number of records published before; 0 where that is not known. */
  function publishPorts({ onProgress, cutoff, beside }: PublishOptions = {}, before = 0) {
    const of = before === 0 ? {} : { of: before };
    return {
      ...{ render, store, preload, chunkSize: sliceSize, now, recheck, beside, log },
      ...{ events: ports.events, past: ports.past },
      cutoff: cutoff ?? { at: now(), takedownNumber: takedowns.number() },
      onProgress: (published: number) => onProgress?.({ published, ...of, feed: kind.name }),
    };
  }

  return {
    feed,
    async currentVersion() {
      const current = await store.currentVersion();
      const { completeAsOf: at } = current;
      return at && isAhead(at, now()) ? { ...current, completeAsOf: undefined } : current;
    },
    async placeKeysOf(ids) {
      return store.readPlaceKeys(ids, (await store.currentVersion()).version);
    },
    filterShown({ found, takedownNumber }) {
      const shown = found.filter((record) => takedowns.mayShow(record, takedownNumber));
      // They were proven when they were published; what is made of them is proven before it is sent.
      return shown.map(({ full, placeKeys }) => ({ record: JSON.parse(full) as Views['full'], placeKeys }));
    },
    async filterPublished(ids) {
      const { version, takedownNumber } = await store.currentVersion();
      const published = await store.readOrigins(ids, version);
      const shown = published.filter((record) => takedowns.mayShow(record, takedownNumber));
      return { version, published: new Set(shown.map(({ id }) => id)) };
    },
    publishAll: (items, options) => finish(publishAll(items, publishPorts(options, feed.current().records.length))),
    publishChanges: (changes, options) => finish(publishChanges(changes, publishPorts(options))),
    refresh,
  };
}

interface BodiesPorts<Columns, Views extends RecordViews> {
  readonly store: FeedStore<Columns>;
  readonly provers: ViewProvers<Views>;
  readonly held: InMemoryBodies<Views> | undefined;
  readonly log: Log;
}

/** Records read and proven between two turns of the event loop: some milliseconds of work. */
const recordsPerRead = 50;

/** Reads bodies from memory, else from the database, where a body without a valid seal is proven again. */
function createReadBodies<Columns extends Identified, Views extends RecordViews>({
  store,
  provers,
  held,
  log,
}: BodiesPorts<Columns, Views>): ReadBodies<Views> {
  return async <View extends keyof Views & ViewName>(view: View, ids: readonly string[], version: number) => {
    const inMemory = ids.map((id) => held?.find(view, id, version));
    const missing = ids.filter((_id, index) => inMemory[index] === undefined);
    if (missing.length === 0) return { bodies: inMemory, ownBytes: 0 };

    const read = new Map<string, Rendered<Views[View]> | undefined>();
    let ownBytes = 0;
    for (let start = 0; start < missing.length; start += recordsPerRead) {
      if (start > 0) await nextTurn();
      const some = missing.slice(start, start + recordsPerRead);
      for (const [id, { text, seal }] of await store.readBodies(view, some, version)) {
        const body = loadOrLeave(() => provers[view].load(text, seal), id, log);
        ownBytes += body?.byteLength ?? 0;
        read.set(id, body);
      }
    }
    if (missing.some((id) => !read.has(id))) throw new Error('A record of the published feed is not in the database.');
    const bodies = ids.map((id, index) => inMemory[index] ?? read.get(id));
    return { bodies, ownBytes };
  };
}
