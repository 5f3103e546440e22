import assert from 'node:assert/strict';
import { numberToHex, parseTransaction } from 'viem';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import type { RigSettler } from './settler-rig.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { withoutWaiting } from './flaky-node.js';
import { createMemoryRelayerStore } from './memory-relayer-store.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';

const someoneElse: Hex = '0x00000000000000000000000000000000000e15e0';

const isSend = (method: string): boolean => method.startsWith('eth_sendRawTransaction');

describe('createRelayer', () => {
  let chain: TestChain;
  let rig: SettlerRig;
  let settler: RigSettler;

  const received = () => chain.balanceOf(chain.payTo.address);
  const nonceOf = (address: Hex) => chain.client.getTransactionCount({ address });
  /** Behind a settler that is told not to wait long, on a machine that may be slow. */
  const settleOne = async (impatient: RigSettler): Promise<void> => {
    for (let attempt = 0; attempt < 100; attempt += 1)
      if ((await impatient.settle(await chain.signAuthorization())).outcome === 'settled') return;
    assert.fail('nothing settles');
  };

  before(async () => {
    chain = await startTestChain();
    rig = await createSettlerRig(chain);
  });
  beforeEach(() => (settler = rig.createSettler()));
  afterEach(() => rig.close());
  after(() => chain.stop());

  it('hands over the signed transaction to be kept before it is sent', async () => {
    const kept: { hash: Hex; raw: Hex; wasKnown: boolean }[] = [];
    const store = createMemoryRelayerStore();
    const keeping = rig.createSettler({
      store: {
        ...store,
        keep: async (_, { hash, raw }) => {
          const wasKnown = await chain.client.getTransaction({ hash }).then(
            () => true,
            () => false,
          );
          kept.push({ hash, raw, wasKnown });
          return true;
        },
      },
    });
    const outcome = await keeping.settle(await chain.signAuthorization());
    assert.ok(outcome.outcome === 'settled');
    const [entry] = kept;
    assert.ok(entry && kept.length === 1);
    assert.equal(entry.hash, outcome.transaction);
    assert.equal(entry.wasKnown, false);
    assert.equal(parseTransaction(entry.raw).to, chain.token.toLowerCase());
  });

  it('sends nothing when the signed transaction cannot be kept, and goes on with the next payment', async () => {
    let isBroken = true;
    const keeping = rig.createSettler({
      store: {
        ...createMemoryRelayerStore(),
        keep: () => (isBroken ? Promise.reject(new Error('the database is gone')) : Promise.resolve(true)),
      },
    });
    const payment = await chain.signAuthorization();
    const outcome = await keeping.settle(payment);
    assert.ok(outcome.outcome === 'failed');
    assert.equal(outcome.reason, 'unexpected_settle_error');
    assert.equal((await keeping.verify(payment)).verdict, 'good', 'the authorization is unused');
    isBroken = false;
    assert.equal((await keeping.settle(payment)).outcome, 'settled');
  });

  it('settles although the answer to the sent transaction was lost', async () => {
    let losses = 1;
    const { flaky } = await rig.createFlakySettler((method) =>
      isSend(method) && losses-- > 0 ? 'lost_answer' : 'answered',
    );
    const before = await received();
    const payments = await Promise.all([1, 2, 3].map(() => chain.signAuthorization()));
    const outcomes = await Promise.all(payments.map((payment) => flaky.settle(payment)));
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['settled', 'settled', 'settled'],
    );
    assert.equal((await received()) - before, 30_000n);
  });

  it('sends nothing, and does not know the outcome, when the node is gone before anything was signed', async () => {
    const { flaky, node } = await rig.createFlakySettler(() => 'lost_request');
    const outcome = await flaky.settle(await chain.signAuthorization());
    assert.equal(outcome.outcome, 'unknown', 'somebody else may have used the authorization');
    assert.ok(!node.methods.some(isSend));
  });

  it('does not know the outcome when the transaction may have been sent, and leaves no gap behind it', async () => {
    let isDown = true;
    const { flaky } = await rig.createFlakySettler(
      (method) => (isDown && isSend(method) ? 'lost_request' : 'answered'),
      { timeoutMs: 1_500 },
    );
    const nonce = await nonceOf(chain.relayer.address);
    assert.equal((await flaky.settle(await chain.signAuthorization())).outcome, 'unknown');
    isDown = false;
    await settleOne(flaky);
    assert.ok((await nonceOf(chain.relayer.address)) >= nonce + 2, 'what was lost is sent again');
  });

  for (const hours of [-72, -1, 1, 72])
    it(`sends again what was lost within seconds where the wall clock moves by ${hours} hours meanwhile`, async () => {
      let sent = 0;
      const { flaky } = await rig.createFlakySettler(
        (method) => (isSend(method) && ++sent <= 4 ? 'lost_request' : 'answered'),
        { now: () => new Date(Date.now() + (sent === 0 ? 0 : hours * 3_600_000)) },
      );
      const startMs = performance.now();
      assert.equal((await flaky.settle(await chain.signAuthorization())).outcome, 'settled');
      assert.ok(performance.now() - startMs < 20_000);
    });

  it('gives a transaction up after 300 s, so that what comes behind it settles and nobody is charged late', async () => {
    let skewMs = 0;
    const { flaky } = await rig.createFlakySettler(
      (method, [raw]) => {
        if (!isSend(method)) return 'answered';
        const isFirst = lost === undefined || parseTransaction(raw as Hex).nonce === lost;
        if (!isFirst) return 'answered';
        lost = parseTransaction(raw as Hex).nonce;
        const isGivenUp = parseTransaction(raw as Hex).to === chain.relayer.address.toLowerCase();
        return isGivenUp ? 'answered' : 'lost_request';
      },
      { timeoutMs: 500, nowMs: () => performance.now() + skewMs },
    );
    let lost: number | undefined;
    const before = await received();
    // However long its window is.
    const payment = await chain.signAuthorization({ validBefore: chain.now() + 3_600n });
    assert.equal((await flaky.settle(payment)).outcome, 'unknown');
    skewMs = 300_000;
    await settleOne(flaky);
    assert.ok(lost !== undefined && (await nonceOf(chain.relayer.address)) > lost);
    const transaction = await chain.ask<{ to: Hex; input: Hex }>('eth_getTransactionBySenderAndNonce', [
      chain.relayer.address,
      numberToHex(lost),
    ]);
    assert.deepEqual([transaction.to, transaction.input], [chain.relayer.address.toLowerCase(), '0x']);
    assert.equal((await received()) - before, 10_000n);
  });

  it('tells within half a minute that its lowest transaction does not move, which it is and what was tried, and no longer once it is mined', async () => {
    await chain.ask('evm_setAutomine', [false]);
    let skewMs = 0;
    const slow = rig.createSettler({ nowMs: () => performance.now() + skewMs, timeoutMs: 300_000 });
    const settling = slow.settle(await chain.signAuthorization());
    while (Number((await chain.ask<{ pending: Hex }>('txpool_status')).pending) === 0);
    assert.equal(slow.why(), undefined);
    skewMs = 30_000;
    assert.match(slow.why() ?? '', /waited half a minute/);
    assert.doesNotMatch(slow.why() ?? '', /0x/);
    const nonce = await nonceOf(chain.relayer.address);
    const stuck = `^The transaction 0x[0-9a-f]{64} of nonce ${nonce} has waited half a minute to be mined: sent`;
    assert.match(slow.told() ?? '', new RegExp(`${stuck} (once|[0-9]+ times)`));
    const raised = new RegExp(`${stuck} [0-9]+ times, its fee raised once, to [0-9.]+ gwei\\.$`);
    while (!raised.test(slow.told() ?? '')) await chain.ask('txpool_status');
    await chain.ask('evm_setAutomine', [true]);
    await chain.mineBlocks();
    assert.equal((await settling).outcome, 'settled');
    assert.equal(slow.why(), undefined);
  });

  it('sends a transaction again that the node has lost', async () => {
    await chain.ask('evm_setAutomine', [false]);
    let skewMs = 0;
    let sent = 0;
    const { flaky } = await rig.createFlakySettler(
      async (method) => {
        if (method === 'eth_sendRawTransaction') sent += 1;
        if (method === 'eth_getTransactionCount' && sent === 1 && skewMs === 0) {
          await chain.ask('anvil_dropAllTransactions');
          skewMs = 5_000;
        }
        if (sent === 2) await chain.mineBlocks();
        return withoutWaiting(method);
      },
      { nowMs: () => performance.now() + skewMs },
    );
    const outcome = await flaky.settle(await chain.signAuthorization());
    await chain.ask('evm_setAutomine', [true]);
    assert.equal(outcome.outcome, 'settled');
  });

  it('settles by another transaction when another program has used the nonce', async () => {
    const startMs = performance.now();
    // The time that is granted to a receipt passes more quickly.
    const nowMs = () => startMs + (performance.now() - startMs) * 10;
    const hasty = rig.createSettler({ nowMs, timeoutMs: 300_000 });
    assert.equal((await hasty.settle(await chain.signAuthorization())).outcome, 'settled');
    await chain.send(chain.relayer.address, someoneElse, '0x');
    const before = await received();
    assert.equal((await hasty.settle(await chain.signAuthorization())).outcome, 'settled');
    assert.equal((await received()) - before, 10_000n);
    assert.equal(hasty.tally.displaced, 1);
    assert.ok(hasty.tally.displacedAt);
  });

  it('fails, having sent nothing, when the relayer has no gas money', async () => {
    const pennilessKey: Hex = `0x${'77'.repeat(32)}`;
    const penniless = rig.createSettler({ relayerKey: pennilessKey });
    const payment = await chain.signAuthorization();
    const outcome = await penniless.settle(payment);
    assert.ok(outcome.outcome === 'failed');
    assert.equal(outcome.reason, 'unexpected_settle_error');
    assert.equal((await settler.settle(payment)).outcome, 'settled');
  });

  it('refuses to send when the turn comes too late', async () => {
    let clockMs = 0;
    const late = rig.createSettler({ nowMs: () => (clockMs += 60_000), timeoutMs: 30_000 });
    const outcome = await late.settle(await chain.signAuthorization());
    assert.ok(outcome.outcome === 'failed');
    assert.equal(outcome.reason, 'unexpected_settle_error');
  });
});
