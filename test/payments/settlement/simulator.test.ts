import assert from 'node:assert/strict';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { createSimulator } from '../../../src/payments/settlement/verify-transfer.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';

/**
 * Stands for a token: answers the probe; any other call fails without a reason when it may use a million gas or more.
 */
const moodyToken: Hex = '0x36604414601357620f42405a106013575f5ffd5b60205ff3';
const address: Hex = '0x0000000000000000000000000000000000700d70';

describe('createSimulator', () => {
  let chain: TestChain;

  before(async () => {
    chain = await startTestChain();
    await chain.ask('anvil_setCode', [address, moodyToken]);
  });
  after(() => chain.stop());

  const create = (options: Partial<Parameters<typeof createSimulator>[0]> = {}) =>
    createSimulator({ client: chain.client, asset: address, gas: 400_000n, ...options });

  it('tries a call alone, with the gas that it would be sent with, when it failed without a reason', async () => {
    assert.equal((await create().simulate('0x01')).success, true);
    assert.equal((await create({ gas: 3_000_000n }).simulate('0x01')).success, false);
  });

  it('answers more calls than one batch may hold', async () => {
    const simulator = create({ maxBatch: 2 });
    const calls = Array.from({ length: 5 }, (_, index): Hex => `0x0${index}`);
    const simulations = await Promise.all(calls.map((call) => simulator.simulate(call)));
    assert.deepEqual(
      simulations.map(({ success }) => success),
      [true, true, true, true, true],
    );
  });

  it('rejects what waits when it is closed', async () => {
    const simulator = create({ windowMs: 60_000 });
    const waiting = assert.rejects(simulator.simulate('0x01'), { name: 'AbortError' });
    simulator.close();
    await waiting;
  });
});
