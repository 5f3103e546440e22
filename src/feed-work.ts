import { createCarryOver } from './carry-over.js';
import type { AuctionReader } from './auctions/auction-reader.js';
import type { Database } from './db/database.js';
import type { Figures } from './door/desk.js';
import { newSince } from './feeds/new-since.js';
import type { ReportPublished } from './feeds/feed-line.js';
import type { PublishReport } from './feeds/publish.js';
import { OperatorError } from './errors.js';
import { createFindMatches } from './find-matches.js';
import { identifyByAddress } from './listings/identify-by-address.js';
import type { ListingReader } from './listings/listing-reader.js';
import type { Log } from './log.js';
import type { ConfiguredSources } from './load-configured-sources.js';
import type { FeedLines } from './open-feeds.js';
import { findCountyOfPlace } from './metros/find-county-of-place.js';
import { findTimeZone } from './metros/local-date-of.js';
import { SuppressionError } from './policy/suppression-error.js';
import type { SuppressionList, SuppressionWish } from './policy/suppression-list.js';
import { publishCountyRecords } from './publish-county-records.js';
import { publishAllDeals, publishChangedDeals, type PublishDealsPorts } from './publish-deals.js';
import { publishLeads } from './publish-leads.js';
import { publishWithLeads } from './publish-with-leads.js';
import { findHeldBack } from './find-held-back.js';
import { createHoldsStore } from './payments/holds-store.js';
import type { RentReader } from './rents/rent-reader.js';
import { createDossierStore } from './reports/dossier-store.js';
import type { SignalReader } from './signals/signal-reader.js';
import type { IngestReport } from './sources/ingest-report.js';
import { expectSince } from './sources/expect-since.js';
import { chunkRowsOf, type IngestOptions } from './sources/ingest-run.js';
import { ingestSource } from './sources/ingest-source.js';
import { createNamingReader } from './sources/naming-reader.js';
import { readLicencesByName } from './sources/licence-reader.js';
import { noteUnseen, registerChosen, registerSources } from './sources/register-sources.js';
import { readRemoved, setRemoved } from './sources/removed-sources.js';
import type { DeliveryKind } from './sources/source.js';
import { readStandings, type SourceStanding } from './sources/standings-reader.js';
import { assumptionSet } from './underwriting/assumption-set.js';
import { createUnderwriter, type Underwriter } from './underwriting/underwriter.js';
import { createUnderwritingReader } from './underwriting/underwriting-reader.js';
import { mayStillBePublished, type Withdrawals } from './withdrawals.js';

/** Told how far the work is; `of`: about how many of the first figure it will be, where that is known. */
export type OnProgress = (figures: Figures) => void;

/** The way of a listing from its source to the feed, step by step; jobs and the command line run these. */
export interface FeedWork {
  /**
   * Reads sources one after the other; all, or those that are chosen. What is taken back meanwhile is withheld between
   * two pages. Throws an OperatorError when no source has the name, or when it is to begin at a watermark and cannot.
   */
  ingest(onProgress?: OnProgress, choice?: IngestChoice): Promise<readonly IngestReport[]>;
  /** Underwrites the listings that are looked at, and publishes all feeds. */
  publish(extent: PublicationExtent, how?: PublicationOptions): Promise<FeedsReport>;
  /**
   * Publishes when something was taken back that the feeds may still show: a property was suppressed, a source's licence
   * ended. Undefined when nothing was taken back. Until it succeeds, what was taken back is looked for before anything is
   * shown.
   */
  withhold(onProgress?: OnProgress): Promise<FeedsReport | undefined>;
  /**
   * Notes that a property is to be shown no more, for good. May be called beside anything else: nothing shows it from
   * now on, and the next publication is without it. Resolves when what else records call the property is suppressed as
   * well: its parcel by its address, its addresses by its parcel. Of what is read later each publication sees to that before
   * it begins. Throws an OperatorError when the wish cannot be read.
   */
  suppress(wish: SuppressionWish): Promise<void>;
  /**
   * Takes a source off sale, or puts it back as it was last read. Nothing shows a removed source's records from now on, and the
   * next publication is without them. Throws an OperatorError when there is no such source.
   */
  setSourceRemoved(name: string, isRemoved: boolean): Promise<void>;
  /**
   * Whether this instance sees any of the known sources that deliver one of these kinds; true where none is known. Where it sees
   * none they are noted as unseen, and another instance may read them.
   */
  seesSources(delivers: readonly DeliveryKind[]): Promise<boolean>;
  /** Loads what was published or withdrawn since, here or elsewhere. Calls at the same time share one load. */
  refresh(): Promise<void>;
}

/**
 * Which of the listings that are looked at are underwritten anew. all: each, so that no figure is older than promised. due:
 * those whose inputs are others than those of their figures, or whose figures are two days old.
 */
export type UnderwritingExtent = 'all' | 'due';

export interface PublicationOptions {
  readonly onProgress?: OnProgress | undefined;
  /** Default: due. */
  readonly underwriting?: UnderwritingExtent;
}

/**
 * all: every record, so that each tells anew when it was last seen, as after the sources were read. day: every deal and every
 * lead, which tell of the day, and the county records that changed. changed: only what changed; as for the day where a licence
 * of rents came, changed or ended, since any deal may rest on them.
 */
export type PublicationExtent = 'all' | 'day' | 'changed';

/** Which sources are read, and how. */
export interface IngestChoice extends Pick<IngestOptions, 'since' | 'dryRun' | 'acceptShrink' | 'signal'> {
  /** By name; a source that is not configured is an error. */
  readonly source?: string;
  /** By what they deliver. */
  readonly delivers?: readonly DeliveryKind[];
}

/** How the deals feed was published, and how many signals, auctions and leads came, changed or went. */
export interface FeedsReport extends PublishReport {
  /** Listings that were underwritten anew. */
  readonly underwritten: number;
  readonly signals: number;
  readonly auctions: number;
  readonly leads: number;
}

export interface FeedWorkPorts extends Pick<PublishDealsPorts, 'findPublished' | 'prepareHere' | 'threadFrom'> {
  readonly database: Database;
  readonly suppression: SuppressionList;
  readonly withdrawals: Withdrawals;
  readonly lines: FeedLines;
  readonly listings: ListingReader;
  readonly signals: SignalReader;
  readonly auctions: AuctionReader;
  readonly rents: RentReader;
  /** What the loaded sources fetch ends with the signal. */
  readonly loadSources: (signal?: AbortSignal) => Promise<ConfiguredSources>;
  /** The name of this instance, for its operator. */
  readonly instance: string;
  readonly now: () => Date;
  readonly log: Log;
}

/** Composes the steps over one database. */
export function createFeedWork(ports: FeedWorkPorts): FeedWork {
  const { knex } = ports.database;
  const { lines, signals, auctions, rents, suppression, withdrawals, now, log } = ports;
  const underwritingReader = createUnderwritingReader(knex);
  const holds = createHoldsStore(knex);
  const findMatches = createFindMatches(ports);
  const carryOver = createCarryOver(createNamingReader(knex, now), suppression);

  /** What had been taken back when the last publication of this process began. */
  let withheld: string | undefined;

  const work: FeedWork = {
    async ingest(onProgress, { source: name, delivers, ...how } = {}) {
      const configured = await ports.loadSources(how.signal);
      const { sources, refused } = configured;
      const removed = await readRemoved(knex);
      if (name !== undefined && removed.has(name)) throw new OperatorError(isRemoved(name));
      const isMeant = (each: string) => (name === undefined ? !removed.has(each) : each === name);
      const chosen = sources.filter((each) => isMeant(each.name) && (delivers?.includes(each.delivers) ?? true));
      const reports: IngestReport[] = refused.filter(({ source }) => isMeant(source)).map(refusalOf);
      if (name !== undefined && chosen.length + reports.length === 0) throw unknownSource(name, sources);
      for (const source of chosen) if (how.since !== undefined) expectSince(source, how.since);
      const register = name === undefined ? registerSources : registerChosen;
      if (how.dryRun !== true)
        await register(knex, { ...configured, chosen }, { instance: ports.instance, now: now() });
      await withdrawals.refresh();
      for (const report of reports) log.warn(report, 'source refused');
      const standings = await readStandings(knex);
      for (const standing of standings) warnUnseen(log, standing);
      const known = countRowsBefore(standings);
      const betweenPages = createMeanwhile(() => work.withhold(onProgress), how.signal, ports);
      for (const [place, source] of chosen.entries()) {
        how.signal?.throwIfAborted();
        if (place > 0 && how.dryRun !== true) await betweenPages();
        const report = await ingestSource(source, {
          knex,
          instance: ports.instance,
          identify: identifyByAddress,
          countyOf: findCountyOfPlace,
          now,
          ...how,
          chunkRows: chunkRowsOf[ports.database.kind],
          betweenPages,
          onProgress: ({ isWhole, rows, ...figures }) =>
            onProgress?.({ rows, ...(isWhole && known.get(source.name)), ...figures }),
        });
        log.info(report, 'source read');
        reports.push(report);
      }
      return reports;
    },
    async publish(extent, { onProgress, underwriting = 'due' } = {}) {
      await withdrawals.refresh();
      // What was read since is suppressed with its property before anything of it is published.
      await carryOver(extent === 'all' ? undefined : await newSince(...Object.values(lines)));
      const takenBack = withdrawals.state();
      const readLicences = () => readLicencesByName(knex);
      const report = tellPublished(onProgress);
      const since = await newSince(lines.deals, lines.leads);
      const held = await findHeldBack(() => readStandings(knex), lines);
      // Deals are matched with what is published of the counties.
      const ofCounties = { lines, signals, auctions, readLicences, isWhole: extent === 'all', held, report };
      const county = await publishCountyRecords(ofCounties);
      const dossiers = createDossierStore(knex);
      const at = now();
      const changed = extent === 'changed' && !(await rents.licencesChanged(since, at)) ? county.changed : undefined;
      const underwriter = await openUnderwriter(ports, at, underwriting);
      const ofDeals = {
        ...ports,
        underwriter,
        underwritingReader,
        dossiers,
        readLicences,
        findMatches,
        now: at,
        report,
      };
      const asOf = { at, takenBack: withdrawals.count() };
      const ofLeads = { ...ports, line: lines.leads, holds, changed, readLicences, asOf };
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
      // Not before the leads are published: by the dossiers that they were made of, those before are withheld.
      await dossiers.discardSuperseded(deals.version - 1, changed && deals.version - 1);
      withheld = takenBack;
      return {
        underwritten: underwriter.count(),
        ...deals,
        signals: countMoves(county.signals),
        auctions: countMoves(county.auctions),
        leads: countMoves(leads),
      };
    },
    async withhold(onProgress) {
      await withdrawals.refresh();
      const since = await newSince(...Object.values(lines));
      if (!mayStillBePublished(withdrawals, { since, withheld })) return undefined;
      return work.publish('day', { onProgress });
    },
    async suppress(wish) {
      await suppressAsWished(suppression, wish);
      await carryOver();
    },
    async setSourceRemoved(name, isRemoved) {
      if (await setRemoved(knex, name, isRemoved, now())) return withdrawals.refresh();
      throw new OperatorError(`There is no source ${JSON.stringify(name)}. "sources" lists all.`);
    },
    async seesSources(delivers) {
      const known = (await readStandings(knex)).filter(
        (each) => !each.removed && each.lastSeen !== undefined && delivers.includes(each.delivers),
      );
      if (known.length === 0) return true;
      const { sources } = await ports.loadSources();
      if (sources.some((source) => delivers.includes(source.delivers))) return true;
      await noteUnseen(
        knex,
        sources.map(({ name }) => name),
        now(),
      );
      for (const standing of await readStandings(knex)) warnUnseen(log, standing);
      return false;
    },
    async refresh() {
      await Promise.all([withdrawals.refresh(), ...Object.values(lines).map((line) => line.refresh())]);
    },
  };
  return work;
}

async function openUnderwriter(
  { database: { knex }, rents }: FeedWorkPorts,
  now: Date,
  extent: UnderwritingExtent,
): Promise<Underwriter> {
  const findRent = await rents.loadFindRent(now);
  return createUnderwriter({ knex, findRent, assumptions: assumptionSet, now, all: extent === 'all' });
}

const tryAgainAfterMs = 5 * 60_000;

/** What is withheld while sources are read, for hours perhaps. Where it fails it keeps no source from being read. */
function createMeanwhile(
  withhold: () => Promise<unknown>,
  signal: AbortSignal | undefined,
  { now, log }: Pick<FeedWorkPorts, 'now' | 'log'>,
): () => Promise<void> {
  let failedAtMs = -Infinity;
  return async () => {
    if (now().getTime() - failedAtMs < tryAgainAfterMs) return;
    try {
      await withhold();
    } catch (error) {
      failedAtMs = now().getTime();
      if (signal?.aborted !== true) log.error({ err: error }, 'what was taken back is not published without yet');
    }
  };
}

async function suppressAsWished(suppression: SuppressionList, wish: SuppressionWish): Promise<void> {
  if ('countyFips' in wish && findTimeZone(wish.countyFips) === undefined)
    throw new OperatorError(
      `${JSON.stringify(wish.countyFips)} is no county: --county takes its five-digit FIPS code, such as 39035.`,
    );
  try {
    if ('address' in wish) await suppression.suppressAddress(wish.address, wish.reason);
    else await suppression.suppressParcel(wish, wish.reason);
  } catch (error) {
    if (error instanceof SuppressionError) throw new OperatorError(error.message);
    throw error;
  }
}

function tellPublished(onProgress: OnProgress = () => undefined): ReportPublished {
  return ({ feed, published, of }) => onProgress({ published, ...(of !== undefined && { of }), feed });
}

/** By source, of how many rows it was when it was last read whole. */
function countRowsBefore(standings: readonly SourceStanding[]): ReadonlyMap<string, { readonly of: number }> {
  const read = standings.filter(({ lastCompletedAt }) => lastCompletedAt !== undefined);
  return new Map(read.map(({ name, rows, rejected }) => [name, { of: rows + rejected }]));
}

/** Records that came, changed or went. */
function countMoves({ changed, retired }: PublishReport): number {
  return changed + retired;
}

/** A source that is not read, as the report of a run: whoever runs the job learns of it there. */
function refusalOf({ source, problem }: ConfiguredSources['refused'][number]): IngestReport {
  return { source, status: 'refused', problem, rows: 0, accepted: 0, rejected: 0, created: 0, retired: 0 };
}

function isRemoved(name: string): string {
  return `The source ${name} is removed. To read and sell it again: npm run cli -- sources restore ${name}`;
}

/** What is not seen stays for sale; only an operator can tell whether it is gone. */
function warnUnseen(log: Log, { name, unseenSince, lastSeen }: SourceStanding): void {
  if (unseenSince === undefined) return;
  const cure = `npm run cli -- sources remove ${name}`;
  log.warn(
    { source: name, unseenSince, lastSeenBy: lastSeen?.by, lastSeenAt: lastSeen?.at, cure },
    'source unseen: its records stay for sale as last read; the cure takes them off sale',
  );
}

function unknownSource(name: string, sources: ConfiguredSources['sources']): OperatorError {
  const names = sources.map((source) => source.name).join(', ');
  return new OperatorError(
    `There is no source ${JSON.stringify(name)}. ${names === '' ? 'None is configured.' : `The sources are ${names}.`}`,
  );
}
