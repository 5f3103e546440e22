import { readAhead } from '../db/sql/read-ahead.js';
import { readDealFacts, type DealFactsPorts, type LookedAt } from '../deals/read-deal-facts.js';
import type { ReportPublished } from '../feeds/feed-publisher.js';
import type { Cutoff } from '../feeds/query/cutoff.js';
import type { NewSince } from '../feeds/store/new-since.js';
import type { FindPublished } from '../feeds/store/place-reader.js';
import type { Takedowns } from '../feeds/takedowns.js';
import type { PossibleChange, PublishReport } from '../feeds/publish.js';
import type { ListingChange, ListingReader } from '../listings/listing-reader.js';
import { placeOf } from '../counties/matches/property-place.js';
import { openDealThread } from './open-deal-thread.js';
import type { FeedPublishers } from './open-feed-publishers.js';
import type { PrepareDeals, PreparedDeal, PreparedRecord } from './prepare-deals.js';
import type { ChangedRecords } from './publish-county-records.js';
import type { ReportInputsStore } from '../deals/reports/report-inputs-store.js';
import { keepChangedReportInputs, keepReportInputs } from '../deals/reports/keep-report-inputs.js';
import { assumptionSet } from '../underwriting/assumption-set.js';
import type { UnderwritingReader } from '../underwriting/underwriting-reader.js';

export interface PublishDealsPorts extends DealFactsPorts {
  readonly publishers: FeedPublishers;
  readonly takedowns: Takedowns;
  readonly listings: ListingReader;
  readonly underwritingReader: UnderwritingReader;
  readonly findPublished: FindPublished;
  readonly prepareHere: PrepareDeals;
  /**
   * From so many listings on, all deals are prepared in a thread of their own: it takes a second to start. Default
   * 5,000.
   */
  readonly threadFrom?: number | undefined;
  readonly reportInputs: ReportInputsStore;
  readonly offerLeads: OfferLeads;
  /** See `CountyRecordsPorts`. */
  readonly cutoff: Cutoff;
  readonly report: ReportPublished;
}

/** Told of listings that were looked at which lead the deal of each is, or that it is none. It is waited for. */
export type OfferLeads = (leads: readonly PossibleChange<PreparedRecord>[]) => Promise<void>;

const idsPerStatement = 1_000;

/**
 * Publishes all deals as of now, with their report inputs: each tells anew how long it is on the feed and when it was
 * seen. What is due is underwritten before: a new price is never sold with the figures of the old one.
 */
export async function publishAllDeals(ports: PublishDealsPorts): Promise<PublishReport> {
  const { deals } = ports.publishers;
  const { threadFrom = 5_000, prepareHere } = ports;
  const thread = (await ports.listings.countActive()) < threadFrom ? undefined : openDealThread();
  const listings = mapChunks(ports.listings.readActive(), (chunk) =>
    chunk.map((listing): ListingChange => ({ id: listing.id, listing })),
  );
  const chunks = prepareAll(ports, thread?.prepare ?? prepareHere, readDealFacts(ports, listings));
  const prepared = mapChunks(chunks, (chunk) => chunk.deals);
  return deals
    .publishAll((draft) => keepReportInputs(prepared, ports.reportInputs, draft), ports.report, ports.cutoff)
    .finally(() => thread?.close());
}

/**
 * Publishes the deals that something new is known of since the last publication, underwritten anew where that is due:
 * their listing or its source's licence changed, they were underwritten, or a county record or another deal that is or
 * was at their place has changed. The others stay as they were published, also where they show the median cap rate of a
 * county in which another listing changed, or where rents came meanwhile.
 *
 * @param since what is newer is looked at
 * @param changed the county records that may have changed
 */
export async function publishChangedDeals(
  ports: PublishDealsPorts,
  since: NewSince,
  changed: ChangedRecords,
): Promise<PublishReport> {
  const { deals } = ports.publishers;
  const looked = readDealFacts(ports, findChanges(ports, since, changed));
  const changes = mapChunks(prepareAll(ports, ports.prepareHere, looked), toChanges);
  return deals.publishChanges(
    (draft) => keepChangedReportInputs(changes, ports.reportInputs, draft),
    ports.report,
    ports.cutoff,
  );
}

interface PreparedChunk {
  /** Of the listings that were looked at. */
  readonly ids: readonly string[];
  readonly deals: readonly PreparedDeal[];
}

/** While some deals are prepared, the next are read and those before are written: whoever prepares never waits. */
function prepareAll(
  { offerLeads }: Pick<PublishDealsPorts, 'offerLeads'>,
  prepare: PrepareDeals,
  looked: AsyncIterable<LookedAt>,
) {
  async function* begin() {
    for await (const { ids, facts } of readAhead(looked)) {
      const preparing = prepare(facts);
      // It is awaited in its turn; whoever stops before never learns of it.
      preparing.catch(() => undefined);
      yield { ids, preparing };
    }
  }
  async function* finish(): AsyncGenerator<PreparedChunk> {
    for await (const { ids, preparing } of readAhead(begin())) {
      const deals = await preparing;
      const leads = new Map(deals.map(({ id, lead }) => [id, lead]));
      await offerLeads(ids.map((id) => ({ id, item: leads.get(id) })));
      yield { ids, deals };
    }
  }
  return readAhead(finish());
}

function toChanges({ ids, deals }: PreparedChunk): readonly PossibleChange<PreparedDeal>[] {
  const byId = new Map(deals.map((deal) => [deal.id, deal]));
  return ids.map((id) => ({ id, item: byId.get(id) }));
}

async function* mapChunks<From, To>(chunks: AsyncIterable<From>, map: (chunk: From) => To): AsyncGenerator<To> {
  for await (const chunk of chunks) yield map(chunk);
}

/**
 * Each listing that may make another deal than before, once. The deals that share a place with what has changed are
 * looked at with it: a county record may be of a property only as long as it can be meant for no other.
 */
async function* findChanges(
  { publishers, takedowns, listings, underwritingReader, findPublished }: PublishDealsPorts,
  since: NewSince,
  changed: ChangedRecords,
): AsyncGenerator<readonly ListingChange[]> {
  const { deals } = publishers;
  const seen = new Set<string>();
  function addOnce({ id }: ListingChange): boolean {
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  }
  const dealsAt = async (keys: readonly string[]) =>
    (await findPublished([deals.feed.name], keys)).get(deals.feed.name) ?? [];

  for await (const chunk of listings.changedSince(since.at)) {
    const former = await deals.placeKeysOf(chunk.map(({ id }) => id));
    const current = chunk.flatMap(({ listing }) => (listing === undefined ? [] : placeOf(listing).keys));
    const together = chunk.filter(addOnce);
    const neighbours = (await dealsAt([...new Set([...former, ...current])])).filter((id) => !seen.has(id));
    for await (const some of listings.readSome(neighbours)) together.push(...some.filter(addOnce));
    yield together;
  }
  const others = new Set([
    ...takedowns.suppressedOf(deals.feed.name, since.takedownNumber),
    ...(await underwritingReader.listComputedSince(since.at)),
    ...(await underwritingReader.listOutdated(assumptionSet.version)),
  ]);
  for (const publisher of ['signals', 'auctions'] as const) {
    for (let start = 0; start < changed[publisher].length; start += idsPerStatement) {
      const keys = await publishers[publisher].placeKeysOf(changed[publisher].slice(start, start + idsPerStatement));
      for (const id of await dealsAt(keys)) others.add(id);
    }
  }
  yield* listings.readSome([...others].filter((id) => !seen.has(id)));
}
