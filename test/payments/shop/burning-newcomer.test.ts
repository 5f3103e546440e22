import assert from 'node:assert/strict';
import type { TestAccount } from '../../../src/payments/chain/well-known-accounts.js';
import { createAccount } from '../../support/chain.js';
import { askPrice, signPayment, type ChallengeBody } from '../../support/pay.js';
import { startSepoliaApp, type SepoliaApp } from '../../support/sepolia-app.js';
import { assertPaid, assertRefused, readAnswer, type Answer } from '../answer.js';
import { authorizationIn } from '../shop.js';

const path = '/api/deals';
/** JUMPDEST PUSH0 JUMP: until the gas is gone. */
const burningCode = '0x5b5f56';
const known = 10;
/** The fourth comes when more has burned than FAILED_GAS_PER_HOUR. */
const rounds = 4;
/** Gas differs with the zeros in signatures. */
const sameGas = 0.02;

/** What happened in one block. */
interface Round {
  readonly newcomer: Answer;
  /** The blocks until each known payer was served. */
  readonly blocks: readonly number[];
  /** Of the transactions of the known payers: how many of them it carries, and its gas for each. */
  readonly transactions: readonly { readonly items: number; readonly gas: number }[];
}

describe('ten known payers in one block with a newcomer', () => {
  let service: SepoliaApp;
  let challenge: ChallengeBody;
  const payers: TestAccount[] = [];
  const quiet: Round[] = [];
  const burning: Round[] = [];

  before(async () => {
    // A transaction is full, and leaves, when all of them are in it.
    const environment = { SETTLE_BATCH_SIZE: `${known}`, SETTLE_BATCH_WINDOW_MS: '5000', FEE_BUMP_SECONDS: '600' };
    service = await startSepoliaApp('https://deals.example', { environment });
    challenge = await askPrice(service.app.url + path);
    for (let count = 0; count < known; count++) payers.push(await open());
    for (const answer of await Promise.all(payers.map((each) => sign(each).then(pay)))) assertPaid(answer);
    const earlier = new Date(Date.now() - 2 * 3_600_000);
    await service.app.database.knex('payments').update({ claimed_at: earlier, settled_at: earlier });
    await service.chain.ask('evm_setAutomine', [false]);
    for (let round = 0; round < rounds; round++) quiet.push(await runRound(false));
    for (let round = 0; round < rounds; round++) burning.push(await runRound(true));
  });
  after(() => service?.stop());

  async function open(): Promise<TestAccount> {
    const account = createAccount();
    await service.chain.fund(account.address);
    return account;
  }

  const sign = (signer: TestAccount) => signPayment(structuredClone(challenge), { signer });
  const pay = async (header: string): Promise<Answer> =>
    readAnswer(await fetch(service.app.url + path, { headers: { 'PAYMENT-SIGNATURE': header } }));

  /** Resolves when all of these wait to be mined, or one is answered before. */
  async function untilSent(headers: readonly string[], answers: readonly Promise<Answer>[]): Promise<void> {
    const nonces = headers.map((header) => authorizationIn(header).nonce.slice(2));
    let isAnswered = false;
    for (const each of answers) void each.finally(() => (isAnswered = true));
    for (let pool = ''; !isAnswered && !nonces.every((nonce) => pool.includes(nonce));)
      pool = JSON.stringify(await service.chain.ask('txpool_content'));
  }

  /** The newcomer's transaction is the first in the block; the gas is burned where it gains code once it is sent. */
  async function runRound(burns: boolean): Promise<Round> {
    const { chain } = service;
    const account = await open();
    const headers = await Promise.all(payers.map(sign));
    const start = await chain.client.getBlockNumber();
    const first = await sign(account);
    const paying = pay(first);
    await untilSent([first], [paying]);
    const serving = headers.map(pay);
    await untilSent(headers, serving);
    if (burns) await chain.ask('anvil_setCode', [account.address, burningCode]);
    await chain.ask('evm_mine');
    const [newcomer, answers] = await Promise.all([paying, Promise.all(serving)]);
    answers.forEach(assertPaid);
    const receipts = await Promise.all(
      answers.map(({ settlement }) =>
        chain.client.getTransactionReceipt({ hash: settlement?.transaction as `0x${string}` }),
      ),
    );
    const hashes = new Set(receipts.map(({ transactionHash }) => transactionHash));
    return {
      newcomer,
      blocks: receipts.map(({ blockNumber }) => Number(blockNumber - start)),
      transactions: [...hashes].map((hash) => {
        const own = receipts.filter(({ transactionHash }) => transactionHash === hash);
        return { items: own.length, gas: Number(own[0]?.gasUsed) / own.length };
      }),
    };
  }

  it('who pays: all are served with the next block', () => {
    for (const { newcomer, blocks } of quiet) {
      assertPaid(newcomer);
      assert.deepEqual(new Set(blocks), new Set([1]));
    }
  });

  it('who burns all the gas that it gets: they wait no block longer, and all of them are served', () => {
    for (const { newcomer, blocks } of burning) {
      assertRefused(newcomer, 402, 'settlement_failed');
      assert.deepEqual(new Set(blocks), new Set([1]));
    }
  });

  it('who burns: they go on sharing, and each costs the gas that it costs beside one who pays', () => {
    const gasOf = new Map(quiet.flatMap(({ transactions }) => transactions.map(({ items, gas }) => [items, gas])));
    assert.ok(gasOf.has(known), 'all in one transaction');
    for (const { items, gas } of burning.flatMap(({ transactions }) => transactions)) {
      const before = gasOf.get(items) ?? gas;
      assert.ok(Math.abs(gas / before - 1) < sameGas, `${gas} beside ${before}`);
    }
    assert.ok(burning.every(({ transactions }) => transactions.some(({ items }) => items > 1)));
  });

  it('who burns: what burned is on its own row alone, and beyond the budget of an hour', async () => {
    const failed = await service.app.database.knex('payments').whereNotNull('failed_at').select('failed_gas');
    assert.equal(failed.length, rounds);
    const burned = failed.reduce((sum, row) => sum + Number((row as { failed_gas: string }).failed_gas), 0);
    assert.ok(burned > 1_000_000, `${burned}`);
  });
});
