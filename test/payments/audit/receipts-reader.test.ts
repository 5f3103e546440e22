import assert from 'node:assert/strict';
import { verifyReceiptSignatureEIP712 } from '@x402/extensions/offer-receipt';
import { pino } from 'pino';
import type { Database } from '../../../src/db/database.js';
import { receiptSigner } from '../../../src/demo/chain/accounts.js';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import type { Claim } from '../../../src/payments/ledger/ledger.js';
import { createOfferReceiptIssuer } from '../../../src/payments/offer-receipt.js';
import { createReceiptOf, encodeSettled, type ReceiptOf } from '../../../src/payments/payment-response.js';
import { createReceiptsReader, type PaymentReceipt } from '../../../src/payments/audit/receipts-reader.js';
import { stopDatabaseClock } from '../../support/database-clock.js';
import { openTestDatabase } from '../../support/database.js';
import { after as later, buildClaim, buildSettlement, claimedAt, randomHex } from '../ledger/build-claim.js';

describe('the receipts of a payer', () => {
  let database: Database;
  let receiptOf: ReceiptOf;
  const payer = randomHex(20);
  const transaction = randomHex(32);

  before(async () => {
    database = await openTestDatabase();
    await database.knex('feed_versions').insert({ feed: 'deals', version: 7, published_at: claimedAt });
    const issuer = await createOfferReceiptIssuer(receiptSigner.privateKey);
    const silent = pino({ level: 'silent' });
    receiptOf = createReceiptOf(issuer, (resource) => `https://deals.example${resource}`, silent);
    for (const seconds of [0, 0, 0, 10, 20, 30]) await claim(seconds, { payer }, 'settled');
    await claim(5, { payer }, 'claimed');
    await claim(6, { payer }, 'released');
    await claim(7, {}, 'settled');
  });
  after(() => database.close());

  async function claim(
    seconds: number,
    changes: Partial<Claim>,
    state: 'claimed' | 'settled' | 'released',
  ): Promise<void> {
    await stopDatabaseClock(database.knex, later(seconds));
    const ledger = createLedgerStore(database.knex);
    const made = buildClaim(changes);
    assert.equal((await ledger.claim(made)).kind, 'claimed');
    if (state === 'settled') assert.ok(await ledger.finish(made, 'owner', buildSettlement(transaction), 60_000));
    if (state === 'released') assert.ok(await ledger.release(made, 'owner', 'expired'));
  }

  async function list(from: Date, to: Date, pageSize?: number): Promise<readonly PaymentReceipt[]> {
    const reader = createReceiptsReader(database.knex, receiptOf, pageSize);
    const receipts: PaymentReceipt[] = [];
    for await (const receipt of reader.list(payer, from, to)) receipts.push(receipt);
    return receipts;
  }

  const secondsOf = (receipts: readonly PaymentReceipt[]) =>
    receipts.map((each) => (Date.parse(each.claimedAt) - claimedAt.getTime()) / 1000);

  it("are those of the payer's settled payments, oldest first", async () => {
    const receipts = await list(claimedAt, later(100));
    assert.deepEqual(secondsOf(receipts), [0, 0, 0, 10, 20, 30]);
    assert.ok(receipts.every((each) => each.payer === payer && each.transaction === transaction));
  });

  it('are of a period that includes its beginning and not its end', async () => {
    assert.deepEqual(secondsOf(await list(later(10), later(30))), [10, 20]);
    assert.deepEqual(await list(later(31), later(100)), []);
  });

  it('are the same however many are read at once, also among payments of one moment', async () => {
    const whole = await list(claimedAt, later(100));
    for (const pageSize of [1, 2, 6]) assert.deepEqual(await list(claimedAt, later(100), pageSize), whole);
  });

  it('verify with the official package, and are the very ones that went with the replies', async () => {
    for (const { receipt, claimedAt: at, network, amount } of await list(claimedAt, later(100))) {
      assert.ok(receipt);
      assert.equal((await verifyReceiptSignatureEIP712(receipt)).signer, receiptSigner.address);
      assert.equal(receipt.payload.resourceUrl, 'https://deals.example/api/deals?state=OH');
      const payment = {
        network,
        payer,
        amount: BigInt(amount),
        resource: '/api/deals?state=OH',
        claimedAt: new Date(at),
      };
      const sent = JSON.parse(
        Buffer.from(encodeSettled(payment, { transaction }, receiptOf(payment, { transaction })), 'base64').toString(
          'utf8',
        ),
      ) as object;
      assert.deepEqual(Reflect.get(sent, 'extensions'), { 'offer-receipt': { info: { receipt } } });
    }
  });
});
