import type { LicensedAuction } from '../records/render-auction.js';
import type { LicensedSignal } from '../records/render-signal.js';
import type { Auction } from '../counties/auctions/auction.js';
import type { AuctionReader } from '../counties/auctions/auction-reader.js';
import type { Cutoff } from '../feeds/query/cutoff.js';
import { newSince } from '../feeds/store/new-since.js';
import type { ReportPublished } from '../feeds/feed-publisher.js';
import { nothingPublished, type PublishReport } from '../feeds/publish.js';
import type { FeedPublishers } from './open-feed-publishers.js';
import type { Signal } from '../counties/signals/signal.js';
import type { SignalReader } from '../counties/signals/signal-reader.js';
import type { Licence } from '../sources/source.js';
import type { Takedowns } from '../feeds/takedowns.js';

export interface CountyRecordsPorts {
  readonly publishers: FeedPublishers;
  readonly takedowns: Takedowns;
  readonly signals: SignalReader;
  readonly auctions: AuctionReader;
  /** Licences by source name. */
  readonly readLicences: () => Promise<ReadonlyMap<string, Licence>>;
  /** Publishes all records, so that each tells anew when it was last seen; else those that have changed. */
  readonly isWhole: boolean;
  /** Feeds that are not published yet. */
  readonly held: ReadonlySet<string>;
  /** The moment of the reading. Fixed before it, with the takedowns that it excludes. */
  readonly cutoff: Cutoff;
  readonly report?: ReportPublished;
}

/** Ids of the records that may have changed. */
export interface ChangedRecords {
  readonly signals: readonly string[];
  readonly auctions: readonly string[];
}

/**
 * Publishes signals and auctions: all, or what has changed since the last publication, theirs or that of the deals and
 * leads which are made of them. A record whose source has lost its licence leaves its feed either way.
 */
export async function publishCountyRecords(ports: CountyRecordsPorts): Promise<{
  readonly signals: PublishReport;
  readonly auctions: PublishReport;
  /** Undefined when all were published. */
  readonly changed: ChangedRecords | undefined;
}> {
  const { publishers, takedowns, signals, auctions, held, cutoff, report } = ports;
  const unlessHeld = (feed: 'signals' | 'auctions', publish: () => Promise<PublishReport>) =>
    held.has(feed) ? nothingPublished : publish();
  const licences = await ports.readLicences();
  const toSignal = (signal: Signal | undefined): LicensedSignal | undefined => {
    const licence = licences.get(signal?.sourceName ?? '');
    return signal && licence && { id: signal.id, signal, licence };
  };
  const toAuction = (auction: Auction | undefined): LicensedAuction | undefined => {
    const licence = licences.get(auction?.sourceName ?? '');
    return auction && licence && { id: auction.id, auction, licence };
  };
  if (ports.isWhole) {
    const allSignals = mapChunks(signals.readOffered(), (signal) => toSignal(signal) ?? []);
    const allAuctions = mapChunks(auctions.readOffered(), (auction) => toAuction(auction) ?? []);
    return {
      signals: await unlessHeld('signals', () => publishers.signals.publishAll(allSignals, report, cutoff)),
      auctions: await unlessHeld('auctions', () => publishers.auctions.publishAll(allAuctions, report, cutoff)),
      changed: undefined,
    };
  }
  const changed = { signals: [] as string[], auctions: [] as string[] };
  const sinceOf = (feed: 'signals' | 'auctions') => newSince(publishers[feed], publishers.deals, publishers.leads);
  const [sinceSignals, sinceAuctions] = [await sinceOf('signals'), await sinceOf('auctions')];
  const suppressed = {
    signals: takedowns.suppressedOf('signals', sinceSignals.takedownNumber),
    auctions: takedowns.suppressedOf('auctions', sinceAuctions.takedownNumber),
  };
  const changedSignals = mapChunks(signals.changedSince(sinceSignals.at, suppressed.signals), ({ id, signal }) => {
    changed.signals.push(id);
    return [{ id, item: toSignal(signal) }];
  });
  const changedAuctions = mapChunks(auctions.changedSince(sinceAuctions.at, suppressed.auctions), ({ id, auction }) => {
    changed.auctions.push(id);
    return [{ id, item: toAuction(auction) }];
  });
  return {
    signals: await unlessHeld('signals', () => publishers.signals.publishChanges(changedSignals, report, cutoff)),
    auctions: await unlessHeld('auctions', () => publishers.auctions.publishChanges(changedAuctions, report, cutoff)),
    changed,
  };
}

async function* mapChunks<From, To>(
  chunks: AsyncIterable<readonly From[]>,
  map: (from: From) => To | readonly To[],
): AsyncGenerator<readonly To[]> {
  for await (const chunk of chunks) yield chunk.flatMap(map);
}
