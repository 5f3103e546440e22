import { parseArgs } from 'node:util';
import type { Order } from '../door/messages.js';

/** Reads the words of `ingest` and `suppress`; undefined when they are not understood. */
export function readFeedWords(words: readonly string[]): Order | undefined {
  const parsed = parseWords(words);
  if (parsed === undefined) return undefined;
  const { positionals, values } = parsed;
  const [verb, subject, ...rest] = positionals;
  const { since, reason, county, 'dry-run': dryRun = false, 'accept-shrink': acceptShrink = false } = values;
  if (subject === undefined || rest.length > 0) return undefined;
  if (verb === 'ingest' && reason === undefined && county === undefined)
    return { do: 'ingest', source: subject, dryRun, acceptShrink, ...(since === undefined ? {} : { since }) };
  if (verb !== 'suppress' || reason === undefined || reason === '') return undefined;
  if (dryRun || acceptShrink || since !== undefined) return undefined;
  if (county === undefined) return { do: 'suppress-address', address: subject, reason };
  return { do: 'suppress-parcel', countyFips: county, parcelId: subject, reason };
}

function parseWords(words: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { since: text, reason: text, county: text, 'dry-run': flag, 'accept-shrink': flag };
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch {
    return undefined;
  }
}
