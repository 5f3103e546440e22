import assert from 'node:assert/strict';
import { createChainClient } from '../../../src/payments/chain/clients.js';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { createFeeReader } from '../../../src/payments/settlement/relayer/fee-reader.js';
import { readSignedTransaction } from '../../../src/payments/settlement/relayer/transmitter.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { withoutWaiting } from './flaky-node.js';
import type { Fate } from './flaky-node.js';
import { createMemoryRelayerStore } from './memory-relayer-store.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';
import type { RelayerTally } from '../../../src/payments/settlement/relayer/relayer-tally.js';

describe('a transaction that is not mined', () => {
  let chain: TestChain;
  let rig: SettlerRig;

  before(async () => {
    chain = await startTestChain();
    rig = await createSettlerRig(chain);
  });
  beforeEach(() => chain.ask('evm_setAutomine', [false]));
  afterEach(async () => {
    await rig.close();
    await chain.ask('evm_setAutomine', [true]);
    await chain.mineBlocks();
  });
  after(() => chain.stop());

  /**
   * Settles while nothing is mined until the second transaction is sent, of which `fate` decides; three seconds pass
   * once the first is sent.
   */
  async function settleSlowly(
    fate: Fate,
  ): Promise<{ transaction: Hex; kept: readonly Hex[]; keptWhenSent: number[]; tally: RelayerTally }> {
    const store = createMemoryRelayerStore();
    const keptWhenSent: number[] = [];
    let skewMs = 0;
    const { flaky } = await rig.createFlakySettler(
      async (method) => {
        if (method === 'eth_getTransactionCount' && keptWhenSent.length === 1) skewMs = 3_000;
        if (method !== 'eth_sendRawTransaction') return withoutWaiting(method);
        keptWhenSent.push(store.raws().length);
        if (keptWhenSent.length === 1) return 'answered';
        if (fate !== 'answered') await chain.mineBlocks();
        else void mineOnceKnown(store.raws()[1] ?? '0x');
        return fate;
      },
      { store, settings: { bumpAfterMs: 2_000 }, nowMs: () => performance.now() + skewMs },
    );
    const outcome = await flaky.settle(await chain.signAuthorization());
    assert.ok(outcome.outcome === 'settled');
    return { transaction: outcome.transaction, kept: store.raws(), keptWhenSent, tally: flaky.tally };
  }

  async function mineOnceKnown(raw: Hex): Promise<void> {
    const { hash } = readSignedTransaction(raw);
    while ((await chain.ask('eth_getTransactionByHash', [hash])) === null);
    await chain.mineBlocks();
  }

  it('is replaced by the same call at the same nonce for an eighth more, kept before it is sent', async () => {
    const { transaction, kept, keptWhenSent, tally } = await settleSlowly('answered');
    const [before, after] = kept.map(readSignedTransaction);
    assert.ok(before && after && kept.length === 2);
    assert.deepEqual(keptWhenSent.slice(0, 2), [1, 2]);
    assert.equal(after.nonce, before.nonce);
    assert.deepEqual(after.call, before.call);
    assert.ok(after.fees.maxFeePerGas * 8n >= before.fees.maxFeePerGas * 9n);
    assert.ok(after.fees.maxPriorityFeePerGas * 8n >= before.fees.maxPriorityFeePerGas * 9n);
    assert.equal(transaction, after.hash);
    assert.deepEqual([tally.replaced, tally.displaced], [1, 0]);
  });

  it('counts all the same when it is mined after all, and not its replacement', async () => {
    const { transaction, kept } = await settleSlowly('lost_request');
    const [before] = kept.map(readSignedTransaction);
    assert.equal(transaction, before?.hash);
  });

  it('never offers more than is allowed', async () => {
    const client = createChainClient({ rpcUrl: chain.rpcUrl });
    const { baseFeePerGas } = await chain.client.getBlock();
    assert.ok(baseFeePerGas);
    const nowMs = () => performance.now();
    const wide = await createFeeReader({ client, network: chain.network, capWei: 10n ** 12n, nowMs }).read();
    assert.ok(wide.maxFeePerGas > 2n * baseFeePerGas);
    const tight = createFeeReader({ client, network: chain.network, capWei: baseFeePerGas + 2_000_000n, nowMs });
    const offer = await tight.read();
    assert.equal(offer.maxFeePerGas, baseFeePerGas + 2_000_000n);
    assert.equal(await tight.raise(offer), undefined);
    await assert.rejects(
      createFeeReader({ client, network: chain.network, capWei: baseFeePerGas, nowMs }).read(),
      /above the configured maximum/,
    );
  });
});
