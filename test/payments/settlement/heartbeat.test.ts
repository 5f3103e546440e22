import assert from 'node:assert/strict';
import { chain, first, openHeartbeatRig, second, type HeartbeatRig } from './heartbeat-rig.js';
import { holdKey } from './hold-key.js';

describe('the heartbeat of an instance', () => {
  let rig: HeartbeatRig;
  beforeEach(async () => (rig = await openHeartbeatRig()));
  afterEach(() => rig.close());

  /** Half a minute passes without a beat of anybody. */
  const passLeases = () => rig.knex('relayer_leases').update({ lease_until: rig.knex.fn.now() });

  it('sells nothing once another statement found no room, until there is room for sales, though it is written itself', async () => {
    const a = rig.open('one', [first]);
    await a.beat();
    await rig.knex.raw(`create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await rig.knex.raw('create trigger no_space before insert on payments execute function no_space()');
    a.hearFailure(Object.assign(new Error('unique'), { code: '23505' }));
    assert.equal(a.problem(), undefined);
    a.hearFailure(Object.assign(new Error('no space'), { code: '53100' }));
    await a.beat();
    assert.equal(a.problem()?.id, 'database.writable');
    rig.nowMs += 20_000;
    await a.beat();
    assert.equal(a.problem()?.id, 'database.writable', 'not away: it answers');
    await rig.knex.raw('drop function no_space cascade');
    await a.beat();
    assert.equal(a.problem(), undefined);
    assert.deepEqual([await rig.knex('payments'), await rig.knex('payment_bodies')], [[], []]);
  });

  describe('with a list of relayer keys', () => {
    it('takes the first key that is free, and holds it from beat to beat', async () => {
      const [a, b] = [rig.open('one', [first, second]), rig.open('two', [first, second])];
      await a.beat();
      await b.beat();
      assert.deepEqual([a.used(), b.used()], [first, second]);
      await passLeases();
      await b.beat();
      await a.beat();
      assert.deepEqual([a.used(), b.used()], [first, second], 'its own before any other');
      assert.deepEqual([a.problem(), b.problem()], [undefined, undefined]);
    });

    it('takes one each where two begin at the same moment', async () => {
      const both = [rig.open('one', [first, second]), rig.open('two', [first, second])];
      await Promise.all(both.map(({ beat }) => beat()));
      assert.deepEqual(both.map(({ used }) => used()).sort(), [first, second]);
    });

    it('is not ready while every key is held, and takes one that is lost', async () => {
      const [a, b] = [rig.open('one', [first]), rig.open('two', [first])];
      await a.beat();
      await b.beat();
      assert.equal(b.used(), undefined);
      assert.equal(b.problem()?.by, 'chain');
      assert.deepEqual(b.warnings, ['Every relayer key is in use.']);
      await passLeases();
      await b.beat();
      assert.deepEqual([b.used(), b.problem()], [first, undefined]);
      await a.beat();
      assert.deepEqual([a.used(), a.why()], [undefined, 'Every relayer key is in use.']);
    });

    it('takes the key of its own former life once that has missed a beat, and of no other process', async () => {
      const seen = (seconds: number) =>
        rig
          .knex('instances')
          .where({ owner: 'owner of one' })
          .update({ seen_at: rig.knex.raw(`now() - interval '${seconds} seconds'`) });
      await rig.open('one', [first]).beat();
      const [next, other] = [rig.open('one', [first], { life: 2 }), rig.open('two', [first])];
      await seen(7);
      await next.beat();
      assert.equal(next.used(), undefined, 'it may live');
      await seen(9);
      await other.beat();
      assert.equal(other.used(), undefined, 'half a minute is not over');
      await next.beat();
      assert.equal(next.used(), first);
      await other.beat();
      assert.deepEqual([other.used(), other.why()], [undefined, 'Every relayer key is in use.']);
    });

    it('hands its key back when it leaves, and takes none while it drains', async () => {
      const [a, b] = [rig.open('one', [first]), rig.open('two', [first])];
      await a.beat();
      await b.beat();
      b.drain();
      await a.store.leave();
      await b.beat();
      assert.equal(b.used(), undefined);
      const c = rig.open('three', [first]);
      await c.beat();
      assert.equal(c.used(), first);
    });

    it('holds its key while it drains', async () => {
      const a = rig.open('one', [first, second]);
      await a.beat();
      a.drain();
      await a.beat();
      assert.equal(a.used(), first);
    });

    it('takes the key of a dead process at once where no other can be running', async () => {
      await holdKey(rig.knex, { chain, relayer: first, owner: 'a dead process' });
      const a = rig.open('one', [first], { isAlone: true });
      await a.start();
      assert.deepEqual([a.used(), a.problem()], [first, undefined]);
    });
  });

  it('writes who runs and since when, and drops who was not seen for a day', async () => {
    const [a, b] = [rig.open('one', []), rig.open('two', [])];
    await a.beat();
    await a.beat();
    await b.beat();
    await rig
      .knex('instances')
      .where({ name: 'two' })
      .update({ seen_at: rig.knex.raw("now() - interval '25 hours'") });
    a.drain();
    await a.beat();
    const rows = (await rig.knex('instances')) as Record<string, unknown>[];
    assert.equal(rows.length, 1);
    const { seen_at: seenAt, started_at: startedAt, ...rest } = rows[0] ?? {};
    const about = { owner: 'owner of one', name: 'one', version: '1.0.0', host: 'a-machine' };
    assert.deepEqual(rest, { ...about, ready: true, draining: true, beat: '3', sources: null });
    assert.ok((seenAt as Date) >= (startedAt as Date));
  });

  it('tells how far the clock is from that of the database, where that is another', async () => {
    let skewMs = 0;
    const a = rig.open('one', [first], { skewMs: () => skewMs });
    await a.beat();
    assert.equal(a.clockFault(), undefined);
    skewMs = 10_000;
    await a.beat();
    assert.equal(a.clockFault()?.isWrong, false);
    assert.match(
      a.clockFault()?.sentence ?? '',
      /^The clock of this machine is 10 seconds ahead of that of the database/,
    );
    skewMs = -40_000;
    await a.beat();
    assert.equal(a.clockFault()?.isWrong, true);
    skewMs = 0;
    await a.beat();
    assert.equal(a.clockFault(), undefined);
    assert.throws(rig.open('two', [], { isAlone: true }).clockFault, /no clock of its own/);
  });

  it('sells nothing twelve seconds after the last answer of the database, until the next', async () => {
    const a = rig.open('one', [first]);
    await a.beat();
    rig.nowMs += 11_999;
    assert.equal(a.problem(), undefined);
    rig.nowMs += 1;
    assert.equal(a.problem()?.by, 'database');
    await a.beat();
    assert.equal(a.problem(), undefined);
  });

  it('counts what the database says late from when it was asked', async () => {
    const a = rig.open('one', [first]);
    const { beat } = a.store;
    a.store.beat = async (...args) => {
      const answer = await beat(...args);
      rig.nowMs += 12_000;
      return answer;
    };
    await a.beat();
    assert.equal(a.problem()?.by, 'database');
    a.store.beat = beat;
    await a.beat();
    assert.equal(a.problem(), undefined);
  });

  it('never rejects where the database cannot be written, and says so', async () => {
    const a = rig.open('one', [first]);
    await rig.knex.schema.renameTable('instances', 'no_instances');
    await a.beat();
    await rig.knex.schema.renameTable('no_instances', 'instances');
    assert.match(a.warnings.join(), /the heartbeat was not written/);
    assert.equal(a.used(), undefined);
    await a.beat();
    assert.equal(a.used(), first);
  });
});
