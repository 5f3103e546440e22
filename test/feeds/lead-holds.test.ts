import assert from 'node:assert/strict';
import { createLeadHolds, type LeadHolds } from '../../src/feeds/lead-holds.js';

describe('createLeadHolds', () => {
  const at = new Date('2026-11-25T10:00:00Z');
  let leadIds: readonly string[];
  /** Readings of the ledger, in the order in which they were begun; each ends when it is told to. */
  let readings: { readonly end: () => void; readonly fail: () => void }[];
  let leadHolds: LeadHolds;
  const held = (): readonly string[] => [...leadHolds.held(1)];

  /** The next reading; waits until it was begun. */
  async function reading(): Promise<(typeof readings)[number]> {
    for (;;) {
      const next = readings.shift();
      if (next) return next;
      await new Promise(setImmediate);
    }
  }

  beforeEach(async () => {
    leadIds = [];
    readings = [];
    leadHolds = createLeadHolds({
      readHolds: () => {
        const read = { leadIds, exclusiveFrom: undefined };
        return new Promise((resolve, reject) =>
          readings.push({ end: () => resolve(read), fail: () => reject(new Error('The ledger does not answer.')) }),
        );
      },
      momentAt: () => ({ verifiedSinceMs: 0, todays: {} }),
      now: () => at,
    });
    const first = leadHolds.refresh();
    (await reading()).end();
    await first;
  });

  it('shows a lead whose sale failed to whoever asks after its end, though the ledger is just being read', async () => {
    leadHolds.take('lead');
    assert.deepEqual(held(), ['lead']);
    leadHolds.giveBack('lead');
    const read = await reading();
    const shown = leadHolds.refreshIfOld().then(held);
    await new Promise(setImmediate);
    read.end();
    await new Promise(setImmediate);
    for (const { end } of readings) end();
    assert.deepEqual(await shown, []);
  });

  it('keeps a lead held between its sale and the reading of the hold', async () => {
    leadHolds.take('held');
    leadIds = ['held'];
    leadHolds.giveBack('held');
    const read = await reading();
    assert.deepEqual(held(), ['held']);
    read.end();
    await new Promise(setImmediate);
    assert.deepEqual(held(), ['held']);
  });

  it('keeps a lead held while the ledger does not answer, and asks again for whoever comes', async () => {
    leadHolds.take('lead');
    leadHolds.giveBack('lead');
    (await reading()).fail();
    await new Promise(setImmediate);
    assert.deepEqual(held(), ['lead']);
    const asked = leadHolds.refreshIfOld();
    (await reading()).end();
    await asked;
    assert.deepEqual(held(), []);
  });

  it('asks the ledger once a second at most where no sale has ended', async () => {
    await leadHolds.refreshIfOld();
    assert.equal(readings.length, 0);
  });
});
