import type { Database } from '../db/database.js';
import { OperatorError } from '../errors.js';
import { identifyByAddress } from '../listings/listing-identity.js';
import type { ConfiguredSources } from './load-configured-sources.js';
import type { Log } from '../log.js';
import { findCountyOfPlace } from '../places/metros/zip-counties.js';
import { assertCanBeginAt } from '../sources/assert-can-begin-at.js';
import type { AnySource } from '../sources/registry/create-source.js';
import { chunkRowsOf, type IngestOptions, type IngestReport } from '../sources/ingest/ingest-run.js';
import { createImportReport } from '../sources/import-report.js';
import { ingestSource } from '../sources/ingest/ingest-source.js';
import {
  noteUnseen,
  registerChosen,
  registerSources,
  readRemoved,
  setRemoved,
  tellConfigured,
} from '../sources/register-sources.js';
import type { DeliveryKind } from '../sources/source.js';
import { coversMissing } from '../sources/stated-coverage.js';
import { readStandings, type SourceStanding } from '../sources/standings-reader.js';
import type { Takedowns } from '../feeds/takedowns.js';

/** Receives figures about the progress; `of`: the estimated total of the first figure, if known. */
export type OnProgress = (figures: Readonly<Record<string, number | string>>) => void;

/** Reads, removes and restores sources, and notes those that are unseen. */
export interface SourceWork {
  /**
   * Reads sources one after the other: all, or the chosen ones. Publishes takedowns between two pages. Throws an
   * OperatorError when no source has the name, or when the source cannot begin at the given watermark.
   */
  ingest(onProgress?: OnProgress, choice?: IngestChoice): Promise<readonly IngestReport[]>;
  /**
   * Takes a source off sale, or restores it as last read. Nothing shows a removed source's records from now on, and the
   * next publication is without them. Throws an OperatorError when there is no such source.
   */
  setSourceRemoved(name: string, isRemoved: boolean): Promise<void>;
  /**
   * Returns whether a source that delivers one of these kinds is configured here; true if none was ever seen. If not,
   * all sources that are not configured here are noted as unseen, and another instance may read them.
   */
  checkSourcesSeen(delivers: readonly DeliveryKind[]): Promise<boolean>;
}

/** Which sources are read, and how. */
export interface IngestChoice extends Pick<IngestOptions, 'since' | 'dryRun' | 'acceptShrink' | 'signal'> {
  /** By name; a source that is not configured is an error. */
  readonly source?: string;
  /** By what they deliver. */
  readonly delivers?: readonly DeliveryKind[];
}

export interface SourceWorkPorts {
  readonly database: Database;
  readonly takedowns: Pick<Takedowns, 'refresh'>;
  /** The signal ends the requests of the loaded sources. */
  readonly loadSources: (signal?: AbortSignal) => Promise<ConfiguredSources>;
  /** The name of this instance, for its operator. */
  readonly instance: string;
  /** Names its row in `instances`; without one nobody compares its sources with another's. */
  readonly owner?: string;
  /** Publishes new takedowns. */
  readonly publishIfBehind: (onProgress?: OnProgress) => Promise<unknown>;
  readonly now: () => Date;
  readonly log: Log;
}

export function createSourceWork(ports: SourceWorkPorts): SourceWork {
  const { knex } = ports.database;
  const { takedowns, now, log } = ports;

  async function load(signal?: AbortSignal): Promise<ConfiguredSources> {
    const configured = await ports.loadSources(signal);
    if (ports.owner !== undefined) await tellConfigured(knex, ports.owner, configured.sources);
    return configured;
  }

  async function readEach(
    sources: readonly AnySource[],
    rowsBefore: ReturnType<typeof countRowsBefore>,
    how: Omit<IngestChoice, 'source' | 'delivers'>,
    onProgress: OnProgress | undefined,
  ): Promise<IngestReport[]> {
    const betweenPages = createTakedownPublisher(() => ports.publishIfBehind(onProgress), how.signal, ports);
    const reports: IngestReport[] = [];
    for (const [place, source] of sources.entries()) {
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
          onProgress?.({ rows, ...(isWhole && rowsBefore.get(source.name)), ...figures }),
      });
      const { imported: _, ...figures } = report;
      log.info(figures, 'source read');
      reports.push(report);
    }
    return reports;
  }

  return {
    async ingest(onProgress, { source: name, delivers, ...how } = {}) {
      const configured = refuseWithoutCovers(await load(how.signal), await readStandings(knex));
      const { chosen, reports } = chooseSources(configured, await readRemoved(knex), { name, delivers });
      for (const source of chosen) if (how.since !== undefined) assertCanBeginAt(source, how.since);
      const register = name === undefined ? registerSources : registerChosen;
      if (how.dryRun !== true)
        await register(knex, { ...configured, chosen }, { instance: ports.instance, now: now() });
      await takedowns.refresh();
      for (const report of reports) log.warn(report, 'source refused');
      const standings = await readStandings(knex);
      for (const standing of standings) warnUnseen(log, standing);
      return [...reports, ...(await readEach(chosen, countRowsBefore(standings), how, onProgress))];
    },
    async setSourceRemoved(name, isRemoved) {
      if (await setRemoved(knex, name, isRemoved, now())) return takedowns.refresh();
      throw new OperatorError(`There is no source ${JSON.stringify(name)}. "sources" lists all.`);
    },
    async checkSourcesSeen(delivers) {
      const known = (await readStandings(knex)).filter(
        (each) => !each.removed && each.lastSeen !== undefined && delivers.includes(each.delivers),
      );
      if (known.length === 0) return true;
      const { sources } = await load();
      if (sources.some((source) => delivers.includes(source.delivers))) return true;
      await noteUnseen(
        knex,
        sources.map(({ name }) => name),
        now(),
      );
      for (const standing of await readStandings(knex)) warnUnseen(log, standing);
      return false;
    },
  };
}

/** Chooses the sources to read, with a report on each refused one. Throws an OperatorError for an unknown name. */
function chooseSources(
  configured: ConfiguredSources,
  removed: ReadonlySet<string>,
  { name, delivers }: { readonly name: string | undefined; readonly delivers: IngestChoice['delivers'] | undefined },
) {
  const { sources, refused, unreadable } = configured;
  if (name !== undefined && removed.has(name)) throw new OperatorError(removedMessage(name));
  const isMeant = (each: string) => (name === undefined ? !removed.has(each) : each === name);
  const chosen = sources.filter((each) => isMeant(each.name) && (delivers?.includes(each.delivers) ?? true));
  const reports = refused.filter(({ source }) => isMeant(source)).map(refusalOf);
  if (name !== undefined && chosen.length + reports.length === 0) throw unknownSource(name, configured);
  if (name === undefined)
    for (const { setting, problem } of unreadable) reports.push(refusalOf({ source: setting, problem }));
  return { chosen, reports };
}

/** Refuses the sources of listings that were never seen and do not say which counties they cover. */
function refuseWithoutCovers(configured: ConfiguredSources, standings: readonly SourceStanding[]): ConfiguredSources {
  const known = standings.flatMap(({ name, lastSeen }) => (lastSeen === undefined ? [] : [name]));
  const isRefused = ({ name, delivers, covers }: ConfiguredSources['sources'][number]) =>
    delivers === 'listings' && covers === undefined && !known.includes(name);
  const refused = configured.sources
    .filter(isRefused)
    .map((outline) => ({ source: outline.name, problem: coversMissing, outline }));
  return {
    ...configured,
    sources: configured.sources.filter((source) => !isRefused(source)),
    refused: [...configured.refused, ...refused],
  };
}

const tryAgainAfterMs = 5 * 60_000;

/** Creates the publisher of takedowns between the pages of a long reading. Its failures do not stop the reading. */
function createTakedownPublisher(
  publishIfBehind: () => Promise<unknown>,
  signal: AbortSignal | undefined,
  { now, log }: Pick<SourceWorkPorts, 'now' | 'log'>,
): () => Promise<void> {
  let failedAtMs = -Infinity;
  return async () => {
    if (now().getTime() - failedAtMs < tryAgainAfterMs) return;
    try {
      await publishIfBehind();
    } catch (error) {
      failedAtMs = now().getTime();
      if (signal?.aborted !== true) log.error({ err: error }, 'takedowns not published; retry in 5 min');
    }
  };
}

/** The rows of each source when it was last read whole, by name. */
function countRowsBefore(standings: readonly SourceStanding[]): ReadonlyMap<string, { readonly of: number }> {
  const read = standings.filter(({ lastCompletedAt }) => lastCompletedAt !== undefined);
  return new Map(read.map(({ name, rows, rejected }) => [name, { of: rows + rejected }]));
}

/** The report of a source that is not read. */
function refusalOf({
  source,
  problem,
}: Pick<ConfiguredSources['refused'][number], 'source' | 'problem'>): IngestReport {
  const imported = createImportReport();
  return { source, status: 'refused', problem, rows: 0, accepted: 0, rejected: 0, created: 0, retired: 0, imported };
}

function removedMessage(name: string): string {
  return `The source ${name} is removed. To read and sell it again: npm run cli -- sources restore ${name}`;
}

/** An unseen source stays for sale; only an operator can tell whether it is gone. */
function warnUnseen(log: Log, { name, unseenSince, lastSeen }: SourceStanding): void {
  if (unseenSince === undefined) return;
  const cure = `npm run cli -- sources remove ${name}`;
  log.warn(
    { source: name, unseenSince, lastSeenBy: lastSeen?.by, lastSeenAt: lastSeen?.at, cure },
    'source unseen: its records stay for sale as last read; the cure takes them off sale',
  );
}

function unknownSource(name: string, { sources, unreadable }: ConfiguredSources): OperatorError {
  const names = sources.map((source) => source.name).join(', ');
  const problems = unreadable.map(({ problem }) => ` ${problem}`).join('');
  return new OperatorError(
    `There is no source ${JSON.stringify(name)}. ${names === '' ? 'None is configured.' : `The sources are ${names}.`}${problems}`,
  );
}
