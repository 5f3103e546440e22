import { resolve } from 'node:path';
import type { Order, RejectsQuestion } from '../socket/messages.js';
import { flag, parseWords, text } from './parse-words.js';

/** Parses `ingest`, `suppress`, `sources remove`, `sources restore` and `rents load`; undefined when invalid. */
export function readFeedWords(words: readonly string[]): Order | undefined {
  if (words[0] === 'rents') return readRentsWords(words);
  const options = { since: text, reason: text, county: text, 'dry-run': flag, 'accept-shrink': flag, yes: flag };
  const parsed = parseWords(words, options);
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
  const parsed = parseWords(words, { 'dry-run': flag, partial: flag, pack: text });
  const [, what, ...files] = parsed?.positionals ?? [];
  if (parsed === undefined || what !== 'load' || files.length === 0) return undefined;
  const { 'dry-run': dryRun = false, partial = false, pack } = parsed.values;
  const paths = files.map((file) => resolve(file));
  return { do: 'load-rents', files: paths, dryRun, partial, ...(pack !== undefined && { pack: resolve(pack) }) };
}

export interface RejectsWords extends RejectsQuestion {
  readonly json: boolean;
}

/** Parses the words behind `rejects`; undefined when invalid. */
export function readRejectsWords(words: readonly string[]): RejectsWords | undefined {
  const parsed = parseWords(words, { column: text, limit: text, json: flag });
  if (parsed === undefined) return undefined;
  const [source, ...rest] = parsed.positionals;
  const { column, limit = '50', json = false } = parsed.values;
  if (source === undefined || rest.length > 0 || !/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > 2000)
    return undefined;
  return { source, ...(column !== undefined && { column }), limit: Number(limit), json };
}
