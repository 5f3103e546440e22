import assert from 'node:assert/strict';
import { createSettlementProblems } from '../../../src/payments/settlement/settlement-problems.js';

describe('createSettlementProblems', () => {
  let nowMs = 0;
  const { tell, current, mayHaveSent } = createSettlementProblems(() => nowMs);

  it('knows none before anybody tells one', () => assert.equal(current(), undefined));

  it('names the first of several, with its fault, until the part that told it can do its work again', () => {
    tell('gas', 'No gas money.');
    tell('facilitator', 'No facilitator.');
    tell('database', 'No database.', { detail: ['More of it.'] });
    const shown = [];
    for (const part of ['database', 'gas', 'facilitator'] as const) {
      const { by, why, detail } = current() ?? assert.fail();
      shown.push([by, why, ...detail]);
      tell(part, undefined);
    }
    assert.deepEqual(shown, [
      ['database', 'No database.', 'More of it.'],
      ['chain', 'No gas money.'],
      ['facilitator', 'No facilitator.'],
    ]);
    assert.equal(current(), undefined);
  });

  it('says that what the ledger does not know may have been sent, whatever else is wrong, while it may be old', () => {
    tell('gas', 'No gas money.');
    tell('ledger', 'It may be an older copy.');
    const shown = [current()?.mayHaveSent];
    tell('ledger', undefined);
    shown.push(current()?.mayHaveSent);
    tell('gas', undefined);
    assert.deepEqual(shown, [true, false]);
  });

  it('says so from when on the database is silent: it may come back as an older copy', () => {
    tell('database', 'No database.', { fromMs: nowMs + 12_000 });
    assert.equal(mayHaveSent(), false);
    nowMs += 12_000;
    assert.deepEqual([current()?.mayHaveSent, mayHaveSent()], [true, true]);
    tell('database', undefined);
    assert.equal(mayHaveSent(), false);
    nowMs = 0;
  });

  it('knows from a time on what a part has told beforehand, unless it tells something else until then', () => {
    tell('nonce', 'It is stuck.', { fromMs: 30_000 });
    nowMs = 29_999;
    assert.equal(current(), undefined);
    tell('nonce', 'It is stuck.', { fromMs: 60_000 });
    nowMs = 59_999;
    assert.equal(current(), undefined);
    nowMs = 60_000;
    assert.equal(current()?.why, 'It is stuck.');
  });
});
