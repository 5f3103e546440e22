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
import { createSourceLoader, type DemonstrationSources } from './load-configured-sources.js';
import { openFeedPublishers, type FeedPublishers, type FeedPublishersPorts } from './open-feed-publishers.js';
import { createPipeline, type Pipeline, type PipelinePorts } from './pipeline.js';
import { openReaders } from './readers.js';
import { createSuppressions } from './suppressions.js';

/** The feeds, and the pipeline that publishes them. */
export interface Publishing {
  readonly publishers: FeedPublishers;
  readonly feeds: SoldFeeds;
  readonly events: SoldEvents;
  readonly pipeline: Pipeline;
  readonly ratesAt: RatesAt;
  /** Leads that are held or about to be sold. */
  readonly leadHolds: LeadHolds;
  readonly readPublished: ReadPublished;
  /** Of the deals. */
  readonly readChanges: ReadChanges;
  close(): void;
}

export interface PublishingPorts
  extends
    Pick<PipelinePorts, 'database' | 'validators' | 'threadFrom' | 'owner' | 'now' | 'log'>,
    Pick<FeedPublishersPorts, 'tokens'> {
  readonly config: Config;
  /** Of this service, as its contract states it. */
  readonly version: string;
  /** Key of the hashes that the database keeps. */
  readonly hashKey: string;
  /** Undefined where real money is taken. */
  readonly demonstration: DemonstrationSources | undefined;
}

/** Opens the feeds over a database, empty until they are refreshed, and makes the directory of the drop folders. */
export async function openPublishing(ports: PublishingPorts): Promise<Publishing> {
  const { config, database, hashKey, demonstration, version, now } = ports;
  const { knex } = database;
  makeDirectory(config.dropDirectory);
  // Real money is taken. Properties of an earlier demonstration have no source that would retire them.
  if (demonstration === undefined) await removeDemonstration(knex, now());
  const leadHolds = createLeadHolds({
    readHolds: createHoldsReader(knex),
    momentAt: momentOfLeads,
    now,
  });
  const takedowns = createTakedowns(createTakedownReader(knex), now);
  const suppressions = createSuppressions({ knex, key: hashKey, takedowns, now });
  const readers = openReaders(knex, suppressions.list, now);
  const readPast = demonstration && (() => demonstration.readPast(now()));
  const { publishers, events } = await openFeedPublishers({
    ...{ ...ports, readPast },
    leadHolds,
    takedowns,
    recheck: suppressions.recheck,
  });
  const ratesAt = createRatesAt(config.mortgageRates, demonstration !== undefined);
  const pipeline = createPipeline({
    ...ports,
    ...{ suppressions, takedowns, publishers, readers },
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
    pipeline: {
      ...pipeline,
      async ingest(onProgress, choice) {
        const reports = await pipeline.ingest(onProgress, choice);
        await demonstration?.writePast(knex, now());
        return reports;
      },
    },
    ratesAt,
    leadHolds,
    readPublished: createReadPublished(knex),
    readChanges: createChangesReader(knex, publishers.deals.feed.name),
    close() {
      for (const { feed } of Object.values(publishers)) feed.close();
    },
  };
}
