import assert from 'node:assert/strict';
import { parseGwei } from 'viem';
import { createChainClient } from '../../../src/payments/chain/clients.js';
import { settingSchema } from '../../../src/config/setting-schema.js';
import { createFeeReader, tipWei } from '../../../src/payments/settlement/relayer/fee-reader.js';
import { findNetwork, networks } from '../../../src/wire/networks.js';
import { startTestChain, type TestChain } from '../../support/chain.js';

describe('createFeeReader', () => {
  let chain: TestChain;
  before(async () => (chain = await startTestChain()));
  after(() => chain.stop());

  it('asks for the base fee again two seconds later, and not before', async () => {
    let nowMs = 0;
    const client = createChainClient({ rpcUrl: chain.rpcUrl });
    const fees = createFeeReader({ client, network: chain.network, capWei: 10n ** 12n, nowMs: () => nowMs });
    const offered = async (): Promise<bigint> => (await fees.read()).maxFeePerGas;
    await chain.ask('anvil_setNextBlockBaseFeePerGas', ['0x2540be400']);
    await chain.mineBlocks();
    const before = await offered();
    await chain.ask('anvil_setNextBlockBaseFeePerGas', ['0x4a817c800']);
    await chain.mineBlocks();
    nowMs = 1_999;
    assert.equal(await offered(), before);
    nowMs = 2_000;
    assert.equal(await offered(), before + 2n * 10_000_000_000n);
  });

  it('offers twice the base fee and the tip, and takes no base fee for lower than the network has', async () => {
    const client = createChainClient({ rpcUrl: chain.rpcUrl });
    const offer = (minBaseFeeWei: bigint) =>
      createFeeReader({ client, network: { minBaseFeeWei }, capWei: 10n ** 12n, nowMs: () => 0 }).read();
    await chain.ask('anvil_setNextBlockBaseFeePerGas', ['0x3d0900']);
    await chain.mineBlocks();
    assert.deepEqual(await offer(0n), { maxFeePerGas: 9_000_000n, maxPriorityFeePerGas: 1_000_000n });
    assert.deepEqual(await offer(5_000_000n), { maxFeePerGas: 11_000_000n, maxPriorityFeePerGas: 1_000_000n });
  });

  it('can offer the least of every network, whatever RELAYER_MAX_FEE_GWEI the start lets pass', () => {
    const passes = (gwei: string) => settingSchema.shape.RELAYER_MAX_FEE_GWEI.safeParse(gwei).success;
    for (const wrong of ['0', '0.005', '0.0059', '10000.1', '-1', '1e3', '.5', '1.', '0.0060000000'])
      assert.ok(!passes(wrong), wrong);
    for (const right of ['0.006', '0.01', '1', '2.5', '10000']) assert.ok(passes(right), right);
    for (const { minBaseFeeWei } of networks) assert.ok(minBaseFeeWei + tipWei <= parseGwei('0.006'));
    assert.equal(findNetwork('eip155:8453')?.minBaseFeeWei, 5_000_000n);
  });
});
