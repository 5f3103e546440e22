import assert from 'node:assert/strict';
import { buy } from '../support/pay.js';
import { assertNothingTells, closeWorlds, line, openWorlds, type Worlds } from './free-worlds.js';

describe('what is told free', () => {
  let worlds: Worlds;
  before(async () => void (worlds = await openWorlds()));
  after(() => closeWorlds(worlds));

  it('is the same of leads that are held for their buyer as of leads that never were', async () => {
    // Who pays signs at the hour of the day.
    for (const each of [worlds.world, worlds.absent]) each.pass(Date.now() - worlds.at.getTime());
    for (let sold = 0; ; sold++) {
      const reply = await buy(`${worlds.world.app.url}/api/leads/exclusive?zip=44120`);
      if (reply.status === 404 && sold > 1) break;
      assert.equal(reply.status, 200, await reply.text());
    }
    await assertNothingTells(worlds, ['leads', 'exclusive_lead']);
  });

  // The last one, because the record stays suppressed.
  it('is the same of a suppressed record as of one that never was, at once and after the next publication', async () => {
    await worlds.world.app.pipeline.suppress({ address: line, reason: 'asked by its owner' });
    await assertNothingTells(worlds);
    await worlds.world.publish();
    await assertNothingTells(worlds);
  });
});
