import assert from 'node:assert/strict';
import {
  assertNothingTells,
  closeWorlds,
  everything,
  licenceMs,
  openWorlds,
  readFree,
  type Worlds,
} from './free-worlds.js';

describe('what is told free, while records come and licences end', () => {
  let worlds: Worlds;
  beforeEach(async () => void (worlds = await openWorlds()));
  afterEach(() => closeWorlds(worlds));

  it('tells of a record that is shown', async () => {
    const { world, absent, ids } = worlds;
    const [told, right] = [await readFree(world, ids, everything), await readFree(absent, ids, everything)];
    const differing = [...right].filter(([path, text]) => told.get(path) !== text).map(([path]) => path);
    for (const path of ['/api/count?of=deals&zip=44120', '/api/count?of=events&zip=44120', '/api/leads?zip=44120'])
      assert.ok(differing.includes(path), path);
    assert.ok(differing.includes('/api/deals/ids') && differing.some((path) => path.endsWith('/report/preview')));
  });

  it('is the same of a record whose licence has ended as of one that never was, at once and after', async () => {
    for (const each of [worlds.world, worlds.absent]) each.pass(licenceMs + 1_000);
    await assertNothingTells(worlds);
    for (const each of [worlds.world, worlds.absent]) await each.publish();
    await assertNothingTells(worlds);
  });
});
