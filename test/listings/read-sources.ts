import assert from 'node:assert/strict';
import { known } from '../../src/absence.js';
import { identifyByAddress } from '../../src/listings/listing-identity.js';
import { createListingReader } from '../../src/listings/listing-reader.js';
import type { Listing, ObservedListing } from '../../src/listings/listing.js';
import { ingestSource } from '../../src/sources/ingest/ingest-source.js';
import { clock, createScriptedSource, ingestOptions, type Script, setDay } from '../sources/ingest/scripted-source.js';
import { openTestDatabase } from '../support/database.js';
import { observe } from './observation.js';

/** An observation at an address in Cleveland, 44105. */
export const at = (address: string, overrides: Partial<ObservedListing> = {}): ObservedListing =>
  observe({ address: known(address), ...overrides });

/** A database into which sources are read, with properties identified by their real addresses. */
export async function openSources() {
  const database = await openTestDatabase();
  const reader = () => createListingReader(database.knex, () => clock.now);
  /** By the name of the source that speaks. */
  async function deals(): Promise<Listing[]> {
    const found: Listing[] = [];
    for await (const chunk of reader().readActive()) found.push(...chunk);
    return found.sort((one, other) => (one.sourceName < other.sourceName ? -1 : 1));
  }
  return {
    database,
    reader,
    deals,
    async only(): Promise<Listing> {
      const [deal, ...others] = await deals();
      assert.deepEqual(others, []);
      return deal ?? assert.fail('no deal');
    },
    /** Reads a source whole on a day. */
    async read(day: number, name: string, rows: readonly ObservedListing[], script: Script = {}): Promise<void> {
      setDay(day);
      const options = { ...ingestOptions(database.knex), identify: identifyByAddress, acceptShrink: true };
      await ingestSource(createScriptedSource(rows, { ...script, name }), options);
    },
  };
}
