import assert from 'node:assert/strict';
import { setImmediate as soon } from 'node:timers/promises';
import { encodeFunctionData, numberToHex } from 'viem';
import { createAuthorizationVerifier, type Authorization, type Hex } from '../../../src/payments/chain/eip3009.js';
import { multicall3Address } from '../../../src/wire/networks.js';
import { tokenAbi } from '../../../src/payments/chain/token-abi.js';
import { wellKnownAccounts } from '../../../src/payments/chain/well-known-accounts.js';
import type { TransactionOutcome } from '../../../src/payments/settlement/relayer/nonce-book.js';
import { createSettlementWindow } from '../../../src/payments/settlement/relayer/settlement-window.js';
import type { SettleOutcome } from '../../../src/payments/settlement/settler.js';
import { startTestChain } from '../../support/chain.js';
import type { TestChain } from '../../support/chain.js';
import { createSettlerRig } from './settler-rig.js';
import type { SettlerRig } from './settler-rig.js';

const [, , , , poor, burner] = wellKnownAccounts;
const wallet: Hex = '0x00000000000000000000000000000000000a11e7';
const consentingWallet: Hex = '0x631626ba7e60e01b60005260206000f3';
/** JUMPDEST PUSH0 JUMP: until the gas is gone. */
const burningCode: Hex = '0x5b5f56';
const stranger: Hex = '0x00000000000000000000000000000000000057a6';
const shared = { mayShare: true, gas: undefined };
const settings = { windowMs: 100, maxItems: 20 };

describe('createSettlementWindow', () => {
  let chain: TestChain;
  let rig: SettlerRig;

  before(async () => {
    chain = await startTestChain();
    rig = await createSettlerRig(chain);
  });
  afterEach(() => rig.close());
  after(() => chain.stop());

  const signMany = (count: number): Promise<Authorization[]> =>
    Promise.all(Array.from({ length: count }, () => chain.signAuthorization()));
  const transactionsOf = (outcomes: readonly SettleOutcome[]): Set<Hex> =>
    new Set(outcomes.flatMap((each) => (each.outcome === 'settled' ? [each.transaction] : [])));
  /** With their details, which tell what went wrong. */
  const unsettledOf = (outcomes: readonly SettleOutcome[]): SettleOutcome[] =>
    outcomes.filter(({ outcome }) => outcome !== 'settled');
  const receiptOf = (hash: Hex) => chain.client.getTransactionReceipt({ hash });

  it('settles twenty payments in one transaction, each for less than two thirds of the gas of one alone', async () => {
    const settler = rig.createSettler({ settings });
    // The first transfer to a new receiver costs more than all later ones.
    await settler.settle(await chain.signAuthorization());
    const alone = await settler.settle(await chain.signAuthorization());
    assert.ok(alone.outcome === 'settled');
    const payments = await signMany(20);
    const before = await chain.balanceOf(chain.payTo.address);
    const transactions = transactionsOf(await Promise.all(payments.map((payment) => settler.settle(payment))));
    assert.equal(transactions.size, 1);
    assert.equal((await chain.balanceOf(chain.payTo.address)) - before, 200_000n);
    const [hash] = transactions;
    assert.ok(hash);
    const [together, single] = await Promise.all([receiptOf(hash), receiptOf(alone.transaction)]);
    assert.equal(together.to, multicall3Address.toLowerCase());
    const share = Number(together.gasUsed) / 20 / Number(single.gasUsed);
    assert.ok(share <= 0.65, `each uses ${share} of the gas of one alone`);
  });

  it('sends a payment that comes alone to the token itself', async () => {
    const outcome = await rig.createSettler({ settings }).settle(await chain.signAuthorization());
    assert.ok(outcome.outcome === 'settled');
    assert.equal((await receiptOf(outcome.transaction)).to, chain.token.toLowerCase());
  });

  it('puts no more payments into a transaction than it may', async () => {
    const settler = rig.createSettler({ settings: { ...settings, maxItems: 5 } });
    const payments = await signMany(12);
    const outcomes = await Promise.all(payments.map((payment) => settler.settle(payment)));
    assert.deepEqual(unsettledOf(outcomes), []);
    assert.equal(transactionsOf(outcomes).size, 3);
  });

  it('tells by the logs what became of each payment in a transaction that succeeds', async () => {
    assert.ok(poor);
    const [cancelled, overtaken, ...good] = await signMany(18);
    assert.ok(cancelled && overtaken);
    const unfunded = await chain.signAuthorization({ signer: poor });
    const expired = await chain.signAuthorization({ validBefore: chain.now() - 1n });
    await chain.cancelElsewhere(cancelled.nonce);
    await chain.ask('evm_setAutomine', [false]);
    const elsewhere = await sendWithoutWaiting(overtaken);
    const { flaky } = await rig.createFlakySettler(
      (method) => {
        if (method === 'eth_sendRawTransactionSync') void mineAndGoOn();
        return 'answered';
      },
      { settings },
    );
    const payments = [cancelled, overtaken, unfunded, expired, ...good];
    const outcomes = await Promise.all(payments.map((payment) => flaky.settle(payment)));
    assert.deepEqual(
      outcomes.slice(0, 4).map((each) => (each.outcome === 'failed' ? each.reason : each.outcome)),
      [
        'invalid_transaction_state',
        'settled',
        'insufficient_funds',
        'invalid_exact_evm_payload_authorization_valid_before',
      ],
    );
    assert.ok(outcomes[1]?.outcome === 'settled');
    assert.equal(outcomes[1].transaction, elsewhere, 'in the same block, and first');
    const [ours, ...more] = transactionsOf(outcomes.slice(4));
    assert.ok(ours && more.length === 0 && outcomes.slice(4).every(({ outcome }) => outcome === 'settled'));
    const [mine, theirs] = await Promise.all([receiptOf(ours), receiptOf(elsewhere)]);
    assert.equal(mine.status, 'success');
    assert.equal(mine.blockNumber, theirs.blockNumber);
  });

  it('settles one by one what a payer with code has burned the gas of', async () => {
    assert.ok(burner);
    await chain.fund(burner.address);
    await chain.ask('anvil_setCode', [burner.address, burningCode]);
    const burning = await chain.signAuthorization({ signer: burner });
    const good = await signMany(9);
    const settler = rig.createSettler({ settings });
    const [first, ...others] = await Promise.all([burning, ...good].map((payment) => settler.settle(payment)));
    assert.equal(first?.outcome, 'failed');
    assert.deepEqual(unsettledOf(others), []);
    assert.equal(transactionsOf(others).size, 9);
    await chain.ask('anvil_setCode', [burner.address, '0x']);
  });

  it('lets nobody share for an hour once a shared transaction has burned its gas', async () => {
    assert.ok(burner);
    await chain.ask('anvil_setCode', [burner.address, burningCode]);
    let skewMs = 0;
    const settler = rig.createSettler({ settings, nowMs: () => performance.now() + skewMs });
    const burning = await chain.signAuthorization({ signer: burner });
    await Promise.all([burning, ...(await signMany(2))].map((payment) => settler.settle(payment)));
    await chain.ask('anvil_setCode', [burner.address, '0x']);
    const settleMany = async () =>
      transactionsOf(await Promise.all((await signMany(3)).map((payment) => settler.settle(payment)))).size;
    assert.equal(await settleMany(), 3);
    skewMs = 3_600_000;
    assert.equal(await settleMany(), 1);
  });

  it('has eight shared transactions in flight at most: the payments of more wait, and share the next', async () => {
    let ends: (() => void)[] = [];
    const sizes: string[] = [];
    const relayer = {
      isIdle: () => false,
      send: ({ claims }: { readonly claims: readonly unknown[] }) => {
        sizes.push(`${claims.length}`);
        return new Promise<TransactionOutcome>((end) => ends.push(() => end({ outcome: 'unknown', detail: '' })));
      },
    };
    const window = createSettlementWindow({
      ...{ relayer, asset: chain.token, windowMs: 1, maxItems: 2, nowMs: () => performance.now() },
      verifier: await createAuthorizationVerifier(chain.domain),
    });
    const item = { leaseOwner: 'owner', mayShare: true, gas: undefined, notAfterMs: Infinity };
    const sent = (await signMany(20)).map((authorization) => window.send({ ...item, authorization }));
    const alone = window.send({ ...item, authorization: await chain.signAuthorization(), mayShare: false });
    await soon();
    assert.deepEqual(sizes, ['1', ...Array<string>(8).fill('2')]);
    const first = ends;
    ends = [];
    for (const end of first) end();
    await alone;
    await soon();
    assert.deepEqual(sizes.slice(9), ['2', '2']);
    for (const end of ends) end();
    await Promise.all(sent);
  });

  for (const maxItems of [20, 100])
    it(`has what 160 shared transfers may burn in flight at most, in a burst of 1,000, ${maxItems} at a time`, async () => {
      const inFlight = new Set<bigint[]>();
      let most = 0n;
      const relayer = {
        isIdle: () => false,
        async send({ gas }: { readonly gas: bigint }): Promise<TransactionOutcome> {
          const sent = [gas];
          inFlight.add(sent);
          const sum = [...inFlight].flat().reduce((one, other) => one + other, 0n);
          if (sum > most) most = sum;
          await soon();
          inFlight.delete(sent);
          return { outcome: 'unknown', detail: '' };
        },
      };
      const window = createSettlementWindow({
        ...{ relayer, asset: chain.token, windowMs: 1, maxItems, nowMs: () => performance.now() },
        verifier: await createAuthorizationVerifier(chain.domain),
      });
      const item = { leaseOwner: 'owner', mayShare: true, gas: undefined, notAfterMs: Infinity };
      const authorization = await chain.signAuthorization();
      await Promise.all(Array.from({ length: 1_000 }, () => window.send({ ...item, authorization })));
      assert.ok(most > 0n && most <= 18_400_000n, `${most}`);
    });

  it('never lets a contract wallet share a transaction', async () => {
    await chain.fund(wallet);
    await chain.ask('anvil_setCode', [wallet, consentingWallet]);
    const contract = { ...(await chain.signAuthorization({ from: wallet })), signature: '0xc0ffee' } as const;
    const payments = [contract, ...(await signMany(3))];
    const settler = rig.createSettler({ settings });
    const verdict = await settler.verify(contract);
    assert.ok(verdict.verdict === 'good' && verdict.payerCode?.kind === 'some');
    const { gas } = verdict.payerCode;
    assert.ok(gas > 60_000n && gas < 200_000n, `${gas}`);
    const attempt = { operationId: 'listDeals', leaseOwner: 'owner', resource: '', isTakenOver: false };
    const outcomes = await Promise.all(
      payments.map((payment) =>
        settler.settle(payment, { ...attempt, ...(payment === contract ? { mayShare: false, gas } : shared) }),
      ),
    );
    const [own, ...others] = outcomes;
    assert.ok(own?.outcome === 'settled');
    assert.equal((await receiptOf(own.transaction)).to, chain.token.toLowerCase());
    assert.equal(transactionsOf(others).size, 1);
    assert.ok(!transactionsOf(others).has(own.transaction));
  });

  it('has sent nothing of what still waits when it is closed', async () => {
    const payment = await chain.signAuthorization();
    const settler = rig.createSettler({ settings });
    const settling = settler.settle(payment);
    await settler.close();
    assert.equal((await settling).outcome, 'unknown', 'the chain is not asked any more');
    assert.equal((await rig.createSettler().verify(payment)).verdict, 'good');
  });

  /** By a stranger who offers the block more than we do. */
  async function sendWithoutWaiting({ signature, ...payment }: Authorization): Promise<Hex> {
    const { from, to, value, validAfter, validBefore, nonce } = payment;
    const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transferWithAuthorization', args });
    await chain.ask('anvil_setBalance', [stranger, numberToHex(10n ** 18n)]);
    await chain.ask('anvil_impersonateAccount', [stranger]);
    const fees = { maxFeePerGas: numberToHex(10n ** 11n), maxPriorityFeePerGas: numberToHex(10n ** 10n) };
    return chain.ask('eth_sendTransaction', [{ from: stranger, to: chain.token, data, gas: '0x61a80', ...fees }]);
  }

  /** Once the transaction that is on its way has reached the node. */
  async function mineAndGoOn(): Promise<void> {
    let pending = 0;
    while (pending < 2) {
      const pool = await chain.ask<{ pending: Hex }>('txpool_status');
      pending = Number(pool.pending);
    }
    await chain.mineBlocks();
    await chain.ask('evm_setAutomine', [true]);
  }
});
