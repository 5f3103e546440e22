import assert from 'node:assert/strict';
import { deep } from '../support/depth.js';
import { waitsAfterBadAnswers, waitsOf } from './scenes.js';

const cadences = deep([200, 2_000], [200]);

describe('what buyers wait, by the clock of a model chain', function () {
  // A pure limit: no time here depends on the machine.
  this.timeout(300_000);

  /** How they come after the first, with which CONFIRMATIONS, and how many blocks they wait. */
  const crowds = [
    ['ten a second', 100, 1, 2],
    ['ten a second', 100, 2, 2],
    ['at once', 0, 1, 2],
    // 64 transactions of a key are in flight at most, until they are as deep as that.
    ['at once', 0, 2, 4],
  ] as const;
  for (const blockMs of cadences)
    for (const [how, gapMs, confirmations, blocks] of crowds)
      it(`the first 100, ${how}, without Sync, CONFIRMATIONS ${confirmations}, a block each ${blockMs} ms: p99 is at most ${blocks} blocks and 1 s`, async () => {
        const waited = await waitsOf({ blockMs, confirmations, hasSync: false }, (buyAfter) => {
          for (let buyer = 1; buyer <= 100; buyer++) buyAfter(buyer === 1 ? 0 : 10_000 + buyer * gapMs, buyer);
        });
        assert.equal(waited.filter(({ status }) => status === 200).length, 100);
        const [, p99 = Infinity] = waited.map(({ ms }) => ms).sort((one, other) => other - one);
        assert.ok(p99 <= blocks * blockMs + 1_000, `${p99} ms`);
      });

  for (const blockMs of cadences)
    for (const hasSync of [true, false])
      it(`after any bad answer of a node ${hasSync ? 'with' : 'without'} Sync, at any step, the next buyer waits at most a block of ${blockMs} ms and 1 s`, async () => {
        const waits = await waitsAfterBadAnswers({ blockMs, confirmations: 1, hasSync });
        assert.ok(waits.length > 20);
        const late = waits.filter(({ next }) => next?.status !== 200 || next.ms > blockMs + 1_000);
        assert.deepEqual(late, []);
      });
});
