import assert from 'node:assert/strict';
import { createChainClient } from '../../../src/payments/chain/clients.js';
import { createFeeReader } from '../../../src/payments/settlement/relayer/fee-reader.js';
import { startTestChain, type TestChain } from '../../support/chain.js';

describe('createFeeReader', () => {
  let chain: TestChain;
  before(async () => (chain = await startTestChain()));
  after(() => chain.stop());

  for (const [what, byMs] of [
    ['two seconds later', 2_000],
    ['where the clock was put back by an hour', -3_600_000],
  ] as const) {
    it(`asks for the base fee again ${what}, and not before`, async () => {
      let nowMs = Date.parse('2026-03-08T12:00:00.000Z');
      const client = createChainClient({ rpcUrl: chain.rpcUrl });
      const fees = createFeeReader({ client, network: chain.network, capWei: 10n ** 12n, now: () => new Date(nowMs) });
      const offered = async (): Promise<bigint> => (await fees.read()).maxFeePerGas;
      await chain.ask('anvil_setNextBlockBaseFeePerGas', ['0x2540be400']);
      await chain.mineBlocks();
      const before = await offered();
      await chain.ask('anvil_setNextBlockBaseFeePerGas', ['0x4a817c800']);
      await chain.mineBlocks();
      nowMs += 1_999;
      assert.equal(await offered(), before);
      nowMs += byMs;
      assert.equal(await offered(), before + 2n * 10_000_000_000n);
    });
  }
});
