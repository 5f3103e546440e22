import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.js';
import { createListingReader } from '../../src/listings/listing-reader.js';
import { ingestSource } from '../../src/sources/ingest/ingest-source.js';
import { registerSources, setRemoved } from '../../src/sources/register-sources.js';
import { readStandings } from '../../src/sources/standings-reader.js';
import { openTestDatabase } from '../support/database.js';
import { clock, createScriptedSource, ingestOptions, licence, observeMany, setDay } from './ingest/scripted-source.js';

describe('an unseen source', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
    setDay(0);
  });
  afterEach(() => database.close());

  const activeKeys = async () => {
    const keys: string[] = [];
    for await (const chunk of createListingReader(database.knex, () => clock.now).readActive())
      keys.push(...chunk.map(({ sourceKey }) => sourceKey));
    return keys.sort();
  };

  it('keeps its listings for sale, with the time and the instance of its last sighting', async () => {
    const [here, gone] = ['here', 'gone'].map((name, index) =>
      createScriptedSource([...observeMany(4).slice(index * 2, index * 2 + 2)], { name }),
    );
    assert.ok(here && gone);
    for (const source of [here, gone]) await ingestSource(source, { ...ingestOptions(database.knex), instance: 'one' });
    const seen = (sources: readonly (typeof here)[], instance: string) =>
      registerSources(
        database.knex,
        { sources, refused: [], stated: [], sellsDemonstration: true },
        { instance, now: clock.now },
      );
    const unseen = async () =>
      (await readStandings(database.knex)).map((each) => [each.name, each.unseenSince, each.lastSeen?.by]);
    await seen([here], 'two');
    assert.deepEqual(await activeKeys(), ['k0', 'k1', 'k2', 'k3']);
    assert.deepEqual(await unseen(), [
      ['gone', clock.now, 'one'],
      ['here', undefined, 'two'],
    ]);
    await seen([], 'two');
    assert.deepEqual(await activeKeys(), ['k0', 'k1', 'k2', 'k3']);
    await seen([here, gone], 'one');
    assert.deepEqual(await unseen(), [
      ['gone', undefined, 'one'],
      ['here', undefined, 'one'],
    ]);
  });

  it('is taken off sale when an operator removes it, and returns when restored', async () => {
    const [here, gone] = ['here', 'gone'].map((name, index) =>
      createScriptedSource([...observeMany(4).slice(index * 2, index * 2 + 2)], { name }),
    );
    assert.ok(here && gone);
    for (const source of [here, gone]) await ingestSource(source, ingestOptions(database.knex));
    assert.equal(await setRemoved(database.knex, 'gone', true, clock.now), true);
    assert.deepEqual(await activeKeys(), ['k0', 'k1']);
    const names = { sources: [here, gone], refused: [], stated: [], sellsDemonstration: true };
    await registerSources(database.knex, names, { instance: 'two', now: clock.now });
    assert.deepEqual(await activeKeys(), ['k0', 'k1'], 'whoever sees it');
    assert.equal(await setRemoved(database.knex, 'gone', false, clock.now), true);
    assert.deepEqual(await activeKeys(), ['k0', 'k1', 'k2', 'k3']);
    assert.equal(await setRemoved(database.knex, 'unknown', true, clock.now), false);
  });

  it("takes a demonstration's rows off sale when real properties are sold", async () => {
    const demo = createScriptedSource(observeMany(2), {
      name: 'demo',
      licence: { ...licence, class: 'demonstration' },
    });
    await ingestSource(demo, ingestOptions(database.knex));
    const names = { sources: [], refused: [], stated: [], sellsDemonstration: false };
    await registerSources(database.knex, names, { instance: 'two', now: clock.now });
    assert.deepEqual(await activeKeys(), []);
  });
});
