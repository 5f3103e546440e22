import assert from 'node:assert/strict';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { withoutWaiting } from './flaky-node.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';

describe('many payments at once', () => {
  let chain: TestChain;
  let rig: SettlerRig;
  let stopMining: () => void;

  before(async () => {
    chain = await startTestChain();
    rig = await createSettlerRig(chain);
  });
  afterEach(() => rig.close());
  after(() => chain.stop());

  async function mineEvery(periodMs: number): Promise<void> {
    await chain.ask('evm_setAutomine', [false]);
    stopMining = chain.mineEvery(periodMs);
  }

  async function stopMiner(): Promise<void> {
    stopMining();
    await chain.ask('evm_setAutomine', [true]);
  }

  for (const { node, decide } of [
    { node: 'answers with receipts', decide: () => 'answered' as const },
    { node: 'must be polled', decide: withoutWaiting },
  ]) {
    it(`all settle at 200 ms a block, for fewer calls than payments, on a node that ${node}`, async () => {
      const settings = { windowMs: 200, maxItems: 20 };
      const { flaky, node: counter } = await rig.createFlakySettler(decide, { settings });
      const payments = await Promise.all(Array.from({ length: 200 }, () => chain.signAuthorization()));
      const before = await chain.balanceOf(chain.payTo.address);
      await mineEvery(200);
      const outcomes = await Promise.all(
        payments.map(async (payment) => {
          assert.equal((await flaky.verify(payment)).verdict, 'good');
          return flaky.settle(payment);
        }),
      );
      await stopMiner();
      assert.deepEqual(new Set(outcomes.map(({ outcome }) => outcome)), new Set(['settled']));
      assert.equal((await chain.balanceOf(chain.payTo.address)) - before, 2_000_000n);
      assert.ok(counter.methods.length < 200, `${counter.methods.length} calls: ${counter.methods.join(' ')}`);
    });
  }

  it('costs two calls to verify and settle a single payment, beside the base fee', async () => {
    const { flaky, node } = await rig.createFlakySettler(() => 'answered', { settings: { windowMs: 200 } });
    assert.equal((await flaky.settle(await chain.signAuthorization())).outcome, 'settled');
    const payment = await chain.signAuthorization();
    node.methods.length = 0;
    assert.equal((await flaky.verify(payment)).verdict, 'good');
    assert.equal((await flaky.settle(payment)).outcome, 'settled');
    const methods = node.methods.filter((method) => method !== 'eth_getBlockByNumber');
    assert.deepEqual(methods, ['eth_call', 'eth_sendRawTransactionSync']);
  });

  it('loses none when two processes use one key against the rule, and says so', async () => {
    const warnings: string[] = [];
    const log = { warn: (_: unknown, message?: unknown) => void warnings.push(String(message)) };
    const startMs = performance.now();
    // The time that is granted to a receipt passes more quickly.
    const nowMs = () => startMs + (performance.now() - startMs) * 10;
    const settlers = [rig.createSettler({ log, nowMs }), rig.createSettler({ log, nowMs })];
    const payments = await Promise.all(Array.from({ length: 20 }, () => chain.signAuthorization()));
    const outcomes = await Promise.all(
      payments.map(async (payment, index) => {
        const settler = settlers[index % 2];
        assert.ok(settler);
        return { payment, outcome: (await settler.settle(payment)).outcome };
      }),
    );
    const judge = rig.createSettler();
    for (const { payment, outcome } of outcomes) {
      const { verdict } = await judge.verify(payment);
      if (outcome === 'settled') assert.equal(verdict, 'refused', 'what is settled is on the chain');
      if (outcome === 'failed') assert.equal(verdict, 'good', 'what failed was never sent');
    }
    assert.ok(warnings.some((message) => /no other program/.test(message)));
  });
});
