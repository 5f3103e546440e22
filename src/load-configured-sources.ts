import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.js';
import { loadDropFolder, type RefusedFolder } from './sources/load-drop-folder.js';
import type { AnySource } from './sources/registry/create-source.js';
import { loadSources, type RefusedSource } from './sources/registry/load-sources.js';
import { SourceError } from './sources/source-error.js';
import { createUpstream } from './sources/upstream/create-upstream.js';
import { withoutRights } from './sources/source.js';
import type { SendRequest } from './sources/upstream/send-request.js';
import type { Upstream } from './sources/upstream/upstream.js';

/** What is to be read, and what is not and why. */
export interface ConfiguredSources {
  readonly sources: readonly AnySource[];
  readonly refused: readonly RefusedSource[];
  /** Whether records of fictional properties may be sold here. */
  readonly sellsDemonstration: boolean;
}

type LoadedSources = Omit<ConfiguredSources, 'sellsDemonstration'>;

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

const nothing: LoadedSources = { sources: [], refused: [] };

/**
 * Gives the loader of all sources that an operator has configured: delivery folders, and the file of sources; in a
 * demonstration, its own too. All are read
 * anew each time, so that a change takes effect with the next run. Loading throws a SourceError when the file cannot be
 * read as a whole: what was read before then stays in force. What the loaded sources fetch ends with the signal.
 */
export function createSourceLoader(
  ports: ConfiguredSourcesPorts,
): (signal?: AbortSignal) => Promise<ConfiguredSources> {
  const { config, dropDirectories, demonstration, now } = ports;
  const { version, random } = ports;
  const product = 'multifamily-deals-feed';
  // One for all runs: it remembers how often each server was asked.
  let upstream: Upstream | undefined;
  const spoolDirectory = join(config.dataDirectory, 'spool');
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
      spoolDirectory,
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
      spoolDirectory,
      signal,
    });
  }

  return async (signal) => {
    const file = await loadFile(signal);
    const staged =
      stage && existsSync(stage.file) ? await loadSources(stage.file, { ...stage.ports, signal }) : nothing;
    const folders = await Promise.all(dropDirectories.map((directory) => loadDropFolder(directory, { now })));
    const readable = [...folders.flatMap(({ sources }) => sources), ...staged.sources, ...file.sources];
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
      sources: verdicts.flatMap(({ source, problem }) => (problem === undefined ? [source] : [])),
      refused: [
        ...folders.flatMap(({ refused }) => refused.map(refusedFolder)),
        ...staged.refused,
        ...file.refused,
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
