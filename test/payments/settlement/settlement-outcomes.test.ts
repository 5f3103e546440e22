import assert from 'node:assert/strict';
import type { SettleOutcome } from '../../../src/payments/settlement/settler.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { authorizationIn, openShop, type Shop } from '../shop.js';
import { payWithProof } from '../sign-in.js';

const path = '/api/deals/hot';
const away = (): Promise<never> => Promise.reject(new Error('the connection was reset'));

describe('the outcome of a settlement', () => {
  let shop: Shop;
  let header: string;

  before(async () => {
    shop = await openShop();
  });
  beforeEach(async () => {
    header = await shop.sign(path);
  });
  afterEach(() => shop.mend());
  after(() => shop.close());

  const pay = (): Promise<Answer> => shop.pay(path, header);
  const prove = (): Promise<Answer> => payWithProof(shop, path, header);

  /** The real settlement happens, but nobody hears of it. */
  function loseAnswer(): void {
    shop.faults.settler.settle = async (authorization, attempt) => {
      const outcome = await shop.real.settler.settle(authorization, attempt);
      assert.equal(outcome.outcome, 'settled');
      return { outcome: 'unknown', detail: 'the answer was lost' };
    };
  }

  /** Nothing is sent, and nobody knows that. */
  function doNotSend(): void {
    shop.faults.settler.settle = async () => ({ outcome: 'unknown', detail: 'the answer was lost' });
  }

  function assertUnknown(answer: Answer): void {
    assertRefused(answer, 503, 'settlement_unknown');
    assert.equal(answer.problem?.payment, 'unknown');
    assert.equal(answer.problem?.retry_same_payment, true);
  }

  describe('settled', () => {
    it('gives the data with the transaction, once', async () => {
      const answer = await pay();
      assertPaid(answer);
      const row = await shop.rowOf(header);
      assert.equal(row?.state, 'settled');
      assert.equal(row.settlement?.transaction, answer.settlement?.transaction);
      assert.equal(await shop.settlementsOf(header), 1);
    });
  });

  describe('unknown', () => {
    it('is 503 and the same payment again, never a fresh 402', async () => {
      loseAnswer();
      assertUnknown(await pay());
    });

    it('gives the data of the first try to the second one when the chain shows the payment, charged once', async () => {
      loseAnswer();
      assertUnknown(await pay());
      shop.mend();
      const runs = shop.handlerRuns();
      const answer = await pay();
      assertPaid(answer);
      assert.equal(shop.handlerRuns(), runs, 'the stored reply is sent, none is made');
      assert.equal(await shop.settlementsOf(header), 1);
      assertRefused(await pay(), 402, 'payment_already_used', 'invalid_transaction_state');
    });

    it('is settled by the second try when nothing was sent by the first', async () => {
      doNotSend();
      assertUnknown(await pay());
      assert.equal(await shop.settlementsOf(header), 0);
      shop.mend();
      assertPaid(await pay());
      assert.equal(await shop.settlementsOf(header), 1);
    });

    it('stays unknown while the chain cannot be asked, and while it cannot be told', async () => {
      loseAnswer();
      assertUnknown(await pay());
      shop.faults.evidence.find = away;
      assertUnknown(await pay());
      shop.faults.evidence.find = async () => ({ verdict: 'unknown' });
      assertUnknown(await pay());
      shop.mend();
      assertPaid(await pay());
    });

    it('stays unknown when a second try surely sends nothing: the first may still be under way', async () => {
      doNotSend();
      assertUnknown(await pay());
      shop.faults.settler.settle = async () => ({
        outcome: 'failed',
        reason: 'unexpected_settle_error',
        detail: 'nothing was sent',
      });
      assertUnknown(await pay());
      assert.equal((await shop.rowOf(header))?.state, 'claimed');
      shop.mend();
      assertPaid(await pay());
    });

    it('is what a settler that throws has to say', async () => {
      shop.faults.settler.settle = away;
      assertUnknown(await pay());
      shop.mend();
      assertPaid(await pay());
    });

    it('becomes 402 with the reason when the payer has cancelled meanwhile', async () => {
      doNotSend();
      assertUnknown(await pay());
      await shop.chain.cancelElsewhere(authorizationIn(header).nonce);
      shop.mend();
      const answer = await pay();
      assertRefused(answer, 402, 'settlement_failed', 'invalid_transaction_state');
      assert.equal(answer.settlement?.success, false);
      assert.equal(answer.settlement.transaction, '');
      assert.equal((await shop.rowOf(header))?.state, 'released');
    });

    it('becomes 402 with the reason when the nonce paid somebody else meanwhile', async () => {
      doNotSend();
      assertUnknown(await pay());
      const { nonce } = authorizationIn(header);
      const to = '0x00000000000000000000000000000000000e15e0';
      await shop.chain.submitElsewhere(await shop.chain.signAuthorization({ nonce, to }));
      shop.mend();
      assertRefused(await pay(), 402, 'settlement_failed', 'invalid_transaction_state');
      assertRefused(await prove(), 402, 'payment_already_used', 'invalid_transaction_state');
    });
  });

  describe('failed', () => {
    const failure: SettleOutcome = { outcome: 'failed', reason: 'insufficient_funds', detail: 'The payer is poor.' };

    it('is 402 with the reason and without data, and the authorization is as good as before', async () => {
      shop.faults.settler.settle = async () => failure;
      const answer = await pay();
      assertRefused(answer, 402, 'settlement_failed', 'insufficient_funds');
      assert.deepEqual(answer.settlement, {
        success: false,
        errorReason: 'insufficient_funds',
        payer: authorizationIn(header).from.toLowerCase(),
        transaction: '',
        network: 'eip155:31337',
      });
      assert.equal(answer.problem?.payment, 'not_settled');
      shop.mend();
      assertPaid(await pay());
    });

    it('is 503 without a word of payment when surely nothing was sent, and the authorization is as good as before', async () => {
      shop.faults.settler.settle = async () => ({ ...failure, reason: 'unexpected_settle_error' });
      const answer = await pay();
      assertRefused(answer, 503, 'chain_unavailable');
      assert.equal(answer.problem?.payment, 'not_settled');
      assert.equal(await shop.settlementsOf(header), 0);
      shop.mend();
      assertPaid(await pay());
    });

    it("is delivered to its payer's proof when somebody sends the released payment later", async () => {
      shop.faults.settler.settle = async () => failure;
      assertRefused(await pay(), 402, 'settlement_failed');
      shop.mend();
      await shop.chain.submitElsewhere(shop.authorizationOf(header));
      assertPaid(await prove());
      assert.equal(await shop.settlementsOf(header), 1);
      assertRefused(await pay(), 402, 'payment_already_used');
    });

    it('is delivered to that proof by an instance whose clock says that its window has not begun', async () => {
      shop.faults.settler.settle = async () => failure;
      assertRefused(await pay(), 402, 'settlement_failed');
      shop.mend();
      await shop.chain.submitElsewhere(shop.authorizationOf(header));
      shop.advance(-600);
      assertPaid(await prove());
      assert.equal(await shop.settlementsOf(header), 1);
    });

    it('is delivered to that proof when that is noticed only after the end of its window', async () => {
      shop.faults.settler.settle = async () => failure;
      assertRefused(await pay(), 402, 'settlement_failed');
      shop.mend();
      await shop.chain.submitElsewhere(shop.authorizationOf(header));
      shop.advance(600);
      assertPaid(await prove());
      assertRefused(await pay(), 402, 'payment_already_used');
    });
  });

  describe('with a chain that cannot be asked', () => {
    it('is 503 before anything is written, and the authorization is as good as before', async () => {
      for (const verify of [async () => ({ verdict: 'unavailable', by: 'chain', detail: 'down' }) as const, away]) {
        shop.faults.settler.verify = verify;
        const runs = shop.handlerRuns();
        const answer = await pay();
        assertRefused(answer, 503, 'chain_unavailable');
        assert.equal(answer.problem?.payment, 'not_settled');
        assert.equal(shop.handlerRuns(), runs);
        assert.equal(await shop.rowOf(header), undefined);
      }
      shop.mend();
      assertPaid(await pay());
    });

    it('does not make a payment look unused that the ledger knows', async () => {
      loseAnswer();
      assertUnknown(await pay());
      shop.faults.settler.verify = async () => ({ verdict: 'unavailable', by: 'chain', detail: 'down' });
      shop.faults.evidence.find = away;
      assertUnknown(await pay());
      shop.mend();
      assertPaid(await pay());
      shop.faults.settler.verify = async () => ({ verdict: 'unavailable', by: 'chain', detail: 'down' });
      assertRefused(await pay(), 402, 'payment_already_used');
    });
  });
});
