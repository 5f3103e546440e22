import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Order, RejectsQuestion } from '../socket/messages.js';

/** Parses `ingest`, `suppress`, `sources remove`, `sources restore` and `rents load`; undefined when invalid. */
export function readFeedWords(words: readonly string[]): Order | undefined {
  if (words[0] === 'rents') return readRentsWords(words);
  const parsed = parseWords(words);
  if (parsed === undefined) return undefined;
  const { positionals, values } = parsed;
  const [verb, subject, ...rest] = positionals;
  const { since, reason, county, 'dry-run': dryRun = false, 'accept-shrink': acceptShrink = false } = values;
  if (subject === undefined) return undefined;
  if (verb === 'sources') return readSourcesWords(words);
  if (rest.length > 0 || values.yes === true) return undefined;
  if (verb === 'ingest' && reason === undefined && county === undefined)
    return { do: 'ingest', source: subject, dryRun, acceptShrink, ...(since === undefined ? {} : { since }) };
  if (verb !== 'suppress' || reason === undefined || reason === '') return undefined;
  if (dryRun || acceptShrink || since !== undefined) return undefined;
  if (county === undefined) return { do: 'suppress-address', address: subject, reason };
  return { do: 'suppress-parcel', countyFips: county, parcelId: subject, reason };
}

/** `--yes` replaces the confirmation on a terminal. */
function readSourcesWords([, what, source, ...rest]: readonly string[]): Order | undefined {
  if (source === undefined || source.startsWith('-') || rest.some((word) => word !== '--yes')) return undefined;
  if (what === 'remove') return { do: 'remove-source', source };
  return what === 'restore' && rest.length === 0 ? { do: 'restore-source', source } : undefined;
}

/** The server that reads the files may run in another directory. */
function readRentsWords(words: readonly string[]): Order | undefined {
  const flag = { type: 'boolean', default: false } as const;
  const options = { 'dry-run': flag, partial: flag, pack: { type: 'string' } } as const;
  try {
    const { positionals, values } = parseArgs({ args: [...words], options, allowPositionals: true });
    const [, what, ...files] = positionals;
    if (what !== 'load' || files.length === 0) return undefined;
    return {
      do: 'load-rents',
      files: files.map((file) => resolve(file)),
      dryRun: values['dry-run'],
      partial: values.partial,
      ...(values.pack === undefined ? {} : { pack: resolve(values.pack) }),
    };
  } catch {
    return undefined;
  }
}

function parseWords(words: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { since: text, reason: text, county: text, 'dry-run': flag, 'accept-shrink': flag, yes: flag };
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch {
    return undefined;
  }
}

export interface RejectsWords extends RejectsQuestion {
  readonly json: boolean;
}

/** Parses the words behind `rejects`; undefined when invalid. */
export function readRejectsWords(words: readonly string[]): RejectsWords | undefined {
  const text = { type: 'string' } as const;
  const options = { column: text, limit: text, json: { type: 'boolean' } } as const;
  try {
    const { positionals, values } = parseArgs({ args: [...words], options, allowPositionals: true });
    const [source, ...rest] = positionals;
    const { column, limit = '50', json = false } = values;
    if (source === undefined || rest.length > 0 || !/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > 2000)
      return undefined;
    return { source, ...(column === undefined ? {} : { column }), limit: Number(limit), json };
  } catch {
    return undefined;
  }
}
