import { existsSync } from 'node:fs';
import type { Config } from '../config/config.js';
import { loadDropFolder, type RefusedFolder } from '../sources/formats/load-drop-folder.js';
import type { AnySource } from '../sources/registry/create-source.js';
import { loadSources, type LoadedSources, type RefusedSource } from '../sources/registry/load-sources.js';
import { SourceError } from '../sources/source-error.js';
import { createUpstream } from '../sources/upstream/create-upstream.js';
import { withoutRights } from '../sources/source.js';
import type { StatedRights } from '../sources/stated-licence.js';
import type { SendRequest } from '../sources/upstream/send-request.js';
import type { Upstream } from '../sources/upstream/upstream.js';

/** What is to be read, and what is not and why. */
export interface ConfiguredSources {
  readonly sources: readonly AnySource[];
  readonly refused: readonly RefusedSource[];
  /** What the configuration says of the rights to the rows of sources that are not read. */
  readonly stated: readonly StatedRights[];
  /** What could not be read as a whole, and why: the sources that it names are not seen now. */
  readonly unreadable: readonly Unreadable[];
  /** Whether records of fictional properties may be sold here. */
  readonly sellsDemonstration: boolean;
}

/** A part of the configuration that cannot be read, by the setting that names it. */
export interface Unreadable {
  readonly setting: 'SOURCES_FILE' | 'DROP_DIR';
  readonly problem: string;
}

/** The fictional sources that are read beside those of the operator. */
export interface DemonstrationSources {
  /** Their file of sources; there is none before the first delivery. */
  readonly file: string;
  /** Reaches their servers, and no other. */
  readonly send: SendRequest;
  /** The keys that they want. */
  readonly readSecret: (name: string) => string | undefined;
}

export interface ConfiguredSourcesPorts {
  readonly config: Pick<Config, 'sourcesFile' | 'contactUrl' | 'sourceSecrets' | 'dataDirectory'>;
  readonly dropDirectories: readonly string[];
  /** Undefined where real money is taken: rows about fictional properties are then not sold. */
  readonly demonstration: DemonstrationSources | undefined;
  readonly version: string;
  readonly now: () => Date;
  readonly random: () => number;
}

const nothing: LoadedSources = { sources: [], refused: [], stated: [] };

/**
 * Gives the loader of all sources that an operator has configured: delivery folders, and the file of sources; in a
 * demonstration, its own too. All are read anew each time, so that a change takes effect with the next run. A file or a
 * folder that cannot be read is told, and the others are loaded. What the loaded sources fetch ends with the signal.
 */
export function createSourceLoader(
  ports: ConfiguredSourcesPorts,
): (signal?: AbortSignal) => Promise<ConfiguredSources> {
  const { config, dropDirectories, demonstration, now } = ports;
  const { version, random } = ports;
  const product = 'multifamily-deals-feed';
  // One for all runs: it remembers how often each server was asked.
  let upstream: Upstream | undefined;
  const stage = demonstration && {
    file: demonstration.file,
    ports: {
      upstream: createUpstream({
        product,
        version,
        contactUrl: 'https://example.com',
        now,
        random,
        send: demonstration.send,
        // Nobody has to be spared: its servers are this process.
        sleep: async () => undefined,
      }),
      now,
      readSecret: demonstration.readSecret,
    },
  };

  async function loadFile(signal: AbortSignal | undefined): Promise<LoadedSources> {
    const { sourcesFile, contactUrl, sourceSecrets } = config;
    if (sourcesFile === undefined) return nothing;
    if (contactUrl === undefined)
      throw new SourceError(
        'configuration_invalid',
        'Set CONTACT_URL: whoever runs a server that is asked learns there who asks.',
      );
    upstream ??= createUpstream({ product, version, contactUrl, now, random });
    return loadSources(sourcesFile, {
      upstream,
      now,
      readSecret: (name) => sourceSecrets.get(name),
      signal,
    });
  }

  async function loadFolder(directory: string): Promise<LoadedSources> {
    const { refused, ...rest } = await loadDropFolder(directory, { now });
    return { ...rest, refused: refused.map(refusedFolder) };
  }

  return async (signal) => {
    const unreadable: Unreadable[] = [];
    /** Whatever else is wrong is a fault of the program. */
    const orTell = (setting: Unreadable['setting']) => (error: unknown) => {
      if (!(error instanceof SourceError)) throw error;
      unreadable.push({ setting, problem: error.message });
      return nothing;
    };
    const file = await loadFile(signal).catch(orTell('SOURCES_FILE'));
    const staged =
      stage && existsSync(stage.file) ? await loadSources(stage.file, { ...stage.ports, signal }) : nothing;
    const folders = await Promise.all(
      dropDirectories.map((directory) => loadFolder(directory).catch(orTell('DROP_DIR'))),
    );
    const readable = [...folders, staged, file].flatMap(({ sources }) => sources);
    const names = new Set<string>();
    const verdicts = readable.map((source) => {
      const isRepeated = names.has(source.name);
      names.add(source.name);
      if (isRepeated) return { source, problem: 'Another source has this name already. Give each a name of its own.' };
      const isUnsellable = demonstration === undefined && source.licence.class === 'demonstration';
      return { source, problem: isUnsellable ? 'Demonstration data is not sold here. Remove it.' : undefined };
    });
    return {
      sellsDemonstration: demonstration !== undefined,
      unreadable,
      stated: [...folders, staged, file].flatMap(({ stated }) => stated),
      sources: verdicts.flatMap(({ source, problem }) => (problem === undefined ? [source] : [])),
      refused: [
        ...[...folders, staged, file].flatMap(({ refused }) => refused),
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
