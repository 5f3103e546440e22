import assert from 'node:assert/strict';
import { parseTransaction } from 'viem';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import type { RigSettler } from './settler-rig.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import type { Fate } from './flaky-node.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerOptions, SettlerRig } from './settler-rig.js';

/** How many transactions of a relayer may be in flight at once. */
const maxInFlight = 64;
/** The time that a relayer grants the nodes passes more quickly. */
const haste = 5;

describe('a relayer whose mined settlements the chain drops', () => {
  let chain: TestChain;
  let rig: SettlerRig;

  before(async () => {
    chain = await startTestChain();
    rig = await createSettlerRig(chain);
  });
  // What is left of the chain has the time of now.
  beforeEach(() => chain.mineBlocks());
  afterEach(() => rig.close());
  after(() => chain.stop());

  const countNonces = (blockTag: 'latest' | 'pending' = 'latest') =>
    chain.client.getTransactionCount({ address: chain.relayer.address, blockTag });
  const received = () => chain.balanceOf(chain.payTo.address);

  function withHaste(): SettlerOptions {
    const startMs = performance.now();
    return { nowMs: () => startMs + (performance.now() - startMs) * haste, timeoutMs: haste * 25_000 };
  }

  async function settleMany(settler: RigSettler, count: number): Promise<Set<string>> {
    const payments = await Promise.all(Array.from({ length: count }, () => chain.signAuthorization()));
    const outcomes = await Promise.all(payments.map((payment) => settler.settle(payment)));
    return new Set(outcomes.map((each) => (each.outcome === 'settled' ? 'settled' : JSON.stringify(each))));
  }

  /** Settles so many payments, one block each, and has the chain forget them. */
  async function settleInVain(settler: RigSettler, count: number): Promise<void> {
    for (let settled = 0; settled < count; settled += 1) await settleMany(settler, 1);
    const nonces = await countNonces();
    await chain.ask('anvil_reorg', [count, []]);
    assert.equal(await countNonces(), nonces - count);
  }

  it('sends them again as soon as there is something to settle, and settles that', async () => {
    const settler = rig.createSettler(withHaste());
    const [nonces, money] = [await countNonces(), await received()];
    await settleInVain(settler, 2);
    assert.deepEqual(await settleMany(settler, 3), new Set(['settled']));
    assert.equal(await countNonces(), nonces + 5);
    assert.equal((await received()) - money, 50_000n);
  });

  it('settles one of them again by the same transaction when it is asked to', async () => {
    const settler = rig.createSettler(withHaste());
    const money = await received();
    const payment = await chain.signAuthorization();
    const first = await settler.settle(payment);
    await chain.ask('anvil_reorg', [1, []]);
    const second = await settler.settle(payment);
    assert.ok(first.outcome === 'settled' && second.outcome === 'settled');
    assert.equal(second.transaction, first.transaction);
    assert.equal((await received()) - money, 10_000n);
  });

  it('does so with more payments under way than may be in flight at once', async () => {
    const settler = rig.createSettler(withHaste());
    const money = await received();
    await settleInVain(settler, 1);
    assert.deepEqual(await settleMany(settler, maxInFlight + 6), new Set(['settled']));
    assert.equal((await received()) - money, 10_000n * BigInt(maxInFlight + 7));
  });

  it('does so behind a node that refuses a nonce while those before it are missing', async () => {
    const { flaky } = await rig.createFlakySettler(async (method, [raw]): Promise<Fate> => {
      if (!method.startsWith('eth_sendRawTransaction')) return 'answered';
      const { nonce = 0 } = parseTransaction(raw as Hex);
      // What it has in its pool is not missing, though it be mined a moment later.
      return nonce > (await countNonces('pending')) ? 'nonce_too_high' : 'answered';
    }, withHaste());
    await settleInVain(flaky, 1);
    assert.deepEqual(await settleMany(flaky, 1), new Set(['settled']));
  });
});
