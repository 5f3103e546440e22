import assert from 'node:assert/strict';
import { numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Database } from '../../../src/db/database.js';
import { lowerHex, type Hex } from '../../../src/payments/chain/eip3009.js';
import type { RelayerStore } from '../../../src/payments/settlement/relayer/relayer-store.js';
import { createTransactionSigner } from '../../../src/payments/settlement/relayer/transmitter.js';
import { takenOver as takenOverBy } from '../../../src/payments/settlement/settler.js';
import type { TestChain } from '../../support/chain.js';
import { createHeardSettler, openKeptRig, type SettlerRig } from './settler-rig.js';

const penniless: Hex = `0x${'79'.repeat(32)}`;
const pennilessAddress = privateKeyToAccount(penniless).address;
const refused: Hex = `0x${'7a'.repeat(32)}`;
const refusedAddress = privateKeyToAccount(refused).address;
const takenOver = takenOverBy({ operationId: 'listDeals', resource: '', leaseOwner: 'owner' });

describe('a relayer whose store does not answer', () => {
  let chain: TestChain;
  let rig: SettlerRig;
  let database: Database;
  let store: RelayerStore;

  before(async () => {
    ({ chain, database, rig, store } = await openKeptRig(({ relayer }) => [
      relayer.address,
      pennilessAddress,
      refusedAddress,
    ]));
  });
  afterEach(() => rig.close());
  after(async () => {
    await chain.stop();
    await database.close();
  });

  it('does not know the outcome when what was not sent may still be in the store', async () => {
    const away = () => Promise.reject(new Error('the database is gone'));
    const settler = rig.createSettler({ store: { ...store, keep: away, forget: away } });
    assert.equal((await settler.settle(await chain.signAuthorization())).outcome, 'unknown');
  });

  it('sends what may be in the store once that answers again, though nobody pays', async () => {
    const { sent, flaky } = await createHeardSettler(rig, 1, {
      store: {
        ...store,
        async keep(...args) {
          await store.keep(...args);
          throw new Error('the answer is lost');
        },
        forget: () => Promise.reject(new Error('the database is gone')),
      },
    });
    assert.equal((await flaky.settle(await chain.signAuthorization())).outcome, 'unknown');
    await sent;
  });

  it('sends what its store took longer than five seconds to keep only once it finds it there', async () => {
    let [aheadMs, isListed] = [0, false];
    const { sent, flaky } = await createHeardSettler(rig, 1, {
      nowMs: () => performance.now() + aheadMs,
      store: {
        ...store,
        async keep(...args) {
          const isKept = await store.keep(...args);
          aheadMs = 5_001;
          isListed = false;
          return isKept;
        },
        async list(...args) {
          isListed = true;
          return store.list(...args);
        },
      },
    });
    assert.equal((await flaky.settle(await chain.signAuthorization())).outcome, 'unknown');
    await sent;
    assert.ok(isListed);
  });

  it('cannot sell once it has not known for half a minute what was left in flight', async () => {
    let nowMs = 0;
    let answer: () => void = () => undefined;
    const listed = new Promise<[]>((resolve) => (answer = () => resolve([])));
    const settler = rig.createSettler({
      store: { ...store, list: () => listed },
      nowMs: () => nowMs,
    });
    settler.start();
    nowMs = 29_000;
    assert.equal(settler.why(), undefined);
    nowMs = 30_000;
    assert.match(settler.why() ?? '', /has waited half a minute/);
    answer();
  });

  it('cannot sell from half a minute after it began to look, also where it then finds something in flight', async () => {
    let nowMs = 0;
    let markListed: () => void = () => undefined;
    const listed = new Promise<void>((resolve) => (markListed = resolve));
    const signer = createTransactionSigner(chain.relayer.privateKey, chain.network.chainId);
    const fees = { maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n };
    // It waits for a nonce that nobody fills.
    const { hash, raw } = await signer.sign({ to: signer.address, data: '0x', gas: 21_000n }, 1_000, fees);
    const left = { nonce: 1_000, hash, raw, carries: [], giveUpInMs: 300_000 };
    async function list() {
      nowMs = 29_000;
      setImmediate(markListed);
      return [left];
    }
    const settler = rig.createSettler({ store: { ...store, list, keep: async () => false }, nowMs: () => nowMs });
    settler.start();
    await listed;
    nowMs = 30_000;
    assert.match(settler.why() ?? '', /has waited half a minute/);
  });

  it('gives the nonce of a payment that was refused to no other: a copy of the store may have it so', async () => {
    const settler = rig.createSettler({ store, relayerKey: refused });
    const payment = await chain.signAuthorization();
    const outcome = await settler.settle(payment);
    assert.ok(outcome.outcome === 'failed' && outcome.reason === 'unexpected_settle_error');
    assert.match(settler.why() ?? '', /has run out of gas money/, 'it cannot sell at once');
    await chain.ask('anvil_setBalance', [refusedAddress, numberToHex(10n ** 18n)]);
    assert.equal((await settler.settle(await chain.signAuthorization())).outcome, 'settled');
    assert.deepEqual(await Promise.all([0, 1].map((nonce) => isNothing(refusedAddress, nonce))), [true, false]);
    const found = await store.findLast({ payer: lowerHex(payment.from), nonce: payment.nonce });
    assert.equal(found, undefined, 'whoever takes the payment over signs anew');
  });

  it('never sends what it may have forgotten: its payment may be signed for anew', async () => {
    const forget: RelayerStore['forget'] = async (...args) => {
      await store.forget(...args);
      throw new Error('the answer is lost');
    };
    const settler = rig.createSettler({ store: { ...store, forget }, relayerKey: penniless });
    const payment = await chain.signAuthorization();
    assert.equal((await settler.settle(payment)).outcome, 'unknown');
    await chain.ask('anvil_setBalance', [pennilessAddress, numberToHex(10n ** 18n)]);
    assert.equal((await rig.createSettler({ store }).settle(payment, takenOver)).outcome, 'settled');
    assert.equal((await settler.settle(await chain.signAuthorization())).outcome, 'settled');
    assert.ok(await isNothing(pennilessAddress, 0));
  });

  async function isNothing(address: Hex, nonce: number): Promise<boolean> {
    const sent = await chain.ask<{ readonly input: Hex }>('eth_getTransactionBySenderAndNonce', [
      address,
      numberToHex(nonce),
    ]);
    return sent.input === '0x';
  }
});
