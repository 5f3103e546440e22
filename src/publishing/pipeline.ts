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
import { publishUnderwritten } from './publish-underwritten.js';
import type { Readers } from './readers.js';
import { createSourceWork, type OnProgress, type SourceWork, type SourceWorkPorts } from './source-work.js';
import type { Suppressions } from './suppressions.js';

/** The way of a listing from its source to the feed, step by step; jobs and the command line run these. */
export interface Pipeline extends SourceWork {
  /** Underwrites the listings that are examined, and publishes all feeds. */
  publish(extent: PublicationExtent, options?: PublicationOptions): Promise<FeedsReport>;
  /**
   * Publishes all feeds if one is behind: it has a takedown since, or fewer columns than this server reads. Else, or
   * before the deals were published for the first time, returns undefined.
   */
  publishIfBehind(onProgress?: OnProgress): Promise<FeedsReport | undefined>;
  /**
   * Loads HUD's yearly files of rents, and publishes all that stands on them.
   *
   * @throws OperatorError when a file is refused; then nothing is loaded
   */
  loadRents(order: RentsOrder, onProgress?: OnProgress): Promise<RentsReport>;
  /** What an operator should do for the rents of the year, in one sentence. */
  adviseOnRents(): Promise<string | undefined>;
  /** Nothing shows the property from now on; each publication extends this to records read later. */
  readonly suppress: Suppressions['suppress'];
  /** Loads what was published or taken down since, here or elsewhere. Concurrent calls share one load. */
  refresh(): Promise<void>;
}

export interface PublicationOptions {
  readonly onProgress?: OnProgress | undefined;
}

/**
 * The records that are published again.
 * - all: every record, so that each shows when it was last seen, as after the sources were read.
 * - day: every deal and every lead, which state the day, and the county records that changed.
 * - changed: only changes; but like `day` after a licence of rents began, changed or ended, or when interest rates or
 *   assumptions did, since any deal may rest on them.
 */
export type PublicationExtent = 'all' | 'day' | 'changed';

/** How the deals feed was published, and the number of signals, auctions and leads that were added, changed or gone. */
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

  /** Records that changed since then may name a suppressed property differently; after a takedown, all records may. */
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
      // Records that are not written again would lack columns that their version declares.
      const extent = (await areReadable()) ? wanted : 'all';
      await takedowns.refresh();
      // Records read since are suppressed with their property before they are published.
      await suppressions.suppressAliases(extent === 'all' ? undefined : await aliasesSince());
      const takedownNumber = takedowns.number();
      const since = await newSince(publishers.deals, publishers.leads);
      const deferredFeeds = await findDeferredFeeds(readers.readStandings, publishers);

      // Deals are matched with the published county records.
      const cutoff = { at: now(), takedownNumber };
      const county = await publishCountyRecords(ports, {
        isWhole: extent === 'all',
        deferredFeeds,
        cutoff,
        onProgress,
      });
      const { deals, leads, isEveryDeal } = await publishUnderwritten(
        { ...ports, deals: dealsPorts, leads: ports },
        {
          since,
          changed: extent === 'changed' ? county.changed : undefined,
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
