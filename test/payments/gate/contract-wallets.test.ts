import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import type { TestAccount } from '../../../src/payments/chain/well-known-accounts.js';
import type { PaymentChanges } from '../../support/pay.js';
import { delegate, inWalletForm, newAccount, placeWallet } from '../../support/wallets.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, type Shop } from '../shop.js';
import { payWithProof } from '../sign-in.js';

const path = '/api/deals/hot';
const wrongSignature = 'invalid_exact_evm_payload_signature';
const checksPerMinute = 5;

describe('a payer that is a contract', () => {
  let shop: Shop;
  let owner: TestAccount;
  let wallet: Hex;
  let minute = 0;

  before(async () => {
    shop = await openShop({ environment: { WALLET_CHECKS_PER_ADDRESS: `${checksPerMinute}` } });
    owner = newAccount();
    wallet = await placeWallet(shop.chain, owner);
  });
  beforeEach(() => shop.advance(60 * ++minute));
  afterEach(() => shop.mend());
  after(() => shop.close());

  /** Signed for the service's clock, which each test moves, and for the chain's. */
  function sign(changes: PaymentChanges): Promise<string> {
    const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
    return shop.sign(path, {
      signer: owner,
      from: wallet,
      validBefore: nowSeconds + BigInt(60 * minute) + 240n,
      ...changes,
    });
  }

  /** How often the chain was asked for a wallet's opinion, while nothing else is going on. */
  async function countQuestions(work: () => Promise<unknown>): Promise<number> {
    let questions = 0;
    const origin = new URL(shop.chain.rpcUrl).origin;
    const count = (message: unknown): void => {
      if ((message as { request: { origin: string } }).request.origin === origin) questions += 1;
    };
    subscribe('undici:request:create', count);
    await work();
    unsubscribe('undici:request:create', count);
    return questions;
  }

  /** Refused before the settler or the ledger hears of it. */
  async function assertTurnedAway(header: string, error = wrongSignature): Promise<Answer> {
    const before = shop.handlerRuns();
    shop.faults.settler.verify = () => assert.fail('the settler must not be asked');
    shop.faults.ledger.find = () => assert.fail('the ledger must not be asked');
    const answer = await shop.pay(path, header);
    assertRefused(answer, 402, 'payment_invalid', error);
    assert.equal(shop.handlerRuns(), before, 'the handler must not run');
    shop.faults.settler = {};
    shop.faults.ledger = {};
    assert.equal(await shop.rowOf(header), undefined);
    return answer;
  }

  /** Uses up what this address may ask in a minute. */
  async function exhaustLane(): Promise<void> {
    for (let junk = 0; junk <= checksPerMinute; junk++) {
      await shop.pay(path, await sign({ signer: newAccount(), alter: inWalletForm }));
    }
  }

  it('buys with a signature that only its contract understands (ERC-1271): one settlement', async () => {
    const header = await sign({ alter: inWalletForm });
    assertPaid(await shop.pay(path, header));
    assertRefused(await shop.pay(path, header), 402, 'payment_already_used');
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('buys with a signature of 65 bytes that its owner has made', async () => {
    const header = await sign({});
    assertPaid(await shop.pay(path, header));
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('settles once for ten copies at once', async () => {
    const header = await sign({ alter: inWalletForm });
    // The lane is narrow: the first copy opens it for the others.
    shop.faults.settler.verify = async () => ({ verdict: 'unavailable', by: 'chain', detail: 'not yet' });
    assertRefused(await shop.pay(path, header), 503, 'chain_unavailable');
    shop.faults.settler = {};
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.pay(path, header)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('is nobody who cannot make its contract say so: a stranger, a plain account, no account at all', async () => {
    await assertTurnedAway(await sign({ signer: newAccount(), alter: inWalletForm }));
    await assertTurnedAway(await sign({ from: shop.chain.buyer.address }));
    await assertTurnedAway(await sign({ from: newAccount().address, alter: inWalletForm }));
    await assertTurnedAway(await sign({ from: shop.chain.token }));
  });

  it('is refused when its contract burns all gas that it is asked with', async () => {
    const hostile = await placeWallet(shop.chain, owner, true);
    await assertTurnedAway(await sign({ from: hostile }));
  });

  it('is told to deploy first when its signature is wrapped for a wallet that is not there (ERC-6492)', async () => {
    const header = await sign({
      alter: (payload) => {
        const inner = payload['payload'] as { signature: Hex };
        return { ...payload, payload: { ...inner, signature: `${inner.signature}${'6492'.repeat(16)}` } };
      },
    });
    const questions = await countQuestions(async () => {
      assert.match((await assertTurnedAway(header)).problem?.detail ?? '', /not deployed yet/);
    });
    assert.equal(questions, 0);
  });

  it('waits when too much was asked: 402 with the reason and without a question to the chain, a minute later it buys', async () => {
    await exhaustLane();
    const header = await sign({ alter: inWalletForm });
    const questions = await countQuestions(async () => {
      const answer = await assertTurnedAway(header);
      assert.match(answer.problem?.detail ?? '', /Send the same payment again later/);
      assert.equal(answer.problem?.payment, 'unknown');
      assert.ok(answer.headers.has('Retry-After'));
    });
    assert.equal(questions, 0);
    shop.advance(60);
    minute += 1;
    assertPaid(await shop.pay(path, header));
  });

  it('has what it paid for however many strangers ask: the same bytes need no second question', async () => {
    const header = await sign({ alter: inWalletForm });
    shop.faults.settler.settle = async (authorization, attempt) => {
      await shop.real.settler.settle(authorization, attempt);
      return { outcome: 'unknown', detail: 'the answer was lost' };
    };
    assertRefused(await shop.pay(path, header), 503, 'settlement_unknown');
    shop.faults.settler = {};
    await exhaustLane();
    assertPaid(await shop.pay(path, header));
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('gets what somebody else has settled for it; who only saw that gets nothing', async () => {
    const header = await sign({ alter: inWalletForm });
    const authorization = shop.authorizationOf(header);
    await shop.chain.submitElsewhere(authorization);
    const { nonce } = authorization;
    await assertTurnedAway(await sign({ nonce, signer: newAccount(), alter: inWalletForm }));
    assertPaid(await payWithProof(shop, path, header, { signer: owner, from: wallet }));
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('is told to pay from an account without code once a transfer of it has failed on the chain', async () => {
    const failing = await placeWallet(shop.chain, owner);
    shop.faults.settler.settle = async (authorization, attempt) => {
      await shop.chain.setPaused(true);
      return shop.real.settler.settle(authorization, attempt);
    };
    assertRefused(await shop.pay(path, await sign({ from: failing })), 402, 'settlement_failed');
    await shop.chain.setPaused(false);
    shop.mend();
    shop.advance(60 * minute);
    const answer = await shop.pay(path, await sign({ from: failing }));
    assertRefused(answer, 402, 'payment_invalid', 'invalid_transaction_state');
    assert.match(
      answer.problem?.detail ?? '',
      /^A transfer of this account failed on chain\. Pay from an account without code, or after 20/,
    );
    assertPaid(await shop.pay(path, await sign({})));
  });

  it('buys as a plain account with code of its own (EIP-7702), signed by its key in either form', async () => {
    const account = newAccount();
    await delegate(shop.chain, account, wallet);
    assert.match(await shop.chain.ask<string>('eth_getCode', [account.address, 'latest']), /^0xef0100/);
    await shop.chain.fund(account.address);
    for (const alter of [undefined, inWalletForm]) {
      const header = await sign({ signer: account, from: account.address, ...(alter ? { alter } : {}) });
      assertPaid(await shop.pay(path, header));
      assert.equal(await shop.settlementsOf(header), 1);
    }
  });

  it('is refused by the token when its code knows no signatures (EIP-7702), before anything is written', async () => {
    const account = newAccount();
    await delegate(shop.chain, account, shop.chain.token);
    await shop.chain.fund(account.address);
    const header = await sign({ signer: account, from: account.address });
    const runs = shop.handlerRuns();
    assertRefused(await shop.pay(path, header), 402, 'payment_invalid', wrongSignature);
    assert.deepEqual([shop.handlerRuns(), await shop.rowOf(header)], [runs, undefined]);
  });
});
