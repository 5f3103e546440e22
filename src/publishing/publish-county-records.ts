import type { FeedPublisher, PublishOptions } from '../feeds/feed-publisher.js';
import { nothingPublished, type PublishReport } from '../feeds/publish.js';
import { newSince } from '../feeds/store/new-since.js';
import type { Takedowns } from '../feeds/takedowns.js';
import type { Licensed } from '../records/provenance.js';
import type { DeferredFeeds } from './find-deferred-feeds.js';
import type { FeedPublishers } from './open-feed-publishers.js';
import type { Readers } from './readers.js';

export interface CountyRecordsPorts {
  readonly publishers: FeedPublishers;
  readonly takedowns: Takedowns;
  readonly readers: Readers;
}

export interface PublishCountyRecordsInput extends PublishOptions {
  /** Publishes all records, which renews when each was last seen; otherwise those that changed. */
  readonly publishesAll: boolean;
  readonly deferredFeeds: DeferredFeeds;
}

/** The county records that may have changed: the deals and leads that stand on them are examined again. */
export type RecordsToExamine = { readonly kind: 'all' } | { readonly kind: 'changes'; readonly ids: ChangedRecords };

/** Ids of the records that may have changed. */
export interface ChangedRecords {
  readonly signals: readonly string[];
  readonly auctions: readonly string[];
}

/**
 * Publishes signals and auctions: all, or those that changed since the earliest of the last publications of their feed,
 * the deals and the leads. Either way, records of a source without a licence leave their feed.
 */
export async function publishCountyRecords(
  { publishers, takedowns, readers }: CountyRecordsPorts,
  input: PublishCountyRecordsInput,
): Promise<{
  readonly signals: PublishReport;
  readonly auctions: PublishReport;
  readonly examined: RecordsToExamine;
}> {
  const licences = await readers.readLicences();
  const changed = { signals: [] as string[], auctions: [] as string[] };

  function license<Item extends CountyRecord>(record: Item | undefined): Licensed<Item> | undefined {
    const licence = licences.get(record?.sourceName ?? '');
    return record && licence && { id: record.id, record, licence };
  }

  async function publish<Item extends CountyRecord>(
    feed: 'signals' | 'auctions',
    publisher: CountyPublisher<Item>,
    readOffered: () => AsyncIterable<readonly Item[]>,
    readChanged: (since: Date, suppressed: readonly string[]) => AsyncIterable<readonly ChangedRecord<Item>[]>,
  ): Promise<PublishReport> {
    if (input.deferredFeeds.has(feed)) return nothingPublished;
    if (input.publishesAll)
      return publisher.publishAll(
        flatMapChunks(readOffered(), (record) => license(record) ?? []),
        input,
      );
    const since = await newSince(publisher, publishers.deals, publishers.leads);
    const records = readChanged(since.at, takedowns.suppressedOf(feed, since.takedownNumber));
    const changes = flatMapChunks(records, ({ id, record }) => {
      changed[feed].push(id);
      return [{ id, item: license(record) }];
    });
    return publisher.publishChanges(changes, input);
  }

  const { signals, auctions } = readers;
  return {
    signals: await publish('signals', publishers.signals, signals.readOffered, (since, suppressed) =>
      flatMapChunks(signals.changedSince(since, suppressed), ({ id, signal }) => [{ id, record: signal }]),
    ),
    auctions: await publish('auctions', publishers.auctions, auctions.readOffered, (since, suppressed) =>
      flatMapChunks(auctions.changedSince(since, suppressed), ({ id, auction }) => [{ id, record: auction }]),
    ),
    examined: input.publishesAll ? { kind: 'all' } : { kind: 'changes', ids: changed },
  };
}

interface CountyRecord {
  readonly id: string;
  readonly sourceName: string;
}

interface ChangedRecord<Item> {
  readonly id: string;
  readonly record: Item | undefined;
}

type CountyPublisher<Item> = Pick<
  FeedPublisher<Licensed<Item>, never, never, never, never>,
  'publishAll' | 'publishChanges' | 'currentVersion'
>;

async function* flatMapChunks<From, To>(
  chunks: AsyncIterable<readonly From[]>,
  map: (from: From) => To | readonly To[],
): AsyncGenerator<readonly To[]> {
  for await (const chunk of chunks) yield chunk.flatMap(map);
}
