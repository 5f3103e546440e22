import type { Auction } from '../counties/auctions/auction.js';
import type { AuctionReader } from '../counties/auctions/auction-reader.js';
import type { Cutoff } from '../feeds/query/cutoff.js';
import type { ReportPublished } from '../feeds/feed-publisher.js';
import type { PossibleChange, PublishReport } from '../feeds/publish.js';
import { findAuctionLead, findSignalLead } from '../deals/leads/find-lead.js';
import type { Lead } from '../deals/leads/lead.js';
import type { FeedPublishers, LeadToPublish } from './open-feed-publishers.js';
import type { ListingReader } from '../listings/listing-reader.js';
import type { PreparedRecord } from './prepare-deals.js';
import type { ChangedRecords } from './publish-county-records.js';
import type { HoldsStore } from '../payments/ledger/holds-store.js';
import type { Signal } from '../counties/signals/signal.js';
import type { SignalReader } from '../counties/signals/signal-reader.js';
import type { Licence } from '../sources/source.js';

export interface LeadsPorts {
  readonly publisher: FeedPublishers['leads'];
  readonly signals: SignalReader;
  readonly auctions: AuctionReader;
  readonly listings: ListingReader;
  readonly holds: HoldsStore;
  /** The lead that each deal is, or none: of all deals, or of those that may have changed. */
  readonly motivated: AsyncIterable<readonly PossibleChange<PreparedRecord>[]>;
  /** The county records that may have changed; undefined publishes all leads. */
  readonly changed: ChangedRecords | undefined;
  /** Licences by source name. */
  readonly readLicences: () => Promise<ReadonlyMap<string, Licence>>;
  /** As of what the deals are read; the day that scores are of. */
  readonly cutoff: Cutoff;
  readonly report?: ReportPublished;
}

const idsPerStatement = 500;

/**
 * Publishes leads, each scored for the day of `cutoff.at`: all, or what has changed since their own last publication. A
 * lead that is sold exclusively stays sold where its listing or its sale got another id.
 */
export async function publishLeads(ports: LeadsPorts): Promise<PublishReport> {
  const { publisher, listings, signals, auctions, holds, motivated, changed, readLicences, cutoff, report } = ports;
  const now = cutoff.at;
  const followHolds = () =>
    holds.follow(async (ids) => [...(await listings.findReplaced(ids)), ...(await auctions.findReplaced(ids))], now);
  // Before the lead of the new id can be bought.
  await followHolds();

  async function readRules() {
    const licences = await readLicences();
    return {
      ofSignal: licensed<Signal>(licences, (signal, licence) => findSignalLead(signal, licence, now)),
      ofAuction: licensed<Auction>(licences, (auction, licence) => findAuctionLead(auction, licence, now)),
    };
  }

  async function* all(): AsyncGenerator<readonly LeadToPublish[]> {
    for await (const chunk of motivated) yield chunk.flatMap(({ item }) => item ?? []);
    const { ofSignal, ofAuction } = await readRules();
    for await (const chunk of auctions.readOffered()) yield chunk.flatMap((auction) => ofAuction(auction) ?? []);
    for await (const chunk of signals.readOffered()) yield chunk.flatMap((signal) => ofSignal(signal) ?? []);
  }

  async function* changes(records: ChangedRecords): AsyncGenerator<readonly PossibleChange<LeadToPublish>[]> {
    yield* motivated;
    const { ofSignal, ofAuction } = await readRules();
    yield* readChanges(records.auctions, auctions, ofAuction);
    yield* readChanges(records.signals, signals, ofSignal);
  }

  // Those of deals are read with the deals, from then on.
  const published = await (changed === undefined
    ? publisher.publishAll(all(), report, cutoff)
    : publisher.publishChanges(changes(changed), report, cutoff));
  // What was bought meanwhile by its former id, which nobody can buy any more.
  await followHolds();
  return published;
}

async function* readChanges<Record extends { readonly id: string }>(
  ids: readonly string[],
  reader: { readByIds(ids: readonly string[]): Promise<readonly Record[]> },
  toLead: (record: Record) => Lead | undefined,
): AsyncGenerator<readonly PossibleChange<Lead>[]> {
  for (let start = 0; start < ids.length; start += idsPerStatement) {
    const some = ids.slice(start, start + idsPerStatement);
    const leads = new Map((await reader.readByIds(some)).map((record) => [record.id, toLead(record)]));
    yield some.map((id) => ({ id, item: leads.get(id) }));
  }
}

/** A record whose source has no licence is no lead. */
function licensed<Record extends { readonly sourceName: string }>(
  licences: ReadonlyMap<string, Licence>,
  find: (record: Record, licence: Licence) => Lead | undefined,
): (record: Record) => Lead | undefined {
  return (record) => {
    const licence = licences.get(record.sourceName);
    return licence && find(record, licence);
  };
}
