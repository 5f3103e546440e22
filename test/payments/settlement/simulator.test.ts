import assert from 'node:assert/strict';
import { decodeFunctionResult, encodeFunctionResult, numberToHex, parseAbi } from 'viem';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { createSimulator } from '../../../src/payments/settlement/verify-transfer.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';

/**
 * Stands for a token: answers what has arguments; any other call fails without a reason when it may use a million gas
 * or more.
 */
const moodyToken: Hex = '0x60233611601357620f42405a106013575f5ffd5b60205ff3';
const abi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[])',
]);
const decodeAggregated = (data: Hex) => decodeFunctionResult({ abi, data });
const encodeAggregated = (results: ReturnType<typeof decodeAggregated>) =>
  encodeFunctionResult({ abi, result: results });
const payer: Hex = '0x00000000000000000000000000000000000000aa';
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
    assert.equal((await create().simulate('0x01', payer)).success, true);
    assert.equal((await create({ gas: 3_000_000n }).simulate('0x01', payer)).success, false);
  });

  it('answers more calls than one batch may hold', async () => {
    const simulator = create({ maxBatch: 2 });
    const calls = Array.from({ length: 5 }, (_, index): Hex => `0x0${index}`);
    const simulations = await Promise.all(calls.map((call) => simulator.simulate(call, payer)));
    assert.deepEqual(
      simulations.map(({ success }) => success),
      [true, true, true, true, true],
    );
  });

  it('asks once more where the newest block is more than five seconds older than before, and then rejects', async () => {
    let nowMs = 0;
    let lag = 0n;
    let asked = 0;
    const client = {
      ...chain.client,
      async call(request: Parameters<typeof chain.client.call>[0]) {
        asked += 1;
        const { data = '0x' } = await chain.client.call(request);
        const [time, ...others] = decodeAggregated(data);
        if (lag === 0n || !time) return { data };
        const older = { ...time, returnData: numberToHex(BigInt(time.returnData) - lag, { size: 32 }) };
        return { data: encodeAggregated([older, ...others]) };
      },
    };
    const simulator = create({ client, nowMs: () => nowMs });
    const timeOf = async () => (await simulator.simulate('0x01', payer)).chainTime.getTime();
    const before = await timeOf();
    lag = 5n;
    assert.equal(await timeOf(), before - 5_000);
    lag = 11n;
    asked = 0;
    await assert.rejects(simulator.simulate('0x01', payer), /behind/);
    assert.equal(asked, 2);
    nowMs = 60_000;
    assert.equal(await timeOf(), before - 11_000, 'the chain has gone back');
  });

  it('rejects what waits when it is closed', async () => {
    const simulator = create({ windowMs: 60_000 });
    const waiting = assert.rejects(simulator.simulate('0x01', payer), { name: 'AbortError' });
    simulator.close();
    await waiting;
  });
});
