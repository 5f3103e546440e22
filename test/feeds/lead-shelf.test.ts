import assert from 'node:assert/strict';
import { createLeadShelf, type Hold, type LeadShelf } from '../../src/feeds/lead-shelf.js';

describe('createLeadShelf', () => {
  const at = new Date('2026-11-25T10:00:00Z');
  const hold: Hold = { leadId: 'held', until: new Date('2026-11-25T11:00:00Z') };
  let holds: readonly Hold[];
  /** Readings of the ledger, in the order in which they were begun; each ends when it is told to. */
  let readings: { readonly end: () => void; readonly fail: () => void }[];
  let shelf: LeadShelf;
  const setAside = (): readonly string[] => [...shelf.setAside(at, 1)];

  /** The next reading; waits until it was begun. */
  async function reading(): Promise<(typeof readings)[number]> {
    for (;;) {
      const next = readings.shift();
      if (next) return next;
      await new Promise(setImmediate);
    }
  }

  beforeEach(async () => {
    holds = [];
    readings = [];
    shelf = createLeadShelf({
      readHolds: () => {
        const read = holds;
        return new Promise((resolve, reject) =>
          readings.push({ end: () => resolve(read), fail: () => reject(new Error('The ledger does not answer.')) }),
        );
      },
      momentAt: () => ({ verifiedSinceMs: 0, todays: {} }),
      now: () => at,
    });
    const first = shelf.refresh();
    (await reading()).end();
    await first;
  });

  it('shows a lead whose sale failed to whoever asks after its end, though the ledger is just being read', async () => {
    shelf.take('lead');
    assert.deepEqual(setAside(), ['lead']);
    shelf.giveBack('lead');
    const read = await reading();
    const shown = shelf.refreshIfOld().then(setAside);
    await new Promise(setImmediate);
    read.end();
    await new Promise(setImmediate);
    for (const { end } of readings) end();
    assert.deepEqual(await shown, []);
  });

  it('keeps a lead set aside between its sale and the reading of the hold', async () => {
    shelf.take('held');
    holds = [hold];
    shelf.giveBack('held');
    const read = await reading();
    assert.deepEqual(setAside(), ['held']);
    read.end();
    await new Promise(setImmediate);
    assert.deepEqual(setAside(), ['held']);
  });

  it('keeps a lead set aside while the ledger does not answer, and asks again for whoever comes', async () => {
    shelf.take('lead');
    shelf.giveBack('lead');
    (await reading()).fail();
    await new Promise(setImmediate);
    assert.deepEqual(setAside(), ['lead']);
    const asked = shelf.refreshIfOld();
    (await reading()).end();
    await asked;
    assert.deepEqual(setAside(), []);
  });

  it('asks the ledger once a second at most where no sale has ended', async () => {
    await shelf.refreshIfOld();
    assert.equal(readings.length, 0);
  });
});
