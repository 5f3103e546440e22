import assert from 'node:assert/strict';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { wellKnownAccounts } from '../../../src/payments/chain/well-known-accounts.js';
import type { RigSettler } from './settler-rig.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { readFee } from '../../../src/payments/settlement/relayer/settle-transfer.js';
import { withoutWaiting } from './flaky-node.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';

const someoneElse: Hex = '0x00000000000000000000000000000000000e15e0';
const wallet: Hex = '0x00000000000000000000000000000000000a11e7';
const consentingWallet: Hex = '0x631626ba7e60e01b60005260206000f3';
const [, , , , poor] = wellKnownAccounts;

describe('what a settlement has cost', () => {
  const receipt = { gasUsed: 60_000n, effectiveGasPrice: 2_000_000_000n };
  it('is shared by all in its transaction, with the fee for its data', () => {
    assert.deepEqual(readFee(receipt, 1), { feeGwei: 120_000n });
    assert.deepEqual(readFee({ ...receipt, l1Fee: '0x2540be400' }, 10), { feeGwei: 12_001n });
  });
  for (const [what, told] of [
    ['no price', { effectiveGasPrice: null }],
    ['no gas', { gasUsed: undefined }],
    ['a price above all money', { effectiveGasPrice: 2n ** 200n }],
    ['less than nothing', { effectiveGasPrice: -1_000_000_000n }],
  ] as const)
    it(`is not known, and stops no sale, where a node tells ${what}`, () =>
      assert.deepEqual(readFee({ ...receipt, ...told }, 1), {}));
  it('leaves out a fee for data that is no number', () =>
    assert.deepEqual(readFee({ ...receipt, l1Fee: '1e99' }, 1), { feeGwei: 120_000n }));
});

describe('settleTransfer', () => {
  let chain: TestChain;
  let rig: SettlerRig;
  let settler: RigSettler;

  const received = () => chain.balanceOf(chain.payTo.address);
  const nonceOf = (address: Hex) => chain.client.getTransactionCount({ address });

  before(async () => {
    chain = await startTestChain();
    rig = await createSettlerRig(chain);
  });
  beforeEach(() => (settler = rig.createSettler()));
  afterEach(() => rig.close());
  after(() => chain.stop());

  it('moves the exact amount to payTo and names transaction and block', async () => {
    const before = await received();
    const outcome = await settler.settle(await chain.signAuthorization({ value: 30_000n }));
    assert.equal(outcome.outcome, 'settled');
    assert.ok(outcome.outcome === 'settled');
    const receipt = await chain.client.getTransactionReceipt({ hash: outcome.transaction });
    assert.equal(receipt.status, 'success');
    assert.equal(receipt.blockNumber, outcome.blockNumber);
    assert.equal(receipt.from, chain.relayer.address.toLowerCase());
    assert.equal((await received()) - before, 30_000n);
  });

  it('settles fifty payments that come together, each with its own transaction', async () => {
    const payments = await Promise.all(Array.from({ length: 50 }, () => chain.signAuthorization()));
    const before = await received();
    const outcomes = await Promise.all(payments.map((payment) => settler.settle(payment)));
    assert.deepEqual(new Set(outcomes.map(({ outcome }) => outcome)), new Set(['settled']));
    assert.equal(new Set(outcomes.map((outcome) => outcome.outcome === 'settled' && outcome.transaction)).size, 50);
    assert.equal((await received()) - before, 500_000n);
  });

  it('takes v as 0 or 1 and addresses in any case', async () => {
    const payment = await chain.signAuthorization();
    const upper = (hex: Hex): Hex => `0x${hex.slice(2).toUpperCase()}`;
    const parity = payment.signature.endsWith('1b') ? '00' : '01';
    const signature: Hex = `0x${payment.signature.slice(2, 130)}${parity}`;
    const { from, to, nonce } = payment;
    const outcome = await settler.settle({
      ...payment,
      from: upper(from),
      to: upper(to),
      nonce: upper(nonce),
      signature,
    });
    assert.equal(outcome.outcome, 'settled');
  });

  it("settles a contract wallet's payment", async () => {
    await chain.fund(wallet);
    await chain.ask('anvil_setCode', [wallet, consentingWallet]);
    const payment = { ...(await chain.signAuthorization({ from: wallet })), signature: '0xc0ffee' } as const;
    assert.equal((await settler.settle(payment)).outcome, 'settled');
  });

  it("is settled by somebody else's transaction when that was first", async () => {
    const payment = await chain.signAuthorization();
    const transaction = await chain.submitElsewhere(payment);
    const outcome = await settler.settle(payment);
    assert.ok(outcome.outcome === 'settled');
    assert.equal(outcome.transaction, transaction);
  });

  it('fails when the nonce was spent elsewhere or cancelled', async () => {
    const diverted: Hex = `0x${'d1'.repeat(32)}`;
    await chain.submitElsewhere(await chain.signAuthorization({ nonce: diverted, to: someoneElse }));
    const outcome = await settler.settle(await chain.signAuthorization({ nonce: diverted }));
    assert.ok(outcome.outcome === 'failed');
    assert.equal(outcome.reason, 'invalid_transaction_state');
    assert.match(outcome.detail, /somebody else/);

    const cancelled = await chain.signAuthorization();
    await chain.cancelElsewhere(cancelled.nonce);
    const second = await settler.settle(cancelled);
    assert.ok(second.outcome === 'failed');
    assert.match(second.detail, /cancelled/);
  });

  it("fails with the token's reason when the money is not there any more", async () => {
    assert.ok(poor);
    await chain.fund(poor.address, 15_000n);
    const payments = await Promise.all([1, 2].map(() => chain.signAuthorization({ signer: poor })));
    const outcomes = await Promise.all(payments.map((payment) => settler.settle(payment)));
    assert.equal(outcomes[0]?.outcome, 'settled');
    assert.ok(outcomes[1]?.outcome === 'failed');
    assert.equal(outcomes[1].reason, 'insufficient_funds');
  });

  it('fails when the authorization has expired', async () => {
    const outcome = await settler.settle(await chain.signAuthorization({ validBefore: chain.now() - 1n }));
    assert.ok(outcome.outcome === 'failed');
    assert.equal(outcome.reason, 'invalid_exact_evm_payload_authorization_valid_before');
  });

  it('sends nothing for a payment to somebody else', async () => {
    const nonce = await nonceOf(chain.relayer.address);
    const outcome = await settler.settle(await chain.signAuthorization({ to: someoneElse }));
    assert.ok(outcome.outcome === 'failed');
    assert.equal(outcome.reason, 'invalid_exact_evm_payload_recipient_mismatch');
    assert.equal(await nonceOf(chain.relayer.address), nonce);
  });

  it('does not know the outcome while the receipt cannot be seen', async () => {
    const { flaky } = await rig.createFlakySettler(
      (method) => (method === 'eth_getTransactionReceipt' ? 'lost_answer' : withoutWaiting(method)),
      { timeoutMs: 200 },
    );
    const payment = await chain.signAuthorization();
    assert.equal((await flaky.settle(payment)).outcome, 'unknown');
    const later = await settler.settle(payment);
    assert.equal(later.outcome, 'settled', 'and a later look finds that it was paid');
  });
});
