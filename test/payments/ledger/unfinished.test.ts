import assert from 'node:assert/strict';
import { createLedgerTables, createModelLedger } from '../../simulation/model-ledger.js';
import { after as later, buildSettlement } from './build-claim.js';
import { openMachine, outcomeOf, payBy } from './open-machine.js';

describe('a paid reply whose settlement the ledger cannot note', () => {
  let seconds = 0;
  let settlesAfter = 0;
  const now = () => later(seconds);

  function open() {
    const tables = createLedgerTables();
    tables.feeds.set('deals', 7);
    const model = createModelLedger(tables, { now });
    const ledger = { ...model, finish: () => Promise.reject(new Error('the ledger is away')) };
    async function settle() {
      seconds += settlesAfter;
      return { outcome: 'settled', ...buildSettlement() } as const;
    }
    return { model, machine: openMachine({ ledger, settle, now, nowMs: () => seconds * 1_000 }) };
  }

  it('is sent while the lease of its claim lasts: nobody else can have sold it', async () => {
    settlesAfter = 59;
    assert.equal(await outcomeOf(open().machine, payBy()), 'settled');
  });

  it('is not sent once the lease may be over: another may have let it go and sold it anew', async () => {
    settlesAfter = 60;
    const { model, machine } = open();
    const payment = payBy();
    assert.equal(await outcomeOf(machine, payment), 'settlement_unknown');
    assert.equal(await model.takeOver(payment.key, 'another', 60_000), true);
  });
});
