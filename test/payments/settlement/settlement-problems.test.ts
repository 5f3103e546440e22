import assert from 'node:assert/strict';
import { createSettlementProblems } from '../../../src/payments/settlement/settlement-problems.js';

describe('createSettlementProblems', () => {
  let nowMs = 0;
  const { tell, current, list, mayHaveSent } = createSettlementProblems(() => nowMs);

  it('knows none before anybody tells one', () => assert.equal(current(), undefined));

  it('names the first of several, with its fault, until the part that told it can do its work again', () => {
    tell('relayer.gas', 'No gas money.');
    tell('facilitator.reach', 'No facilitator.');
    tell('database.reach', 'No database.');
    const shown = [];
    for (const id of ['database.reach', 'relayer.gas', 'facilitator.reach'] as const) {
      assert.equal(list()[0]?.id, id);
      const { mayHaveSent: _, ...first } = current() ?? assert.fail();
      shown.push(first);
      tell(id, undefined);
    }
    assert.deepEqual(shown, [
      { id: 'database.reach', by: 'database', why: 'No database.' },
      { id: 'relayer.gas', by: 'chain', why: 'No gas money.' },
      { id: 'facilitator.reach', by: 'facilitator', why: 'No facilitator.' },
    ]);
    assert.deepEqual([current(), list()], [undefined, []]);
  });

  it('believes what may be a bad moment when it is told twice in a row', () => {
    const doubt = (why?: string) => tell('facilitator.reach', why, { isDoubt: true });
    for (const why of [undefined, 'No answer.', undefined, undefined, 'No answer.']) doubt(why);
    assert.equal(current(), undefined);
    doubt('No answer.');
    assert.equal(current()?.id, 'facilitator.reach');
    doubt('No answer.');
    doubt();
    assert.equal(current(), undefined);
  });

  it('says that what the ledger does not know may have been sent, whatever else is wrong, while it may be old', () => {
    tell('relayer.gas', 'No gas money.');
    tell('ledger.behind', 'It may be an older copy.');
    const shown = [current()?.mayHaveSent];
    tell('ledger.behind', undefined);
    shown.push(current()?.mayHaveSent);
    tell('relayer.gas', undefined);
    assert.deepEqual(shown, [true, false]);
  });

  for (const id of ['database.reach', 'database.writable'] as const)
    it(`says so from when on ${id} is told: it may come back as an older copy`, () => {
      tell(id, 'No database.', { fromMs: nowMs + 12_000 });
      assert.equal(mayHaveSent(), false);
      nowMs += 12_000;
      assert.deepEqual([current()?.mayHaveSent, mayHaveSent()], [true, true]);
      tell(id, undefined);
      assert.equal(mayHaveSent(), false);
      nowMs = 0;
    });

  it('knows from a time on what a part has told beforehand, unless it tells something else until then', () => {
    tell('relayer.nonce', 'It is stuck.', { fromMs: 30_000 });
    nowMs = 29_999;
    assert.equal(current(), undefined);
    tell('relayer.nonce', 'It is stuck.', { fromMs: 60_000 });
    nowMs = 59_999;
    assert.equal(current(), undefined);
    nowMs = 60_000;
    assert.equal(current()?.why, 'It is stuck.');
  });
});
