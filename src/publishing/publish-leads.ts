import { findAuctionLead, findSignalLead } from '../deals/leads/find-lead.js';
import type { Lead } from '../deals/leads/lead.js';
import type { PublishOptions } from '../feeds/feed-publisher.js';
import type { PossibleChange, PublishReport } from '../feeds/publish.js';
import type { Cutoff } from '../feeds/query/cutoff.js';
import { extendHolds } from '../payments/ledger/holds-store.js';
import type { FeedPublishers, LeadToPublish } from './open-feed-publishers.js';
import type { PreparedRecord } from './prepare-deals.js';
import type { ChangedRecords, RecordsToExamine } from './publish-county-records.js';
import type { Readers } from './readers.js';

export interface LeadsPorts {
  readonly publishers: FeedPublishers;
  readonly readers: Readers;
}

export interface PublishLeadsInput extends PublishOptions {
  /** The cutoff of the deals; leads are scored for its day. */
  readonly cutoff: Cutoff;
  /** The lead of each examined deal, or none. */
  readonly dealLeads: AsyncIterable<readonly PossibleChange<PreparedRecord>[]>;
  /** All leads, or those of changed listings and county records. */
  readonly examine: RecordsToExamine;
}

const idsPerStatement = 500;

/**
 * Publishes leads: all, or those that changed since their own last publication. An exclusively sold lead stays sold
 * when its listing or auction gets another id.
 */
export async function publishLeads(
  { publishers, readers }: LeadsPorts,
  input: PublishLeadsInput,
): Promise<PublishReport> {
  const { listings, signals, auctions } = readers;
  const { dealLeads, examine, cutoff } = input;
  const now = cutoff.at;

  /** A record whose source has no licence is not a lead. */
  async function readLeadFinders() {
    const licences = await readers.readLicences();
    const licensed =
      <Item extends { readonly sourceName: string }>(find: FindLead<Item>) =>
      (record: Item): Lead | undefined => {
        const licence = licences.get(record.sourceName);
        return licence && find(record, licence, now);
      };
    return { ofSignal: licensed(findSignalLead), ofAuction: licensed(findAuctionLead) };
  }

  async function* all(): AsyncGenerator<readonly LeadToPublish[]> {
    for await (const chunk of dealLeads) yield chunk.flatMap(({ item }) => item ?? []);
    const { ofSignal, ofAuction } = await readLeadFinders();
    for await (const chunk of auctions.readOffered()) yield chunk.flatMap((auction) => ofAuction(auction) ?? []);
    for await (const chunk of signals.readOffered()) yield chunk.flatMap((signal) => ofSignal(signal) ?? []);
  }

  async function* changes(records: ChangedRecords): AsyncGenerator<readonly PossibleChange<LeadToPublish>[]> {
    yield* dealLeads;
    const { ofSignal, ofAuction } = await readLeadFinders();
    yield* readChanges(records.auctions, auctions, ofAuction);
    yield* readChanges(records.signals, signals, ofSignal);
  }

  const options: PublishOptions = {
    ...input,
    // In one transaction with the version: a lead is bought by its former id before it, by its new id after it.
    beside: (transaction) =>
      extendHolds(transaction, async (ids) => [
        ...(await listings.findReplaced(ids, transaction)),
        ...(await auctions.findReplaced(ids, transaction)),
      ]),
  };
  return examine.kind === 'all'
    ? publishers.leads.publishAll(all(), options)
    : publishers.leads.publishChanges(changes(examine.ids), options);
}

type FindLead<Item> = (record: Item, licence: Parameters<typeof findSignalLead>[1], now: Date) => Lead | undefined;

async function* readChanges<Item extends { readonly id: string }>(
  ids: readonly string[],
  reader: { readByIds(ids: readonly string[]): Promise<readonly Item[]> },
  toLead: (record: Item) => Lead | undefined,
): AsyncGenerator<readonly PossibleChange<Lead>[]> {
  for (let start = 0; start < ids.length; start += idsPerStatement) {
    const some = ids.slice(start, start + idsPerStatement);
    const leads = new Map((await reader.readByIds(some)).map((record) => [record.id, toLead(record)]));
    yield some.map((id) => ({ id, item: leads.get(id) }));
  }
}
