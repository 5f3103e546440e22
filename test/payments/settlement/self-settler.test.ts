import assert from 'node:assert/strict';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import type { LogReader } from '../../../src/payments/chain/log-reader.js';
import type { Authorization, Hex } from '../../../src/payments/chain/eip3009.js';
import { pauseByTimer } from '../../../src/payments/settlement/pause.js';
import { withoutWaiting } from './flaky-node.js';
import type { RigSettler } from './settler-rig.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';

describe('createSelfSettler', () => {
  let chain: TestChain;
  let rig: SettlerRig;
  let settler: RigSettler;

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
      if (method === 'eth_sendRawTransactionSync') markSent();
      return 'answered';
    });
    const settling = flaky.settle(await chain.signAuthorization());
    await sent;
    await flaky.close();
    assert.equal((await settling).outcome, 'unknown');
    await chain.ask('evm_setAutomine', [true]);
    await chain.mineBlocks();
  });

  it('does not know the outcome 30 s after it began', async () => {
    const waits: number[] = [];
    const { flaky } = await rig.createFlakySettler(
      (method) => (method === 'eth_getTransactionReceipt' ? 'lost_answer' : withoutWaiting(method)),
      {
        async pause(delayMs, signal) {
          waits.push(delayMs);
          // Half a minute is over at once.
          if (delayMs < 30_000) await pauseByTimer(delayMs, signal);
        },
      },
    );
    assert.equal((await flaky.settle(await chain.signAuthorization())).outcome, 'unknown');
    assert.equal(waits.filter((each) => each >= 10_000).join(), '30000');
  });

  it('does not know the outcome when the nonce is used and no log tells by what', async () => {
    const payment = await chain.signAuthorization();
    await chain.submitElsewhere(payment);
    const readLogs: LogReader = async ({ fromBlock, toBlock }) => ({ logs: [], fromBlock, toBlock });
    const client = { ...chain.client, readLogs };
    assert.equal((await rig.createSettler({ client }).settle(payment)).outcome, 'unknown');
  });

  it('settles what the unmodified official client signs for Base Sepolia', async () => {
    const sepolia = await startTestChain(84532);
    const sepoliaRig = await createSettlerRig(sepolia);
    const client = new ExactEvmScheme(privateKeyToAccount(sepolia.buyer.privateKey));
    const { payload } = await client.createPaymentPayload(2, {
      scheme: 'exact',
      network: sepolia.network.id,
      amount: '10000',
      asset: sepolia.token,
      payTo: sepolia.payTo.address,
      maxTimeoutSeconds: 300,
      extra: sepolia.network.domain,
    });
    const { signature, authorization } = payload as { signature: Hex; authorization: Record<keyof Authorization, Hex> };
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const window = { validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) };
    const payment: Authorization = { from, to, value: BigInt(value), ...window, nonce, signature };
    const sepoliaSettler = sepoliaRig.createSettler();
    const verdict = await sepoliaSettler.verify(payment);
    const outcome = await sepoliaSettler.settle(payment);
    await sepoliaRig.close();
    await sepolia.stop();
    assert.equal(verdict.verdict, 'good');
    assert.equal(outcome.outcome, 'settled');
  });
});
