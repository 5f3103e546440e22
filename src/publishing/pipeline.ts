import type { Validators } from '../contract/validators.js';
import type { Database } from '../db/database.js';
import { createReportInputsStore } from '../deals/reports/report-inputs-store.js';
import type { PublishReport } from '../feeds/publish.js';
import { newSince } from '../feeds/store/new-since.js';
import { isPublished } from '../feeds/store/published-reader.js';
import type { Takedowns } from '../feeds/takedowns.js';
import type { RatesAt } from '../underwriting/mortgage-rates.js';
import { findDeferredFeeds } from './find-deferred-feeds.js';
import { createFindMatches } from './find-matches.js';
import { createRentLoader, type RentsOrder, type RentsReport } from './load-rents.js';
import type { FeedPublishers } from './open-feed-publishers.js';
import { createPrepareInTurns } from './prepare-deals.js';
import { publishCountyRecords } from './publish-county-records.js';
import type { DealsPorts } from './publish-deals.js';
import { publishDealsAndLeads } from './publish-deals-and-leads.js';
import type { Readers } from './readers.js';
import { createSourceWork, type OnProgress, type SourceWork, type SourceWorkPorts } from './source-work.js';
import type { Suppressions } from './suppressions.js';

/** The steps from source to feed; jobs and the command line run them. */
export interface Pipeline extends SourceWork {
  /** Publishes all feeds to an extent. */
  publish(extent: PublicationExtent, options?: PublicationOptions): Promise<FeedsReport>;
  /**
   * Publishes all feeds if one has an unpublished takedown, or lacks columns that this server reads. Otherwise, or
   * before the first publication of the deals, returns undefined.
   */
  publishIfBehind(onProgress?: OnProgress): Promise<FeedsReport | undefined>;
  /**
   * Loads HUD's yearly files of rents, and publishes all that depends on them.
   *
   * @throws OperatorError when a file is refused; then nothing is loaded
   */
  loadRents(order: RentsOrder, onProgress?: OnProgress): Promise<RentsReport>;
  /** Advises the operator about the rents of the year, in one sentence. */
  adviseOnRents(): Promise<string | undefined>;
  /** Suppresses a property for good; each publication extends this to records read later. */
  readonly suppress: Suppressions['suppress'];
  /** Loads the publications and takedowns of all instances. Concurrent calls share one load. */
  refresh(): Promise<void>;
}

export interface PublicationOptions {
  readonly onProgress?: OnProgress | undefined;
}

/**
 * The records that are published again.
 * - all: every record, which renews when each was last seen; after the listings were read.
 * - day: every deal and every lead, since both state the day; and the county records that changed.
 * - changed: only changes; but like `day` after a change of rents or their licence, interest rates or assumptions.
 */
export type PublicationExtent = 'all' | 'day' | 'changed';

/** The report of the deals feed, and the number of signals, auctions and leads that were added, changed or gone. */
export interface FeedsReport extends PublishReport {
  readonly signals: number;
  readonly auctions: number;
  readonly leads: number;
}

export interface PipelinePorts extends Omit<SourceWorkPorts, 'publishIfBehind'>, Pick<DealsPorts, 'threadFrom'> {
  readonly ratesAt: RatesAt;
  readonly database: Database;
  readonly validators: Validators;
  readonly readers: Readers;
  readonly suppressions: Suppressions;
  readonly takedowns: Takedowns;
  readonly publishers: FeedPublishers;
}

/** Composes the steps over one database. */
export function createPipeline(ports: PipelinePorts): Pipeline {
  const { publishers, readers, suppressions, takedowns, now } = ports;
  const { knex } = ports.database;
  const allPublishers = Object.values(publishers);
  const reportInputs = createReportInputsStore(knex);
  const dealsPorts: DealsPorts = {
    ...ports,
    findMatches: createFindMatches(readers),
    prepareDeals: createPrepareInTurns(ports.validators),
  };

  /** Records changed since then may name a suppressed property differently; after a takedown, all records may. */
  async function aliasesSince(): Promise<Date> {
    const since = await newSince(...allPublishers);
    return since.takedownNumber < takedowns.number() ? new Date(0) : since.at;
  }

  async function isBehind({ feed, currentVersion }: (typeof allPublishers)[number]): Promise<boolean> {
    const { isReadable, takedownNumber } = await currentVersion();
    return !isReadable || (feed.isPublished() && (takedownNumber < takedowns.number() || feed.hasTakedowns()));
  }

  async function areReadable(): Promise<boolean> {
    return (await Promise.all(allPublishers.map((each) => each.currentVersion()))).every((each) => each.isReadable);
  }

  const rentLoader = createRentLoader({ ...ports, findMatches: dealsPorts.findMatches });
  const pipeline: Pipeline = {
    ...createSourceWork({ ...ports, publishIfBehind: (onProgress) => pipeline.publishIfBehind(onProgress) }),
    async loadRents(order, onProgress) {
      const report = await rentLoader.load(order);
      if (report.isStored) await pipeline.publish('changed', { onProgress });
      return report;
    },
    adviseOnRents: rentLoader.advise,
    async publish(wanted, { onProgress } = {}) {
      // Otherwise the unchanged records would lack columns that the version declares.
      const extent = (await areReadable()) ? wanted : 'all';
      await takedowns.refresh();
      // Records read since are suppressed with their property before they are published.
      await suppressions.suppressAliases(extent === 'all' ? undefined : await aliasesSince());
      const takedownNumber = takedowns.number();
      const since = await newSince(publishers.deals, publishers.leads);
      const deferredFeeds = await findDeferredFeeds(readers.readStandings, publishers);

      // First, since deals are matched with published county records. Each cutoff precedes the reading of its records.
      const county = await publishCountyRecords(ports, {
        publishesAll: extent === 'all',
        deferredFeeds,
        cutoff: { at: now(), takedownNumber },
        onProgress,
      });
      const { deals, leads, isEveryDeal } = await publishDealsAndLeads(
        { ...ports, deals: dealsPorts, leads: ports },
        {
          since,
          examine: extent === 'changed' ? county.examined : { kind: 'all' },
          cutoff: { at: now(), takedownNumber },
          withLeads: !deferredFeeds.has('leads'),
          onProgress,
        },
      );
      const kept = deals.version - 1;
      // A whole publication also clears what older ones left.
      await reportInputs.discardSuperseded(kept, isEveryDeal ? undefined : kept);
      return {
        ...deals,
        signals: countDifferences(county.signals),
        auctions: countDifferences(county.auctions),
        leads: countDifferences(leads),
      };
    },
    async publishIfBehind(onProgress) {
      await pipeline.refresh();
      const behind = await Promise.all(allPublishers.map(isBehind));
      // The first publication is that of the listings job, not of a takedown.
      if (!behind.includes(true) || !(await isPublished(ports.database, 'deals'))) return undefined;
      return pipeline.publish('day', { onProgress });
    },
    suppress: suppressions.suppress,
    async refresh() {
      await Promise.all([takedowns.refresh(), ...allPublishers.map((publisher) => publisher.refresh())]);
    },
  };
  return pipeline;
}

/** Records that were added, changed or gone. */
function countDifferences({ changed, retired }: PublishReport): number {
  return changed + retired;
}
