import { composeChanges, composeDeals, type ComposePorts, type DealChange } from './deals/compose-deals.js';
import type { Deal } from './deals/deal.js';
import type { ReportPublished } from './feeds/feed-line.js';
import type { PossibleChange, PublishReport } from './feeds/publish.js';
import type { ListingChange, ListingReader } from './listings/listing-reader.js';
import type { FeedLines } from './open-feeds.js';
import type { ChangedRecords } from './publish-county-records.js';
import type { DossierStore } from './reports/dossier-store.js';
import { keepChangedDossiers, keepDossiers } from './reports/keep-dossiers.js';
import type { UnderwritingReader } from './underwriting/underwriting-reader.js';

export interface PublishDealsPorts extends ComposePorts {
  readonly lines: FeedLines;
  readonly listings: ListingReader;
  readonly underwritings: UnderwritingReader;
  readonly dossiers: DossierStore;
  /** Told what became of each listing that was looked at. */
  readonly onDeal: OnDeal;
  readonly report: ReportPublished;
}

/** Told a deal by its id, or that there is none to be offered. */
export type OnDeal = (id: string, deal: Deal | undefined) => void;

const idsPerStatement = 1_000;

/** Publishes all deals as of now, with their dossiers: each tells anew how long it is on the feed and when it was seen. */
export async function publishAllDeals(ports: PublishDealsPorts): Promise<PublishReport> {
  const { deals } = ports.lines;
  const { version } = await deals.currentVersion();
  return deals.publishAll(
    keepDossiers(tellDeals(composeDeals(ports), ports.onDeal), ports.dossiers, version),
    ports.report,
  );
}

/**
 * Publishes the deals that something new is known of since the last publication: their listing or its source's licence
 * changed, they were underwritten, or a county record that is or was at their place has changed. The others stay as they
 * were published, also where they show the median cap rate of a county in which another listing changed.
 *
 * @param since what was written down since then is new
 * @param changed the county records that may have changed
 */
export async function publishChangedDeals(
  ports: PublishDealsPorts,
  since: Date,
  changed: ChangedRecords,
): Promise<PublishReport> {
  const { deals } = ports.lines;
  const { version } = await deals.currentVersion();
  const changes = tellChanges(composeChanges(ports, findChanges(ports, since, changed)), ports.onDeal);
  return deals.publishChanges(toItems(keepChangedDossiers(changes, ports.dossiers, version)), ports.report);
}

async function* tellDeals(chunks: AsyncIterable<readonly Deal[]>, onDeal: OnDeal): AsyncGenerator<readonly Deal[]> {
  for await (const chunk of chunks) {
    for (const deal of chunk) onDeal(deal.id, deal);
    yield chunk;
  }
}

async function* tellChanges(
  chunks: AsyncIterable<readonly DealChange[]>,
  onDeal: OnDeal,
): AsyncGenerator<readonly DealChange[]> {
  for await (const chunk of chunks) {
    for (const { id, deal } of chunk) onDeal(id, deal);
    yield chunk;
  }
}

async function* toItems(chunks: AsyncIterable<readonly DealChange[]>): AsyncGenerator<readonly PossibleChange<Deal>[]> {
  for await (const chunk of chunks) yield chunk.map(({ id, deal }) => ({ id, item: deal }));
}

/** Each listing that may make another deal than before, once. */
async function* findChanges(
  { lines, listings, underwritings }: PublishDealsPorts,
  since: Date,
  changed: ChangedRecords,
): AsyncGenerator<readonly ListingChange[]> {
  const seen = new Set<string>();
  for await (const chunk of listings.changedSince(since)) {
    for (const { id } of chunk) seen.add(id);
    yield chunk;
  }
  const others = new Set(await underwritings.listComputedSince(since));
  for (const line of ['signals', 'auctions'] as const) {
    for (let start = 0; start < changed[line].length; start += idsPerStatement) {
      const keys = await lines[line].placeKeysOf(changed[line].slice(start, start + idsPerStatement));
      for (const id of await lines.deals.findByPlaces(keys)) others.add(id);
    }
  }
  yield* listings.readSome([...others].filter((id) => !seen.has(id)));
}
