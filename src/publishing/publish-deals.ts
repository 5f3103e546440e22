import type { Database } from '../db/database.js';
import { readAhead } from '../db/sql/read-ahead.js';
import { placeOf } from '../counties/matches/property-place.js';
import { readDealFacts, type FindMatches, type ExaminedChunk } from '../deals/read-deal-facts.js';
import { keepReportInputs } from '../deals/reports/keep-report-inputs.js';
import { createReportInputsStore } from '../deals/reports/report-inputs-store.js';
import type { PublishOptions } from '../feeds/feed-publisher.js';
import type { PossibleChange, PublishReport } from '../feeds/publish.js';
import type { Cutoff } from '../feeds/query/cutoff.js';
import type { NewSince } from '../feeds/store/new-since.js';
import type { Takedowns } from '../feeds/takedowns.js';
import type { ListingChange } from '../listings/listing-reader.js';
import type { FiguresOf } from '../underwriting/underwriting-inputs.js';
import { openDealThread } from './open-deal-thread.js';
import type { FeedPublishers } from './open-feed-publishers.js';
import type { PrepareDeals, PreparedDeal, PreparedRecord } from './prepare-deals.js';
import type { ChangedRecords, RecordsToExamine } from './publish-county-records.js';
import type { Readers } from './readers.js';

export interface DealsPorts {
  readonly database: Database;
  readonly publishers: FeedPublishers;
  readonly takedowns: Takedowns;
  readonly readers: Readers;
  readonly findMatches: FindMatches;
  /** Prepares deals in this thread. */
  readonly prepareDeals: PrepareDeals;
  /**
   * The number of listings from which all deals are prepared in a thread of their own, which takes a second to start.
   * Default 5,000.
   */
  readonly threadFrom?: number | undefined;
}

export interface PublishDealsInput extends PublishOptions {
  readonly cutoff: Cutoff;
  readonly figuresOf: FiguresOf;
  readonly emitLeads: EmitLeads;
  /** Older changes are published already. */
  readonly since: NewSince;
  /** All deals, or those at the places of changed listings and county records. */
  readonly examine: RecordsToExamine;
}

/** Receives the lead of each examined listing's deal, or none, in chunks. Awaited. */
export type EmitLeads = (leads: readonly PossibleChange<PreparedRecord>[]) => Promise<void>;

const idsPerStatement = 1_000;

/**
 * Publishes deals with their report inputs, underwritten as they are now: a new price is never sold with the figures of
 * the old one.
 * - All of them: each then shows its days on the feed and when it was last seen.
 * - Or those whose listing or its source's licence changed, or at whose place a county record or another deal
 *   changed. The others stay as published, even if a county's median cap rate or rents changed.
 */
export async function publishDeals(ports: DealsPorts, input: PublishDealsInput): Promise<PublishReport> {
  const { database, publishers, readers, findMatches } = ports;
  const { listings, readLicences } = readers;
  const factsPorts = { listings, readLicences, findMatches, figuresOf: input.figuresOf, now: input.cutoff.at };
  const reportInputs = createReportInputsStore(database.knex);
  const prepareAll = (chunks: AsyncIterable<readonly ListingChange[]>, prepare: PrepareDeals) =>
    prepareInOrder(readDealFacts(factsPorts, chunks), prepare, input.emitLeads);
  if (input.examine.kind === 'changes') {
    const changes = prepareAll(findChanges(ports, input, input.examine.ids), ports.prepareDeals);
    return publishers.deals.publishChanges((draft) => keepReportInputs(changes, reportInputs, draft, false), input);
  }
  const { threadFrom = 5_000 } = ports;
  const thread = (await listings.countActive()) < threadFrom ? undefined : openDealThread();
  const active = mapAsync(listings.readActive(), (chunk) => chunk.map((listing) => ({ id: listing.id, listing })));
  const all = prepareAll(active, thread?.prepare ?? ports.prepareDeals);
  return publishers.deals
    .publishAll(
      (draft) =>
        mapAsync(keepReportInputs(all, reportInputs, draft, true), (chunk) => chunk.flatMap(({ item }) => item ?? [])),
      input,
    )
    .finally(() => thread?.close());
}

/** While some deals are prepared, the next are read and the previous are written. */
function prepareInOrder(facts: AsyncIterable<ExaminedChunk>, prepare: PrepareDeals, emitLeads: EmitLeads) {
  async function* begin() {
    for await (const { ids, facts: some } of readAhead(facts)) {
      const preparing = prepare(some);
      // It is awaited in its turn, unless the reader stops earlier.
      preparing.catch(() => undefined);
      yield { ids, preparing };
    }
  }
  async function* finish(): AsyncGenerator<readonly PossibleChange<PreparedDeal>[]> {
    for await (const { ids, preparing } of readAhead(begin())) {
      const deals = new Map((await preparing).map((deal) => [deal.id, deal]));
      await emitLeads(ids.map((id) => ({ id, item: deals.get(id)?.lead })));
      yield ids.map((id) => ({ id, item: deals.get(id) }));
    }
  }
  return readAhead(finish());
}

async function* mapAsync<From, To>(items: AsyncIterable<From>, map: (item: From) => To): AsyncGenerator<To> {
  for await (const item of items) yield map(item);
}

/**
 * Each listing whose deal may differ from the published one, once. Deals that share a place with a change are examined
 * too: a match without a street suffix counts only while no other property fits.
 */
async function* findChanges(
  { publishers, takedowns, readers: { listings, findPublished } }: DealsPorts,
  { since }: PublishDealsInput,
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
    const neighbors = (await dealsAt([...new Set([...former, ...current])])).filter((id) => !seen.has(id));
    for await (const some of listings.readSome(neighbors)) together.push(...some.filter(addOnce));
    yield together;
  }
  const others = new Set(takedowns.suppressedOf(deals.feed.name, since.takedownNumber));
  for (const feed of ['signals', 'auctions'] as const) {
    for (let start = 0; start < changed[feed].length; start += idsPerStatement) {
      const keys = await publishers[feed].placeKeysOf(changed[feed].slice(start, start + idsPerStatement));
      for (const id of await dealsAt(keys)) others.add(id);
    }
  }
  yield* listings.readSome([...others].filter((id) => !seen.has(id)));
}
