import assert from 'node:assert/strict';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import type { Fate } from './flaky-node.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';

describe('a settlement that must be deep', () => {
  let chain: TestChain;
  let rig: SettlerRig;

  before(async () => {
    chain = await startTestChain();
    rig = await createSettlerRig(chain);
  });
  afterEach(() => rig.close());
  after(() => chain.stop());

  it('waits for its confirmations', async () => {
    const { flaky } = await rig.createFlakySettler(
      async (method): Promise<Fate> => {
        if (method === 'eth_blockNumber') await chain.mineBlocks();
        return 'answered';
      },
      { settings: { confirmations: 4 } },
    );
    const outcome = await flaky.settle(await chain.signAuthorization());
    assert.ok(outcome.outcome === 'settled');
    assert.equal((await chain.client.getBlockNumber()) - outcome.blockNumber, 3n);
  });

  it('is sent again when its block is reorganized away', async () => {
    let skewMs = 0;
    let looks = 0;
    const { flaky } = await rig.createFlakySettler(
      async (method): Promise<Fate> => {
        if (method !== 'eth_blockNumber') return 'answered';
        looks += 1;
        if (looks === 1) await chain.ask('anvil_reorg', [1, []]);
        else await chain.mineBlocks();
        skewMs += 5_000;
        return 'answered';
      },
      { settings: { confirmations: 3 }, nowMs: () => performance.now() + skewMs },
    );
    const payment = await chain.signAuthorization();
    const outcome = await flaky.settle(payment);
    assert.ok(outcome.outcome === 'settled');
    assert.ok(looks > 1);
    assert.equal((await rig.createSettler().verify(payment)).verdict, 'refused');
  });
});
