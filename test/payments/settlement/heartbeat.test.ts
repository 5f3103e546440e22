import assert from 'node:assert/strict';
import type { Database } from '../../../src/db/database.js';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { createHeartbeat } from '../../../src/payments/settlement/heartbeat.js';
import { createHeartbeatStore } from '../../../src/payments/settlement/heartbeat-store.js';
import { createSettlementProblems } from '../../../src/payments/settlement/settlement-problems.js';
import { createRestoredLedger } from '../../../src/payments/settlement/restored-ledger.js';
import { openTestInstances, type TestInstances } from '../../support/database.js';
import { holdKey } from './hold-key.js';

const chain = 'eip155:84532';
const [first, second]: readonly [Hex, Hex] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`];

describe('the heartbeat of an instance', () => {
  let instances: TestInstances;
  let [one, other]: Database[] = [];
  let nowMs = 0;
  /** What the chain counts; undefined while the node is away. */
  let counts: Map<Hex, number> | undefined;

  beforeEach(async () => {
    instances = await openTestInstances(2);
    [one, other] = instances.databases;
    nowMs = 0;
    counts = new Map();
  });
  afterEach(() => instances.close());

  const knex = () => (one ?? assert.fail()).knex;

  function open(name: string, relayers: readonly Hex[], { isAlone = false, skewMs = (): number => 0, life = 1 } = {}) {
    const database = (name === 'two' ? other : one) ?? assert.fail();
    const instance = { owner: `owner of ${name}${life === 1 ? '' : life}`, name, version: '1.0.0', host: 'a-machine' };
    const store = createHeartbeatStore(database.knex, { instance, chain, isAlone });
    const warnings: string[] = [];
    let used: Hex | undefined;
    const elapsedMs = () => nowMs;
    const problems = createSettlementProblems(elapsedMs);
    const heartbeat = createHeartbeat({
      ...{ store, relayers, isAlone, problems, elapsedMs },
      ledger: createRestoredLedger(elapsedMs),
      countNonces: async (relayer) => (counts ?? assert.fail('the node is away')).get(relayer) ?? 0,
      use: async (relayer) => void (used = relayer),
      isReady: () => true,
      clock: () => new Date(Date.now() + skewMs()),
      log: { warn: (...told: unknown[]) => void warnings.push(String(told.at(-1))) },
    });
    return {
      ...heartbeat,
      store,
      warnings,
      used: () => used,
      restores: async () => (await knex()('ledger_restores')).length,
      problem: problems.current,
      mayHaveSent: problems.mayHaveSent,
      why: () => problems.current()?.why,
    };
  }

  /** Half a minute passes without a beat of anybody. */
  const passLeases = () => knex()('relayer_leases').update({ lease_until: knex().fn.now() });

  /** As a backup was. */
  const goBack = (beat: number) => knex()('instances').update({ beat });

  describe('with a list of relayer keys', () => {
    it('takes the first key that is free, and holds it from beat to beat', async () => {
      const [a, b] = [open('one', [first, second]), open('two', [first, second])];
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
      const both = [open('one', [first, second]), open('two', [first, second])];
      await Promise.all(both.map(({ beat }) => beat()));
      assert.deepEqual(both.map(({ used }) => used()).sort(), [first, second]);
    });

    it('is not ready while every key is held, says by whom and until when, and takes one that is lost', async () => {
      const [a, b] = [open('one', [first]), open('two', [first])];
      await a.beat();
      await b.beat();
      assert.equal(b.used(), undefined);
      const { by, why, detail = [] } = b.problem() ?? assert.fail();
      assert.deepEqual([by, why], ['chain', 'Every relayer key is in use.']);
      assert.match(
        detail.join(),
        new RegExp(`^${first} is held by one until 20\\d\\d-\\d\\d-\\d\\dT[\\d:.]+\\+00:00\\.$`),
      );
      assert.deepEqual(b.warnings, ['Every relayer key is in use.']);
      await passLeases();
      await b.beat();
      assert.deepEqual([b.used(), b.problem()], [first, undefined]);
      await a.beat();
      assert.deepEqual([a.used(), a.why()], [undefined, 'Every relayer key is in use.']);
    });

    it('takes the key of its own former life once that has missed a beat, and of no other process', async () => {
      const seen = (seconds: number) =>
        knex()('instances')
          .where({ owner: 'owner of one' })
          .update({ seen_at: knex().raw(`now() - interval '${seconds} seconds'`) });
      await open('one', [first]).beat();
      const [next, other] = [open('one', [first], { life: 2 }), open('two', [first])];
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
      const [a, b] = [open('one', [first]), open('two', [first])];
      await a.beat();
      await b.beat();
      b.drain();
      await a.store.leave();
      await b.beat();
      assert.equal(b.used(), undefined);
      const c = open('three', [first]);
      await c.beat();
      assert.equal(c.used(), first);
    });

    it('holds its key while it drains', async () => {
      const a = open('one', [first, second]);
      await a.beat();
      a.drain();
      await a.beat();
      assert.equal(a.used(), first);
    });

    it('takes the key of a dead process at once where no other can be running', async () => {
      await holdKey(knex(), { chain, relayer: first, owner: 'a dead process' });
      const a = open('one', [first], { isAlone: true });
      await a.start();
      assert.deepEqual([a.used(), a.problem()], [first, undefined]);
    });
  });

  it('writes who runs and since when, and drops who was not seen for a day', async () => {
    const [a, b] = [open('one', []), open('two', [])];
    await a.beat();
    await a.beat();
    await b.beat();
    await knex()('instances')
      .where({ name: 'two' })
      .update({ seen_at: knex().raw("now() - interval '25 hours'") });
    a.drain();
    await a.beat();
    const rows = (await knex()('instances')) as Record<string, unknown>[];
    assert.equal(rows.length, 1);
    const { seen_at: seenAt, started_at: startedAt, ...rest } = rows[0] ?? {};
    const about = { owner: 'owner of one', name: 'one', version: '1.0.0', host: 'a-machine' };
    assert.deepEqual(rest, { ...about, ready: true, draining: true, beat: '3' });
    assert.ok((seenAt as Date) >= (startedAt as Date));
  });

  it('warns of a clock that is five seconds off, and sells nothing with one that is thirty seconds off', async () => {
    let skewMs = 0;
    const a = open('one', [first], { skewMs: () => skewMs });
    await a.beat();
    skewMs = 10_000;
    await a.beat();
    assert.equal(a.problem(), undefined);
    assert.match(a.warnings.join(), /^The clock of this machine is 10 seconds ahead of that of the database/);
    skewMs = -40_000;
    await a.beat();
    assert.deepEqual([a.problem()?.by, a.why()], ['chain', 'The clock of this service is wrong.']);
    skewMs = 0;
    await a.beat();
    assert.equal(a.problem(), undefined);
  });

  it('sells nothing twelve seconds after the last answer of the database, until the next', async () => {
    const a = open('one', [first]);
    await a.beat();
    nowMs += 11_999;
    assert.equal(a.problem(), undefined);
    nowMs += 1;
    assert.equal(a.problem()?.by, 'database');
    await a.beat();
    assert.equal(a.problem(), undefined);
  });

  it('never rejects where the database cannot be written, and says so', async () => {
    const a = open('one', [first]);
    await knex().schema.renameTable('instances', 'no_instances');
    await a.beat();
    await knex().schema.renameTable('no_instances', 'instances');
    assert.match(a.warnings.join(), /the heartbeat was not written/);
    assert.equal(a.used(), undefined);
    await a.beat();
    assert.equal(a.used(), first);
  });

  describe('over a ledger that may be an older copy', () => {
    const behind = 'The ledger may be an older copy: what it lacks must land first.';

    it('sells at once where every used nonce was kept here', async () => {
      await holdKey(knex(), { chain, relayer: first, owner: 'earlier', seconds: 0 });
      await knex()('relayer_leases').update({ next_nonce: 7 });
      counts?.set(first, 7);
      const a = open('one', [first, second]);
      await a.beat();
      assert.deepEqual([a.used(), a.problem(), await a.restores()], [first, undefined, 0]);
    });

    it('sells nothing until the count of each relayer has stood still for a minute, then knows it', async () => {
      counts?.set(first, 7);
      counts?.set(second, 1);
      const a = open('one', [first, second]);
      await a.beat();
      assert.deepEqual([a.used(), a.why()], [undefined, behind]);
      assert.equal(a.problem()?.by, 'chain');
      nowMs += 59_999;
      counts?.set(second, 2);
      await a.beat();
      nowMs += 59_999;
      await a.beat();
      assert.deepEqual([a.used(), a.why()], [undefined, behind], 'what was on its way has moved a count');
      nowMs += 1;
      const { catchUp } = a.store;
      a.store.catchUp = () => Promise.reject(new Error('made up'));
      await a.beat();
      assert.deepEqual([a.used(), a.why()], [undefined, behind], 'the database cannot note it');
      [a.store.catchUp, nowMs] = [catchUp, nowMs + 60_000];
      await a.beat();
      assert.deepEqual([a.used(), a.problem(), await a.restores()], [first, undefined, 1]);
      assert.match(a.warnings.join(), /"ledger rebuild" writes it/);
      const b = open('two', [first, second]);
      await b.beat();
      assert.deepEqual([b.used(), b.problem()], [second, undefined], 'the next start compares with what is known now');
      assert.deepEqual([a.mayHaveSent(), b.mayHaveSent()], [true, true], 'what it lacks is not rebuilt yet');
      await knex()('ledger_restores').delete();
      await Promise.all([a.beat(), b.beat()]);
      assert.deepEqual([a.mayHaveSent(), b.mayHaveSent()], [false, false]);
    });

    it('does so where no other process can be running, too', async () => {
      counts?.set(first, 7);
      const a = open('one', [first], { isAlone: true });
      await a.start();
      assert.deepEqual([a.used(), a.why()], [undefined, behind]);
      nowMs += 60_000;
      await a.beat();
      assert.deepEqual([a.used(), a.problem()], [first, undefined]);
      await a.stop();
    });

    it('sells nothing for a minute where the database has forgotten a beat', async () => {
      const a = open('one', [first]);
      await a.beat();
      await a.beat();
      await a.beat();
      await goBack(1);
      await a.beat();
      assert.deepEqual([a.used(), a.why()], [undefined, behind]);
      nowMs += 59_999;
      await a.beat();
      assert.equal(a.why(), behind);
      nowMs += 1;
      await a.beat();
      assert.deepEqual([a.used(), a.problem()], [first, undefined]);
    });

    it('sells nothing for a minute where the database has forgotten the process', async () => {
      const a = open('one', [first]);
      await a.beat();
      await knex()('instances').delete();
      await a.beat();
      assert.deepEqual([a.used(), a.why()], [undefined, behind]);
    });

    it('sells nothing before it has compared with the chain', async () => {
      counts = undefined;
      const a = open('one', [first]);
      await a.beat();
      assert.deepEqual([a.used(), a.why()], [undefined, 'The ledger is not compared with the chain yet.']);
      counts = new Map();
      await a.beat();
      assert.deepEqual([a.used(), a.problem()], [first, undefined]);
    });
  });
});
