import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { SourceError } from '../source-error.js';
import { recordKinds } from '../formats/parse-record-row.js';
import { type SourceOutline, withoutRights } from '../source.js';
import { type AnySource, createSource, type SourcePorts } from './create-source.js';
import { readStatedRights, type StatedRights } from '../stated-licence.js';
import { deliveredBy, type SourceEntry, sourceEntrySchema, sourceKinds } from './source-entry.js';

const maxFileBytes = 4 * 1024 * 1024;
const maxFaults = 5;

/** A source that the configuration names and that is not read, and why, in one plain sentence. */
export interface RefusedSource {
  /** Its name, or its place such as `sources[2]`. */
  readonly source: string;
  readonly problem: string;
  /** As far as the configuration tells it. */
  readonly outline: SourceOutline;
}

export interface LoadedSources {
  readonly sources: readonly AnySource[];
  readonly refused: readonly RefusedSource[];
  readonly stated: readonly StatedRights[];
}

const fileSchema = z.strictObject({ comment: z.string().optional(), sources: z.array(z.unknown()).max(1_000) });

/**
 * The sources that a file of the operator names: which run, of which counties, by which columns, under which licence.
 * An entry that is wrong, repeats a name, has no licence, or wants a key that is not set is refused; the others go on.
 * Those that are not enabled are passed over. Of those that are not read, what they say of rights is told. Throws a
 * SourceError (`configuration_invalid`) when the file itself cannot be read. `sources.example.json` shows every kind.
 */
export async function loadSources(file: string, ports: SourcePorts): Promise<LoadedSources> {
  const sources: AnySource[] = [];
  const refused: RefusedSource[] = [];
  const entries = await readEntries(file);
  for (const [index, value] of entries.entries()) {
    const place = `sources[${index}]`;
    const entry = readEntry(value, place);
    if (typeof entry === 'string') {
      refused.push({ source: nameOf(value) ?? place, problem: entry, outline: outlineEntry(value) });
    } else if (entry.enabled) {
      const problem = problemOf(entry, place, sources, ports);
      const source = createSource(entry, file, ports);
      if (problem === undefined) sources.push(source);
      else refused.push({ source: entry.name, problem, outline: source });
    }
  }
  const isRead = ({ source }: StatedRights): boolean => sources.some(({ name }) => name === source);
  const stated = entries.flatMap((value) => readStatedRights(value) ?? []).filter((each) => !isRead(each));
  return { sources, refused, stated };
}

/** The sources of a file that want a secret which is not set, and its name. @throws SourceError as `loadSources` */
export async function listUnsetSecrets(file: string, { readSecret }: Pick<SourcePorts, 'readSecret'>) {
  return (await readEntries(file)).flatMap((value, index) => {
    const entry = readEntry(value, `sources[${index}]`);
    if (typeof entry === 'string' || !entry.enabled || !lacksSecret(entry, readSecret)) return [];
    return [{ source: entry.name, secret: entry.secret }];
  });
}

function lacksSecret(
  entry: SourceEntry,
  readSecret: SourcePorts['readSecret'],
): entry is SourceEntry & { secret: string } {
  return entry.secret !== undefined && (readSecret(entry.secret) ?? '') === '';
}

function readEntry(value: unknown, place: string): SourceEntry | string {
  const parsed = sourceEntrySchema.safeParse(value);
  if (parsed.success) return parsed.data;
  return parsed.error.issues
    .slice(0, maxFaults)
    .map((issue) => `${[place, ...issue.path].join('.')}: ${issue.message}`)
    .join('; ');
}

function problemOf(
  entry: SourceEntry,
  place: string,
  sources: readonly AnySource[],
  { readSecret }: SourcePorts,
): string | undefined {
  if (sources.some((source) => source.name === entry.name))
    return `${place}.name: another source has this name already.`;
  return lacksSecret(entry, readSecret)
    ? `${place}.secret: the environment variable ${entry.secret} is not set.`
    : undefined;
}

function nameOf(value: unknown): string | undefined {
  const named = z.object({ name: z.string().min(1).max(63) }).safeParse(value);
  return named.success ? named.data.name : undefined;
}

const outline = z.object({
  kind: z.enum(sourceKinds),
  delivers: z.enum(recordKinds).optional().catch(undefined),
});

/** What can be read of an entry that is wrong, without its licence: that may be what is wrong. Never throws. */
function outlineEntry(value: unknown): SourceOutline {
  const { data } = outline.safeParse(value);
  if (data === undefined) return { kind: 'unknown', delivers: 'listings', licence: withoutRights };
  return { kind: data.kind, delivers: deliveredBy(data), licence: withoutRights };
}

async function readEntries(file: string): Promise<readonly unknown[]> {
  const status = await stat(file).catch(() => undefined);
  if (status?.isFile() !== true)
    throw invalid(`The file of sources ${file} is not there. Create it, or correct SOURCES_FILE.`);
  if (status.size > maxFileBytes) throw invalid(`The file of sources ${file} is larger than 4 MiB.`);
  const parsed = fileSchema.safeParse(parseJson(await readFile(file, 'utf8'), file));
  if (parsed.success) return parsed.data.sources;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
  throw invalid(`${file} is not a file of sources (${faults.slice(0, maxFaults).join('; ')}).`);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`${file} is not JSON. Check it with a JSON tool; comments go into "comment".`);
  }
}

function invalid(message: string): SourceError {
  return new SourceError('configuration_invalid', message);
}
