import assert from 'node:assert/strict';
import type { Ledger } from '../../../src/payments/ledger/ledger.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, type Shop } from '../shop.js';

const path = '/api/deals/hot';
/** Longer than a claim's lease, in seconds. */

/** The database is gone before the statement reaches it, or after it was committed and before anybody heard of it. */
type Moment = 'before' | 'after';
const moments: readonly Moment[] = ['before', 'after'];

describe('a ledger whose database goes away', () => {
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

  function breakAt(statement: keyof Ledger, moment: Moment): void {
    const work: (...values: never[]) => Promise<unknown> = shop.real.ledger[statement];
    const broken = async (...values: never[]): Promise<never> => {
      if (moment === 'after') await work(...values);
      throw new Error('Connection terminated unexpectedly');
    };
    shop.faults.ledger = { ...shop.faults.ledger, [statement]: broken };
  }

  function assertUnknown(answer: Answer): void {
    assertRefused(answer, 503, 'settlement_unknown');
    assert.equal(answer.problem?.retry_same_payment, true);
  }

  /** The same payment brings the data in the end, without a second charge and without a second copy. */
  async function assertDeliveredOnce(): Promise<void> {
    shop.mend();
    await shop.passLeases();
    assertPaid(await pay());
    assert.equal(await shop.settlementsOf(header), 1);
    assertRefused(await pay(), 402, 'payment_already_used');
  }

  function loseAnswer(): void {
    shop.faults.settler.settle = async (authorization, attempt) => {
      await shop.real.settler.settle(authorization, attempt);
      return { outcome: 'unknown', detail: 'the answer was lost' };
    };
  }

  const fail = () =>
    (shop.faults.settler.settle = async () => ({
      outcome: 'failed',
      reason: 'insufficient_funds',
      detail: 'The payer is poor.',
    }));

  for (const moment of moments) {
    describe(moment === 'before' ? 'before a statement' : 'after a statement was committed', () => {
      it('sends no money when it was the claim', async () => {
        breakAt('claim', moment);
        assertUnknown(await pay());
        assert.equal(await shop.settlementsOf(header), 0);
        await assertDeliveredOnce();
      });

      it('delivers the paid data when it was the finish, and finishes from the chain later', async () => {
        breakAt('finish', moment);
        assertPaid(await pay());
        shop.mend();
        await shop.passLeases();
        await shop.app.selling.reconcile();
        assert.equal((await shop.rowOf(header))?.state, 'settled');
        assertRefused(await pay(), 402, 'payment_already_used');
        assert.equal(await shop.settlementsOf(header), 1);
      });

      it('does not say that a failed settlement left the payment free when it was the release', async () => {
        fail();
        breakAt('release', moment);
        assertUnknown(await pay());
        await assertDeliveredOnce();
      });

      it('still says that the outcome is unknown when it was the end of the lease', async () => {
        loseAnswer();
        breakAt('endLease', moment);
        assertUnknown(await pay());
        await assertDeliveredOnce();
      });

      it('does not refuse a payment of unknown outcome when it was the look into the ledger', async () => {
        loseAnswer();
        assertUnknown(await pay());
        breakAt('find', moment);
        assertUnknown(await pay());
        await assertDeliveredOnce();
      });

      it('does not refuse a payment of unknown outcome when it was the take-over', async () => {
        loseAnswer();
        assertUnknown(await pay());
        breakAt('takeOver', moment);
        assertUnknown(await pay());
        await assertDeliveredOnce();
      });

      it('does not use up the re-delivery when it was the taking of it, or the reading of the reply', async () => {
        loseAnswer();
        assertUnknown(await pay());
        shop.mend();
        await shop.app.selling.reconcile();
        assert.equal((await shop.rowOf(header))?.state, 'settled');
        breakAt('readReplyBody', moment);
        assertUnknown(await pay());
        shop.mend();
        await shop.passLeases();
        breakAt('takeRedelivery', moment);
        assertUnknown(await pay());
        shop.mend();
        await shop.passLeases();
        assertPaid(await pay());
        assertRefused(await pay(), 402, 'payment_already_used');
      });

      it('gives nobody a second copy when it was the note of a delivery', async () => {
        breakAt('recordDeliveries', moment);
        assertPaid(await pay());
        await shop.app.selling.deliveries.flush();
        await shop.passLeases();
        assertRefused(await pay(), 402, 'payment_already_used');
        shop.mend();
        await shop.app.selling.deliveries.flush();
        assert.equal((await shop.rowOf(header))?.delivery, 'completed');
      });
    });
  }

  it('gives nobody a second copy when neither the finish nor the delivery could be written at first', async () => {
    breakAt('finish', 'before');
    breakAt('recordDeliveries', 'before');
    assertPaid(await pay());
    await shop.passLeases();
    assertRefused(await pay(), 402, 'payment_already_used');
    shop.faults.ledger = {};
    await shop.app.selling.deliveries.flush();
    await shop.app.selling.reconcile();
    const row = await shop.rowOf(header);
    assert.deepEqual([row?.state, row?.delivery], ['settled', 'completed']);
    assertRefused(await pay(), 402, 'payment_already_used');
  });

  it('says in plain words that a reply is not kept any longer, and charges nothing anew', async () => {
    loseAnswer();
    assertUnknown(await pay());
    shop.mend();
    shop.faults.ledger.readReplyBody = async () => undefined;
    assertRefused(await pay(), 402, 'payment_already_used');
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('does not call a payment used whose reply is gone with the payment itself: the database has gone back', async () => {
    loseAnswer();
    assertUnknown(await pay());
    shop.mend();
    shop.faults.ledger.readReplyBody = async () => {
      shop.faults.ledger.find = async () => undefined;
      return undefined;
    };
    assertUnknown(await pay());
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('leaves a zero-match query unbilled also when it cannot be asked', async () => {
    const nothing = '/api/deals?state=WY&min_price=1';
    const signed = await shop.sign(nothing);
    breakAt('find', 'before');
    assert.equal((await shop.pay(nothing, signed)).status, 503);
    assert.equal(await shop.settlementsOf(signed), 0);
    shop.mend();
    assert.equal((await shop.pay(nothing, signed)).status, 404);
  });
});
