import assert from 'node:assert/strict';
import { numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { lowerHex, type Authorization, type Hex } from '../../../src/payments/chain/eip3009.js';
import type { Database } from '../../../src/db/database.js';
import type { RelayerStore } from '../../../src/payments/settlement/relayer/relayer-store.js';
import { takenOver as takenOverBy } from '../../../src/payments/settlement/settler.js';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import type { TestChain } from '../../support/chain.js';
import { buildClaim } from '../ledger/build-claim.js';
import { createHeardSettler, openKeptRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';

const otherKey: Hex = `0x${'78'.repeat(32)}`;
const otherAddress = privateKeyToAccount(otherKey).address.toLowerCase() as Hex;
const penniless: Hex = `0x${'79'.repeat(32)}`;
const pennilessAddress = privateKeyToAccount(penniless).address;
const takenOver = takenOverBy({ operationId: 'listDeals', resource: '', leaseOwner: 'owner' });

describe('a relayer that starts after a crash', () => {
  let chain: TestChain;
  let rig: SettlerRig;
  let database: Database;
  let store: RelayerStore;

  before(async () => {
    // Recovery asks for no claim: nothing new is signed.
    ({ chain, database, rig, store } = await openKeptRig(({ relayer }) => [
      relayer.address,
      otherAddress,
      pennilessAddress,
    ]));
  });
  afterEach(() => rig.close());
  after(async () => {
    await chain.stop();
    await database.close();
  });

  const countNonces = () => chain.client.getTransactionCount({ address: chain.relayer.address });
  const received = () => chain.balanceOf(chain.payTo.address);

  /** A process that signs and keeps, and whose sending never reaches the node. */
  async function crashBeforeSending(payments: number): Promise<readonly Authorization[]> {
    let lost = 0;
    let markLost: () => void = () => undefined;
    const allLost = new Promise<void>((resolve) => (markLost = resolve));
    const { flaky } = await rig.createFlakySettler(
      (method) => {
        if (!method.startsWith('eth_sendRawTransaction')) return 'answered';
        if (method.endsWith('Sync') && ++lost === payments) markLost();
        return 'lost_request';
      },
      { store },
    );
    const signed = await Promise.all(Array.from({ length: payments }, () => chain.signAuthorization()));
    const settling = signed.map((payment) => flaky.settle(payment));
    await allLost;
    await flaky.close();
    const outcomes = await Promise.all(settling);
    assert.deepEqual(new Set(outcomes.map(({ outcome }) => outcome)), new Set(['unknown']));
    return signed;
  }

  /** Whatever was before it in the order of nonces is mined when this is. */
  async function settleOne(): Promise<void> {
    const settler = rig.createSettler({ store });
    settler.start();
    assert.equal((await settler.settle(await chain.signAuthorization())).outcome, 'settled');
  }

  it('sends what was kept and never sent', async () => {
    const [nonces, money] = [await countNonces(), await received()];
    await crashBeforeSending(3);
    await settleOne();
    assert.equal(await countNonces(), nonces + 4);
    assert.equal((await received()) - money, 40_000n);
  });

  it('sends what was kept where the node was away at its start, though nobody pays', async function () {
    this.timeout(30_000);
    await crashBeforeSending(1);
    let failures = 2;
    let markSent: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => (markSent = resolve));
    const { flaky } = await rig.createFlakySettler(
      (method) => {
        if (method === 'eth_getTransactionCount' && failures-- > 0) return 'lost_request';
        if (method.startsWith('eth_sendRawTransaction')) markSent();
        return 'answered';
      },
      { store },
    );
    flaky.start();
    await sent;
  });

  it('brings a payment that is taken over to its end, though nothing else has woken its watch', async () => {
    const [payment] = await crashBeforeSending(1);
    assert.ok(payment);
    const settler = rig.createSettler({ store, timeoutMs: 10_000 });
    assert.equal((await settler.settle(payment, takenOver)).outcome, 'settled');
  });

  it('settles a payment once whose transaction was sent and whose receipt nobody saw', async () => {
    const payment = await chain.signAuthorization();
    await chain.ask('evm_setAutomine', [false]);
    let markSent: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => (markSent = resolve));
    const { flaky } = await rig.createFlakySettler(
      (method) => {
        if (method.startsWith('eth_sendRawTransaction')) markSent();
        return 'answered';
      },
      { store },
    );
    const money = await received();
    const settling = flaky.settle(payment);
    await sent;
    await flaky.close();
    assert.equal((await settling).outcome, 'unknown');
    await chain.ask('evm_setAutomine', [true]);
    await settleOne();
    const again = await rig.createSettler({ store }).settle(payment);
    assert.equal(again.outcome, 'settled');
    assert.equal((await received()) - money, 20_000n);
  });

  it('signs nothing new for a payment that was taken over while its transaction can still be mined', async () => {
    const payment = await chain.signAuthorization();
    let isDown = true;
    const { flaky } = await rig.createFlakySettler(
      (method) => (isDown && method.startsWith('eth_sendRawTransaction') ? 'lost_request' : 'answered'),
      { store, timeoutMs: 1_500 },
    );
    assert.equal((await flaky.settle(payment)).outcome, 'unknown');
    await flaky.close();
    isDown = false;
    const [first, second] = [rig.createSettler({ store }), rig.createSettler({ store, relayerKey: otherKey })];
    const money = await received();
    const outcome = await second.settle(payment, takenOver);
    assert.ok(outcome.outcome === 'settled');
    assert.equal((await first.settle(payment, takenOver)).outcome, 'settled');
    const { from } = await chain.client.getTransaction({ hash: outcome.transaction });
    assert.equal(from, chain.relayer.address.toLowerCase(), 'the bytes of the first are sent, not new ones');
    assert.equal((await received()) - money, 10_000n);
    assert.equal((await store.list(privateKeyToAccount(otherKey).address, 0)).length, 0);
  });

  it('signs anew for a payment that was taken over once its transaction can never be mined', async () => {
    const payment = await chain.signAuthorization();
    const { flaky } = await rig.createFlakySettler(
      (method) => (method.startsWith('eth_sendRawTransaction') ? 'lost_request' : 'answered'),
      { store, timeoutMs: 1_500 },
    );
    assert.equal((await flaky.settle(payment)).outcome, 'unknown');
    await flaky.close();
    await chain.send(chain.relayer.address, otherAddress, '0x');
    await chain.ask('anvil_setBalance', [otherAddress, numberToHex(10n ** 18n)]);
    const startMs = performance.now();
    const hasty = rig.createSettler({
      store,
      relayerKey: otherKey,
      // The time that is granted to a receipt passes more quickly.
      nowMs: () => startMs + (performance.now() - startMs) * 10,
      timeoutMs: 300_000,
    });
    const outcome = await hasty.settle(payment, takenOver);
    assert.ok(outcome.outcome === 'settled');
    const { from } = await chain.client.getTransaction({ hash: outcome.transaction });
    assert.equal(from, otherAddress);
  });

  it('never sends again what has failed on the chain, and gives its nonce to a transfer of nothing', async () => {
    const [nonces, money] = [await countNonces(), await received()];
    const [failed] = await crashBeforeSending(1);
    assert.ok(failed);
    const ledger = createLedgerStore(database.knex);
    await database.knex('feed_versions').insert({ feed: 'deals', version: 7, published_at: new Date() });
    const { id: network, asset } = chain.network;
    const claim = buildClaim({ network, asset: lowerHex(asset), payer: lowerHex(failed.from), nonce: failed.nonce });
    assert.equal((await ledger.claim(claim)).kind, 'claimed');
    await ledger.release(claim, 'owner', 'failed', { gas: 50_000n, burnedShared: false });
    await settleOne();
    assert.equal(await countNonces(), nonces + 2);
    assert.equal((await received()) - money, 10_000n);
    assert.equal((await findTransaction(nonces)).input, '0x');
  });

  it('fills the gap below what was kept with a transfer of nothing', async () => {
    const nonce = await countNonces();
    await crashBeforeSending(2);
    await database.knex('relayer_transactions').where({ nonce }).delete();
    await settleOne();
    assert.equal(await countNonces(), nonce + 3);
    const filler = await findTransaction(nonce);
    assert.equal(filler.to, chain.relayer.address.toLowerCase());
    assert.equal(filler.value, '0x0');
    assert.equal(filler.input, '0x');
  });

  it('replaces what the node will not have any more, since the base fee has risen above it', async () => {
    const [nonce, money] = [await countNonces(), await received()];
    await crashBeforeSending(1);
    await chain.ask('anvil_setNextBlockBaseFeePerGas', [numberToHex(20n * 10n ** 9n)]);
    await chain.mineBlocks();
    await settleOne();
    assert.equal(await countNonces(), nonce + 2);
    assert.equal((await received()) - money, 20_000n);
    await chain.ask('anvil_setNextBlockBaseFeePerGas', [numberToHex(10n ** 9n)]);
    await chain.mineBlocks();
  });

  it('never sends what surely was not sent before', async () => {
    const settler = rig.createSettler({ store, relayerKey: penniless });
    assert.equal((await settler.settle(await chain.signAuthorization())).outcome, 'failed');
    assert.deepEqual(await store.list(privateKeyToAccount(penniless).address, 0), []);
  });

  it('follows what was kept, though it could not be replaced at first', async () => {
    await crashBeforeSending(1);
    await chain.ask('anvil_setNextBlockBaseFeePerGas', [numberToHex(20n * 10n ** 9n)]);
    await chain.mineBlocks();
    let failures = 1;
    const startMs = performance.now();
    // Refused, and not replaced; then replaced.
    const { sent, flaky } = await createHeardSettler(rig, 2, {
      store: {
        ...store,
        keep: (...args) => (failures-- > 0 ? Promise.reject(new Error('the database is gone')) : store.keep(...args)),
      },
      nowMs: () => startMs + (performance.now() - startMs) * 10,
      timeoutMs: 300_000,
    });
    assert.equal((await flaky.settle(await chain.signAuthorization())).outcome, 'failed');
    await sent;
    await chain.ask('anvil_setNextBlockBaseFeePerGas', [numberToHex(10n ** 9n)]);
    await chain.mineBlocks();
  });

  async function findTransaction(nonce: number, from = chain.relayer.address): Promise<Transaction> {
    return chain.ask('eth_getTransactionBySenderAndNonce', [from, numberToHex(nonce)]);
  }
});

interface Transaction {
  readonly to: Hex;
  readonly value: Hex;
  readonly input: Hex;
}
