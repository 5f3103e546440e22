import assert from 'node:assert/strict';
import { absent, known } from '../../src/absence.js';
import type { Database } from '../../src/db/database.js';
import { createListingReader } from '../../src/listings/listing-reader.js';
import type { ObservedListing } from '../../src/listings/listing.js';
import { ingestSource } from '../../src/sources/ingest/ingest-source.js';
import { openSuppression } from '../policy/suppression.js';
import {
  clock,
  createScriptedSource,
  ingestOptions,
  licence,
  observeMany,
  type Script,
  setDay,
} from '../sources/ingest/scripted-source.js';
import { openTestDatabase } from '../support/database.js';
import { observe } from './observation.js';

const day = (count: number) => new Date(Date.parse('2026-11-01T00:00:00.000Z') + count * 24 * 3600 * 1000);
const policy = absent('suppressed_by_policy');
const without = (...undisplayedFields: string[]) => ({ licence: { ...licence, undisplayedFields } });

describe('listing fields that a licence does not show', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
  });
  afterEach(() => database.close());

  const reader = () => createListingReader(database.knex, () => clock.now, openSuppression(database.knex));
  const ingest = (rows: readonly ObservedListing[], script?: Script) =>
    ingestSource(createScriptedSource(rows, script), ingestOptions(database.knex));
  const read = async () => {
    const found = [];
    for await (const chunk of reader().readActive()) found.push(...chunk);
    return found;
  };
  const readOnly = async () => (await read())[0] ?? assert.fail('nothing is offered');
  const changes = async (since: Date) => {
    const found: string[] = [];
    for await (const chunk of reader().changedSince(since))
      found.push(...chunk.map(({ listing }) => listing?.sourceKey ?? 'gone'));
    return found.sort();
  };

  it('are absent from the listing, its history and the cap rates of its county; all others are present', async () => {
    await ingest(observeMany(1), without('address', 'listPrice', 'capRate'));
    setDay(1);
    await ingest(observeMany(1, { listPrice: known('1') }), without('address', 'listPrice', 'capRate'));
    const { address, listPrice, prices, capRate, zip, units, addressParsed } = await readOnly();
    assert.deepEqual([address, listPrice, capRate, prices], [policy, policy, policy, []]);
    assert.deepEqual([zip, units, addressParsed], [known('44105'), known(4), false]);
    assert.equal((await reader().readCapRates()).size, 0);
  });

  it('are not revealed by the id, which derives from the address only when that is shown', async () => {
    await ingest(observeMany(1));
    const shown = await readOnly();
    for (const field of ['address', 'zip']) {
      await ingest(observeMany(1), { name: field, ...without(field) });
      const kept = (await read()).find(({ sourceName }) => sourceName === field) ?? assert.fail();
      assert.notEqual(kept.id, shown.id);
      assert.deepEqual([shown.otherWords, kept.otherWords], [[], []]);
    }
  });

  it('make another source primary that shows them, even an older one', async () => {
    await ingest(observeMany(1), { name: 'open' });
    setDay(1);
    await ingest(observeMany(1, { listPrice: known('1') }), { name: 'close', ...without('listPrice') });
    const { sourceName, listPrice, otherWords } = await readOnly();
    const [other, ...more] = otherWords;
    assert.deepEqual([sourceName, other?.sourceName, other?.listPrice, more], ['open', 'close', policy, []]);
    assert.deepEqual(other?.units, known(4), 'what the other may show is held against it');
    assert.notDeepEqual(listPrice, policy);
  });

  it('include the county when it derives only from a ZIP that is not shown', async () => {
    await ingest([observe(), observe({ sourceKey: 'stated', county: known('Cuyahoga') })], without('zip'));
    const counties = (await read()).map(({ sourceKey, zip, countyFips }) => [sourceKey, zip, countyFips]);
    assert.deepEqual(
      new Set(counties),
      new Set([
        ['k1', policy, policy],
        ['stated', policy, known('39035')],
      ]),
    );
    assert.equal((await reader().readCapRates()).size, 0);
  });

  it('can include the county from any origin, and then no place for comparison', async () => {
    await ingest(observeMany(1, { county: known('Cuyahoga') }), without('county'));
    const { county, countyFips, capRate } = await readOnly();
    assert.deepEqual([county, countyFips, capRate], [policy, policy, known('8.5')]);
    assert.equal((await reader().readCapRates()).size, 0);
  });

  it('change all rows of the source when they become more or fewer, and return when allowed', async () => {
    await ingest(observeMany(2));
    setDay(1);
    await ingest(observeMany(2), without('units'));
    assert.deepEqual(await changes(day(1)), ['k0', 'k1']);
    setDay(2);
    await ingest(observeMany(2), without('units'));
    assert.deepEqual(await changes(day(2)), []);
    await ingest(observeMany(2));
    assert.deepEqual(await changes(day(2)), ['k0', 'k1']);
    for (const { units } of await read()) assert.deepEqual(units, known(4));
  });

  it('still count for suppressions', async () => {
    const [one, two, three] = observeMany(3, { parcelId: known('100-20-001') });
    assert.ok(one && two && three);
    await ingest([one, { ...two, parcelId: known('2') }, { ...three, parcelId: known('3') }], {
      ...without('address', 'zip', 'parcelId', 'county'),
    });
    const suppression = openSuppression(database.knex);
    await suppression.suppressAddress('2 Main Street, Cleveland, OH 44105', 'owner');
    await suppression.suppressParcel({ countyFips: '39035', parcelId: '10020001' }, 'owner');
    assert.deepEqual(
      (await read()).map(({ sourceKey }) => sourceKey),
      ['k2'],
    );
  });
});
