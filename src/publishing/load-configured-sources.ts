import { existsSync } from 'node:fs';
import type { Config } from '../config/config.js';
import type { Database } from '../db/database.js';
import { loadDropFolder, type RefusedFolder } from '../sources/formats/load-drop-folder.js';
import type { AnySource } from '../sources/registry/create-source.js';
import { loadSources, type LoadedSources, type RefusedSource } from '../sources/registry/load-sources.js';
import { SourceError } from '../sources/source-error.js';
import { createUpstream } from '../sources/upstream/create-upstream.js';
import { withoutRights } from '../sources/source.js';
import type { StatedRights } from '../sources/stated-licence.js';
import type { ShownPast } from './demonstration/past-events.js';
import type { Upstream } from '../sources/upstream/upstream.js';

/** The sources to read, and those that are not read and why. */
export interface ConfiguredSources {
  readonly sources: readonly AnySource[];
  readonly refused: readonly RefusedSource[];
  /** Licences that the configuration states for sources that are not read: their stored rows are sold by them. */
  readonly stated: readonly StatedRights[];
  /** Parts of the configuration that cannot be read: the sources in them are unseen. */
  readonly unreadable: readonly Unreadable[];
  /** Whether records of fictional properties may be sold here. */
  readonly sellsDemonstration: boolean;
}

/** A part of the configuration that cannot be read, by its setting. */
export interface Unreadable {
  readonly setting: 'SOURCES_FILE' | 'DROP_DIR';
  readonly problem: string;
}

/** The fictional sources that are read beside those of the operator. */
export interface DemonstrationSources {
  /** Their drop folders. */
  readonly directory: string;
  /** Their file of sources, which names no server; missing before the first delivery. */
  readonly file: string;
  /** On the first day, backdates what was read, to give the demonstration a history. */
  readonly writePast: (knex: Database['knex'], now: Date) => Promise<void>;
  /** The same history as input for events; undefined after the first day. */
  readonly readPast: (now: Date) => ShownPast | undefined;
}

export interface ConfiguredSourcesPorts {
  readonly config: Pick<Config, 'sourcesFile' | 'dropDirectory' | 'contactUrl' | 'sourceSecrets'>;
  /** Undefined where real money is taken: rows about fictional properties are then not sold. */
  readonly demonstration: DemonstrationSources | undefined;
  readonly version: string;
  readonly now: () => Date;
  readonly random: () => number;
}

const refuse = () => Promise.reject(new Error('The sources of the demonstration name no server.'));
const noServer: Upstream = { get: refuse, read: refuse };

const nothing: LoadedSources = { sources: [], refused: [], stated: [] };

/**
 * Creates the loader of all configured sources: the drop folders and the file of sources, in a demonstration also its
 * own. Reads all of them each time, so that a change takes effect with the next run.
 *
 * A folder or a file of the operator that cannot be read is reported, and the others are loaded; a fault in the
 * demonstration's own file rejects. The signal ends the requests of the loaded sources.
 */
export function createSourceLoader(
  ports: ConfiguredSourcesPorts,
): (signal?: AbortSignal) => Promise<ConfiguredSources> {
  const { config, demonstration, version, now, random } = ports;
  const { sourcesFile, contactUrl, sourceSecrets } = config;
  // One for all runs: it counts the requests to each server.
  let upstream: Upstream | undefined;

  async function loadFile(signal: AbortSignal | undefined): Promise<LoadedSources> {
    if (sourcesFile === undefined) return nothing;
    if (contactUrl === undefined)
      throw new SourceError(
        'configuration_invalid',
        'Set CONTACT_URL: whoever runs a server that is asked learns there who asks.',
      );
    upstream ??= createUpstream({ product: 'multifamily-deals-feed', version, contactUrl, now, random });
    return loadSources(sourcesFile, { upstream, now, readSecret: (name) => sourceSecrets.get(name), signal });
  }

  async function loadDemonstration(signal: AbortSignal | undefined): Promise<LoadedSources> {
    if (demonstration === undefined || !existsSync(demonstration.file)) return nothing;
    return loadSources(demonstration.file, { upstream: noServer, now, readSecret: () => undefined, signal });
  }

  async function loadFolder(directory: string): Promise<LoadedSources> {
    const { refused, ...rest } = await loadDropFolder(directory, { now });
    return { ...rest, refused: refused.map(refusedFolder) };
  }

  return async (signal) => {
    const unreadable: Unreadable[] = [];
    /** Any other error is a fault of the program. */
    const orReport = (setting: Unreadable['setting']) => (error: unknown) => {
      if (!(error instanceof SourceError)) throw error;
      unreadable.push({ setting, problem: error.message });
      return nothing;
    };
    const directories = [...(demonstration ? [demonstration.directory] : []), config.dropDirectory];
    const file = await loadFile(signal).catch(orReport('SOURCES_FILE'));
    const fictional = await loadDemonstration(signal);
    const folders = await Promise.all(directories.map((each) => loadFolder(each).catch(orReport('DROP_DIR'))));
    const loaded = [...folders, fictional, file];
    const names = new Set<string>();
    const verdicts = loaded
      .flatMap(({ sources }) => sources)
      .map((source) => {
        const isRepeated = names.has(source.name);
        names.add(source.name);
        if (isRepeated)
          return { source, problem: 'Another source has this name already. Give each a name of its own.' };
        const isUnsellable = demonstration === undefined && source.licence.class === 'demonstration';
        return { source, problem: isUnsellable ? 'Demonstration data is not sold here. Remove it.' : undefined };
      });
    return {
      sellsDemonstration: demonstration !== undefined,
      unreadable,
      stated: loaded.flatMap(({ stated }) => stated),
      sources: verdicts.flatMap(({ source, problem }) => (problem === undefined ? [source] : [])),
      refused: [
        ...loaded.flatMap(({ refused }) => refused),
        ...verdicts.flatMap(({ source, problem }) =>
          problem === undefined ? [] : [{ source: source.name, problem, outline: source }],
        ),
      ],
    };
  };
}

function refusedFolder({ folder, problem }: RefusedFolder): RefusedSource {
  return { source: folder, problem, outline: { kind: 'drop-folder', delivers: 'listings', licence: withoutRights } };
}
