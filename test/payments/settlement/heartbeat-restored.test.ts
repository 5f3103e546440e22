import assert from 'node:assert/strict';
import { chain, first, openHeartbeatRig, second, type HeartbeatRig } from './heartbeat-rig.js';
import { holdKey } from './hold-key.js';

describe('the heartbeat over a ledger that may be an older copy', () => {
  let rig: HeartbeatRig;
  beforeEach(async () => (rig = await openHeartbeatRig()));
  afterEach(() => rig.close());

  /** As a backup was. */
  const goBack = (beat: number) => rig.knex('instances').update({ beat });

  const behind = 'The ledger may be an older copy: what it lacks must land first.';

  it('sells at once where every used nonce was kept here', async () => {
    await holdKey(rig.knex, { chain, relayer: first, owner: 'earlier', seconds: 0 });
    await rig.knex('relayer_leases').update({ next_nonce: 7 });
    rig.counts?.set(first, 7);
    const a = rig.open('one', [first, second]);
    await a.beat();
    assert.deepEqual([a.used(), a.problem(), await a.restores()], [first, undefined, 0]);
  });

  it('sells nothing until the count of each relayer has stood still for a minute, then knows it', async () => {
    rig.counts?.set(first, 7);
    rig.counts?.set(second, 1);
    const a = rig.open('one', [first, second]);
    await a.beat();
    assert.deepEqual([a.used(), a.why()], [undefined, behind]);
    assert.equal(a.problem()?.by, 'chain');
    rig.nowMs += 59_999;
    rig.counts?.set(second, 2);
    await a.beat();
    rig.nowMs += 59_999;
    await a.beat();
    assert.deepEqual([a.used(), a.why()], [undefined, behind], 'what was on its way has moved a count');
    rig.nowMs += 1;
    const { catchUp } = a.store;
    a.store.catchUp = () => Promise.reject(new Error('made up'));
    await a.beat();
    assert.deepEqual([a.used(), a.why()], [undefined, behind], 'the database cannot note it');
    [a.store.catchUp, rig.nowMs] = [catchUp, rig.nowMs + 60_000];
    await a.beat();
    assert.deepEqual([a.used(), a.problem(), await a.restores()], [first, undefined, 2]);
    assert.match(a.warnings.join(), /"ledger rebuild" writes it/);
    const b = rig.open('two', [first, second]);
    await b.beat();
    assert.deepEqual([b.used(), b.problem()], [second, undefined], 'the next start compares with what is known now');
    assert.deepEqual([a.mayHaveSent(), b.mayHaveSent()], [true, true], 'what it lacks is not rebuilt yet');
    await rig.knex('ledger_restores').delete();
    await Promise.all([a.beat(), b.beat()]);
    assert.deepEqual([a.mayHaveSent(), b.mayHaveSent()], [false, false]);
  });

  it('does so where no other process can be running, too', async () => {
    rig.counts?.set(first, 7);
    const a = rig.open('one', [first], { isAlone: true });
    await a.start();
    assert.deepEqual([a.used(), a.why()], [undefined, behind]);
    rig.nowMs += 60_000;
    await a.beat();
    assert.deepEqual([a.used(), a.problem()], [first, undefined]);
    await a.stop();
  });

  it('sells nothing for a minute where the database has forgotten a beat', async () => {
    const a = rig.open('one', [first]);
    await a.beat();
    await a.beat();
    await a.beat();
    await goBack(1);
    await a.beat();
    assert.deepEqual([a.used(), a.why()], [undefined, behind]);
    rig.nowMs += 59_999;
    await a.beat();
    assert.equal(a.why(), behind);
    rig.nowMs += 1;
    await a.beat();
    assert.deepEqual([a.used(), a.problem()], [first, undefined]);
  });

  it('sells nothing for a minute where the database lacks what was kept between two beats', async () => {
    const a = rig.open('one', [first]);
    await a.beat();
    rig.kept.set(first, 3);
    await rig.knex('relayer_leases').update({ next_nonce: 3 });
    await a.beat();
    assert.deepEqual([a.used(), a.problem()], [first, undefined]);
    // A replica is promoted that lacks the last second.
    await rig.knex('relayer_leases').update({ next_nonce: 2 });
    await a.beat();
    assert.deepEqual([a.used(), a.why(), await a.restores()], [undefined, behind, 1], 'noted for all processes');
    rig.nowMs += 60_000;
    await a.beat();
    assert.deepEqual([a.used(), a.problem()], [first, undefined]);
    const [lease] = (await rig.knex('relayer_leases')) as { next_nonce: string }[];
    assert.equal(lease?.next_nonce, '3', 'also where what was kept has never landed');
    await a.beat();
    assert.deepEqual([a.used(), a.problem()], [first, undefined]);
  });

  it('finds it with the next beat where the answer to one is lost', async () => {
    for (const forget of [() => goBack(1), () => rig.knex('instances').delete()]) {
      const a = rig.open('one', [first]);
      await a.beat();
      await a.beat();
      await forget();
      const { beat } = a.store;
      a.store.beat = async (...args) => {
        await beat(...args);
        throw new Error('made up');
      };
      await a.beat();
      assert.equal(a.problem(), undefined);
      a.store.beat = beat;
      await a.beat();
      assert.deepEqual([a.used(), a.why()], [undefined, behind]);
      rig.nowMs += 60_000;
      await a.beat();
      await a.beat();
      assert.deepEqual([a.used(), a.problem()], [first, undefined]);
      await rig.knex('instances').delete();
    }
  });

  it('sells nothing for a minute where the database has forgotten the process', async () => {
    const a = rig.open('one', [first]);
    await a.beat();
    await rig.knex('instances').delete();
    await a.beat();
    assert.deepEqual([a.used(), a.why()], [undefined, behind]);
  });

  it('sells nothing before it has compared with the chain', async () => {
    rig.counts = undefined;
    const a = rig.open('one', [first]);
    await a.beat();
    assert.deepEqual([a.used(), a.why()], [undefined, 'The ledger is not compared with the chain yet.']);
    rig.counts = new Map();
    await a.beat();
    assert.deepEqual([a.used(), a.problem()], [first, undefined]);
  });
});
