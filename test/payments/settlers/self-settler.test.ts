import assert from 'node:assert/strict';
import type { Hex } from '../../../src/chain/eip3009.js';
import type { Settler } from '../../../src/payments/settler.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';

describe('createSelfSettler', () => {
  let chain: TestChain;
  let rig: SettlerRig;
  let settler: Settler;

  const nonceOf = (address: Hex) => chain.client.getTransactionCount({ address });

  before(async () => {
    chain = await startTestChain();
    rig = await createSettlerRig(chain);
  });
  beforeEach(() => (settler = rig.createSettler()));
  afterEach(() => rig.close());
  after(() => chain.stop());

  it('sends one transaction for copies of one payment', async () => {
    const payment = await chain.signAuthorization();
    const nonce = await nonceOf(chain.relayer.address);
    const outcomes = await Promise.all([payment, { ...payment }, payment].map((copy) => settler.settle(copy)));
    assert.equal(outcomes[0]?.outcome, 'settled');
    assert.deepEqual(outcomes[1], outcomes[0]);
    assert.deepEqual(outcomes[2], outcomes[0]);
    assert.equal(await nonceOf(chain.relayer.address), nonce + 1);
  });

  it('ends what waits as unknown when it is closed', async () => {
    await chain.ask('evm_setAutomine', [false]);
    let markSent: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => (markSent = resolve));
    const { flaky } = await rig.createFlakySettler((method) => {
      if (method === 'eth_getTransactionReceipt') markSent();
      return 'answered';
    });
    const settling = flaky.settle(await chain.signAuthorization());
    await sent;
    await flaky.close();
    assert.equal((await settling).outcome, 'unknown');
    await chain.ask('evm_setAutomine', [true]);
    await chain.mineBlocks();
  });
});
