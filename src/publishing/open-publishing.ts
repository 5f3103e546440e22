import type { Config } from '../config/config.js';
import { momentOfLeads } from '../deals/leads/find-lead.js';
import { createLeadHolds, type LeadHolds } from '../feeds/lead-holds.js';
import { createChangesReader, type ReadChanges } from '../feeds/store/changes-reader.js';
import { createReadPublished, type ReadPublished } from '../feeds/store/place-reader.js';
import { createTakedownReader } from '../feeds/store/takedown-store.js';
import { createTakedowns } from '../feeds/takedowns.js';
import { makeDirectory } from '../project-file.js';
import { createHoldsReader } from '../payments/ledger/holds-reader.js';
import type { SoldEvents, SoldFeeds } from '../records/feeds/sold-feeds.js';
import { removeDemonstration } from '../sources/register-sources.js';
import { createRatesAt, type RatesAt } from '../underwriting/mortgage-rates.js';
import { createHistory } from './demonstration/past-events-store.js';
import { createSourceLoader, type DemonstrationSources } from './load-configured-sources.js';
import { openFeedPublishers, type FeedPublishers, type FeedPublishersPorts } from './open-feed-publishers.js';
import { createPipeline, type Pipeline, type PipelinePorts } from './pipeline.js';
import { openReaders } from './readers.js';
import { createSuppressions } from './suppressions.js';

/** The feeds and the pipeline that publishes them. */
export interface Publishing {
  readonly publishers: FeedPublishers;
  readonly feeds: SoldFeeds;
  readonly events: SoldEvents;
  readonly pipeline: Pipeline;
  readonly ratesAt: RatesAt;
  /** Leads that are held or about to be sold. */
  readonly leadHolds: LeadHolds;
  readonly readPublished: ReadPublished;
  /** Counts the changes of the deals feed. */
  readonly readChanges: ReadChanges;
  close(): void;
}

export interface PublishingPorts
  extends
    Pick<PipelinePorts, 'database' | 'validators' | 'threadFrom' | 'owner' | 'now' | 'log'>,
    Pick<FeedPublishersPorts, 'tokens'> {
  readonly config: Config;
  /** The version of the service, from its contract. */
  readonly version: string;
  /** Key of the hashes that the database keeps. */
  readonly hashKey: string;
  /** Undefined where real money is taken. */
  readonly demonstration: DemonstrationSources | undefined;
}

/**
 * Makes the directory of the drop folders. Where real money is taken, also takes the sources of an earlier
 * demonstration off sale: nothing would ever retire their properties.
 */
export async function prepareData(
  ports: Pick<PublishingPorts, 'config' | 'database' | 'demonstration' | 'now'>,
): Promise<void> {
  const { config, database, demonstration, now } = ports;
  makeDirectory(config.dropDirectory);
  if (demonstration === undefined) await removeDemonstration(database.knex, now());
}

/** Opens the feeds over a database, empty until they are refreshed. */
export async function openPublishing(ports: PublishingPorts): Promise<Publishing> {
  const { config, database, hashKey, demonstration, version, now } = ports;
  const { knex } = database;
  const leadHolds = createLeadHolds({ readHolds: createHoldsReader(knex), momentAt: momentOfLeads, now });
  const takedowns = createTakedowns(createTakedownReader(knex), now);
  const suppressions = createSuppressions({ knex, key: hashKey, takedowns, now });
  const readers = openReaders(knex, suppressions.list, now);
  const { publishers, events } = await openFeedPublishers({
    ...ports,
    openHistory: demonstration && createHistory(() => demonstration.readPast(now())),
    leadHolds,
    takedowns,
    recheck: suppressions.recheck,
  });
  const ratesAt = createRatesAt(config.mortgageRates, demonstration !== undefined);
  const pipeline = createPipeline({
    ...ports,
    suppressions,
    takedowns,
    publishers,
    readers,
    loadSources: createSourceLoader({ config, demonstration, version, now, random: Math.random }),
    ratesAt,
    instance: config.instanceName,
  });
  return {
    publishers,
    events,
    feeds: {
      deals: publishers.deals.feed,
      signals: publishers.signals.feed,
      auctions: publishers.auctions.feed,
      leads: publishers.leads.feed,
    },
    pipeline: demonstration === undefined ? pipeline : withDemoHistory(pipeline, demonstration, ports),
    ratesAt,
    leadHolds,
    readPublished: createReadPublished(knex),
    readChanges: createChangesReader(knex, publishers.deals.feed.name),
    close() {
      for (const { feed } of Object.values(publishers)) feed.close();
    },
  };
}

/** Demonstration only: each reading is followed by the backdating of its first day. */
function withDemoHistory(
  pipeline: Pipeline,
  { writePast }: DemonstrationSources,
  { database, now }: Pick<PublishingPorts, 'database' | 'now'>,
): Pipeline {
  return {
    ...pipeline,
    async ingest(onProgress, choice) {
      const reports = await pipeline.ingest(onProgress, choice);
      await writePast(database.knex, now());
      return reports;
    },
  };
}
