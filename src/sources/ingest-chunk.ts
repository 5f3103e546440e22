import type { ObservedListing } from '../listings/listing.js';
import { identifyListing } from '../listings/listing-identity.js';
import { keepRefusedListings } from '../listings/retire-listings.js';
import { type IdentifiedListing, upsertListings } from '../listings/upsert-listings.js';
import type { IngestOptions, RunState } from './ingest-run.js';
import { keepRawRecords, type RawRecord } from './keep-raw-records.js';
import { keepRejects } from './keep-rejects.js';
import type { ListingSource, RawRow, RowReject } from './source.js';
import { storableText } from './storable-text.js';

/** Refused rows past this many are only counted: a delivery of nothing but rubbish must not fill the database. */
const maxKeptRejects = 1000;

/** Takes some rows of a source through all steps: kept as they came, parsed, merged or refused. Counts into `state`. */
export async function ingestChunk(
  source: ListingSource,
  rows: readonly (RawRow | RowReject)[],
  observedAt: Date,
  options: IngestOptions,
  state: RunState,
): Promise<void> {
  const rejects: RowReject[] = [];
  const records: RawRecord[] = [];
  const listings: IdentifiedListing[] = [];
  for (const row of rows) {
    const record = 'reject' in row ? row : toRecord(row);
    if ('reject' in row || 'reject' in record) {
      rejects.push('reject' in row ? row : refuseShapeless(row));
      continue;
    }
    records.push(record);
    const parsed = parseRow(source, row);
    const listing = 'reject' in parsed ? parsed : accept(source, parsed, options, state);
    if ('reject' in listing) rejects.push(listing);
    else listings.push(listing);
  }
  const run = { sourceName: source.name, runId: state.runId };
  await keepRawRecords(options.knex, source.name, records, observedAt);
  await keepRejects(options.knex, run, rejects.slice(0, Math.max(0, maxKeptRejects - state.rejected)), observedAt);
  const { created } = await upsertListings(options.knex, { ...run, observedAt, listings });
  await keepRefusedListings(options.knex, run.sourceName, run.runId, unreadKeys(rejects));
  state.accepted += listings.length;
  state.rejected += rejects.length;
  state.created += created;
}

/** Keys of rows that could not be read; a repeated row was read where it stood first. */
function unreadKeys(rejects: readonly RowReject[]): string[] {
  return rejects.filter(({ reject }) => reject !== 'duplicate_key').map(({ key }) => storableText(key, 200));
}

/** Identifies a listing, or refuses what this delivery already showed under the same key or as the same property. */
function accept(
  source: ListingSource,
  observed: ObservedListing,
  options: IngestOptions,
  state: RunState,
): IdentifiedListing | RowReject {
  const key = observed.sourceKey;
  if (!isStorable(observed))
    return { reject: 'invalid_value', key, detail: 'A value holds a NUL or a broken character.' };
  const identity = identifyListing(source.name, observed, options.identify);
  if (state.keys.has(key))
    return { reject: 'duplicate_key', key, detail: 'sourceKey: an earlier row has the same key.' };
  state.keys.add(key);
  if (state.ids.has(identity.id))
    return { reject: 'duplicate_key', key, detail: 'address: an earlier row is of the same property.' };
  state.ids.add(identity.id);
  return { ...identity, observed, countyFips: options.countyOf(observed) };
}

/** False for text that no PostgreSQL value can hold; JSON.stringify writes it as these escapes. */
function isStorable(observed: ObservedListing): boolean {
  return !/\\u(0000|d[89a-f])/.test(JSON.stringify(observed));
}

/** A parser that fails on a row harms only that row. */
function parseRow(source: ListingSource, row: RawRow): ObservedListing | RowReject {
  try {
    return source.parse(row);
  } catch {
    return refuseShapeless(row);
  }
}

/** JSON escapes what a database text cannot hold. A value nested beyond what JSON.stringify can follow is refused. */
function toRecord({ key, payload }: RawRow): RawRecord | RowReject {
  try {
    return { key: storableText(key, 200), payload: JSON.stringify(payload) ?? 'null' };
  } catch {
    return refuseShapeless({ key, payload });
  }
}

function refuseShapeless({ key }: RawRow): RowReject {
  return { reject: 'row_unreadable', key, detail: 'The row does not have the shape of a listing.' };
}
