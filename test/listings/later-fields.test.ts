import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { absent, known } from '../../src/absence.js';
import type { Database } from '../../src/db/database.js';
import { createListingReader } from '../../src/listings/listing-reader.js';
import type { ObservedListing } from '../../src/listings/listing.js';
import { ingestSource } from '../../src/sources/ingest/ingest-source.js';
import { clock, createScriptedSource, ingestOptions, setDay } from '../sources/ingest/scripted-source.js';
import { openTestDatabase } from '../support/database.js';
import { observe } from './observation.js';

describe('a listing stored before unit mixes and itemized expenses were read', () => {
  const { unitMix, expenseItems, ...before } = observe();
  let database: Database;
  beforeEach(async () => {
    setDay(0);
    database = await openTestDatabase();
    await ingest(observe());
    const hash = createHash('sha256')
      .update(`true 39035 ${JSON.stringify(before)}`)
      .digest('base64url');
    await database.knex('listing_sources').update({ content: before, content_hash: hash });
  });
  afterEach(() => database.close());

  const reader = () => createListingReader(database.knex, () => clock.now);
  const ingest = (listing: ObservedListing) =>
    ingestSource(createScriptedSource([listing]), ingestOptions(database.knex));
  const countChanges = async () => {
    let count = 0;
    for await (const chunk of reader().changedSince(clock.now)) count += chunk.length;
    return count;
  };

  it('has neither, with the reason not collected', async () => {
    for await (const [listing] of reader().readActive())
      assert.deepEqual([listing?.unitMix, listing?.expenseItems], [absent('not_collected'), absent('not_collected')]);
  });

  it('is unchanged when seen again without them, and changed when seen with one', async () => {
    setDay(1);
    await ingest({ ...before, unitMix, expenseItems });
    assert.equal(await countChanges(), 0);
    setDay(2);
    await ingest({ ...before, unitMix: known([{ bedrooms: 2, units: 4 }]), expenseItems });
    assert.equal(await countChanges(), 1);
  });
});
