import type { AuctionReader } from '../counties/auctions/auction-reader.js';
import type { Database } from '../db/database.js';
import { newSince } from '../feeds/store/new-since.js';
import { isPublished } from '../feeds/store/published-reader.js';
import type { ReportPublished } from '../feeds/feed-publisher.js';
import type { PublishReport } from '../feeds/publish.js';
import type { Takedowns } from '../feeds/takedowns.js';
import { createFindMatches } from './find-matches.js';
import type { ListingReader } from '../listings/listing-reader.js';
import type { Log } from '../log.js';
import type { FeedPublishers } from './open-feed-publishers.js';
import { publishCountyRecords } from './publish-county-records.js';
import { publishAllDeals, publishChangedDeals, type PublishDealsPorts } from './publish-deals.js';
import { publishLeads } from './publish-leads.js';
import { publishWithLeads } from './publish-with-leads.js';
import { findHeldBack } from './find-held-back.js';
import { createHoldsStore } from '../payments/ledger/holds-store.js';
import type { RentReader } from '../underwriting/rents/rent-reader.js';
import { createReportInputsStore } from '../deals/reports/report-inputs-store.js';
import type { SignalReader } from '../counties/signals/signal-reader.js';
import { readLicencesByName, readStandings } from '../sources/standings-reader.js';
import { createSourceWork, type OnProgress, type SourceWork, type SourceWorkPorts } from './source-work.js';
import { assumptionSet } from '../underwriting/assumption-set.js';
import { createUnderwriter, type Underwriter } from '../underwriting/underwriter.js';
import { createUnderwritingReader } from '../underwriting/underwriting-reader.js';
import type { Suppressions } from './suppressions.js';

/** The way of a listing from its source to the feed, step by step; jobs and the command line run these. */
export interface Pipeline extends SourceWork {
  /** Underwrites the listings that are looked at, and publishes all feeds. */
  publish(extent: PublicationExtent, how?: PublicationOptions): Promise<FeedsReport>;
  /**
   * Publishes feeds that are behind: with a takedown since, or with fewer columns than this server reads. Undefined
   * when none is.
   */
  publishIfBehind(onProgress?: OnProgress): Promise<FeedsReport | undefined>;
  /** Nothing shows the property from now on; each publication extends this to records read later. */
  readonly suppress: Suppressions['suppress'];
  /** Loads what was published or taken down since, here or elsewhere. Calls at the same time share one load. */
  refresh(): Promise<void>;
}

/**
 * Which of the listings that are looked at are underwritten anew. all: each, so that no figure is older than promised.
 * due: those whose inputs are others than those of their figures, or whose figures are two days old.
 */
export type UnderwritingExtent = 'all' | 'due';

export interface PublicationOptions {
  readonly onProgress?: OnProgress | undefined;
  /** Default: due. */
  readonly underwriting?: UnderwritingExtent;
}

/**
 * all: every record, so that each tells anew when it was last seen, as after the sources were read. day: every deal and
 * every lead, which tell of the day, and the county records that changed. changed: only what changed; as for the day
 * where a licence of rents came, changed or ended, since any deal may rest on them.
 */
export type PublicationExtent = 'all' | 'day' | 'changed';

/** How the deals feed was published, and how many signals, auctions and leads came, changed or went. */
export interface FeedsReport extends PublishReport {
  /** Listings that were underwritten anew. */
  readonly underwritten: number;
  readonly signals: number;
  readonly auctions: number;
  readonly leads: number;
}

export interface PipelinePorts
  extends
    Pick<PublishDealsPorts, 'findPublished' | 'prepareHere' | 'threadFrom'>,
    Omit<SourceWorkPorts, 'publishIfBehind'> {
  readonly database: Database;
  readonly suppressions: Suppressions;
  readonly takedowns: Takedowns;
  readonly publishers: FeedPublishers;
  readonly listings: ListingReader;
  readonly signals: SignalReader;
  readonly auctions: AuctionReader;
  readonly rents: RentReader;
  readonly now: () => Date;
  readonly log: Log;
}

/** Composes the steps over one database. */
export function createPipeline(ports: PipelinePorts): Pipeline {
  const { knex } = ports.database;
  const { publishers, rents, suppressions, takedowns, now } = ports;
  const allPublishers = Object.values(publishers);
  const underwritingReader = createUnderwritingReader(knex);
  const holds = createHoldsStore(knex);
  const findMatches = createFindMatches(ports);

  /** Since when records are to be looked at that may name a suppressed property otherwise; all after a takedown. */
  async function carriedSince(): Promise<Date> {
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

  const work: Pipeline = {
    ...createSourceWork({ ...ports, publishIfBehind: (onProgress) => work.publishIfBehind(onProgress) }),
    async publish(wanted, { onProgress, underwriting = 'due' } = {}) {
      // Records that are not written again would lack what their version says they have.
      const extent = (await areReadable()) ? wanted : 'all';
      await takedowns.refresh();
      // What was read since is suppressed with its property before anything of it is published.
      await suppressions.carryOver(extent === 'all' ? undefined : await carriedSince());
      const takedownNumber = takedowns.number();
      const readLicences = () => readLicencesByName(knex);
      const report = tellPublished(onProgress);
      const since = await newSince(publishers.deals, publishers.leads);
      const held = await findHeldBack(() => readStandings(knex), publishers);
      // Deals are matched with what is published of the counties.
      const county = await publishCountyRecords({
        ...ports,
        readLicences,
        isWhole: extent === 'all',
        held,
        cutoff: { at: now(), takedownNumber },
        report,
      });
      const reportInputs = createReportInputsStore(knex);
      const at = now();
      const cutoff = { at, takedownNumber };
      const changed = extent === 'changed' && !(await rents.licencesChanged(since.at, at)) ? county.changed : undefined;
      const underwriter = await openUnderwriter(ports, at, underwriting);
      const ofDeals = {
        ...ports,
        underwriter,
        underwritingReader,
        reportInputs,
        readLicences,
        findMatches,
        now: at,
        cutoff,
        report,
      };
      const ofLeads = { ...ports, publisher: publishers.leads, holds, changed, readLicences, cutoff };
      const { deals, leads } = await publishWithLeads(
        (offerLeads) =>
          changed === undefined
            ? publishAllDeals({ ...ofDeals, offerLeads })
            : publishChangedDeals({ ...ofDeals, offerLeads }, since, changed),
        held.has('leads')
          ? undefined
          : (motivated, isAlone) =>
              publishLeads({ ...ofLeads, motivated, report: (told) => isAlone() && report(told) }),
      );
      if (changed === undefined) await underwriter.discardRest();
      await reportInputs.discardSuperseded(deals.version - 1, changed && deals.version - 1);
      return {
        underwritten: underwriter.count(),
        ...deals,
        signals: countMoves(county.signals),
        auctions: countMoves(county.auctions),
        leads: countMoves(leads),
      };
    },
    async publishIfBehind(onProgress) {
      await work.refresh();
      const behind = await Promise.all(allPublishers.map(isBehind));
      // A first publication is made of what was read, not of what must not be shown.
      if (!behind.includes(true) || !(await isPublished(ports.database, 'deals'))) return undefined;
      return work.publish('day', { onProgress });
    },
    suppress: suppressions.suppress,
    async refresh() {
      await Promise.all([takedowns.refresh(), ...allPublishers.map((publisher) => publisher.refresh())]);
    },
  };
  return work;
}

async function openUnderwriter(
  { database: { knex }, rents }: PipelinePorts,
  now: Date,
  extent: UnderwritingExtent,
): Promise<Underwriter> {
  const findRent = await rents.loadFindRent(now);
  return createUnderwriter({ knex, findRent, assumptions: assumptionSet, now, all: extent === 'all' });
}

function tellPublished(onProgress: OnProgress = () => undefined): ReportPublished {
  return ({ feed, published, of }) => onProgress({ published, ...(of !== undefined && { of }), feed });
}

/** Records that came, changed or went. */
function countMoves({ changed, retired }: PublishReport): number {
  return changed + retired;
}
