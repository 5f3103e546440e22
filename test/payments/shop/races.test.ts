import assert from 'node:assert/strict';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, type Shop } from '../shop.js';
import { payWithProof } from '../sign-in.js';

const path = '/api/deals/hot';
/** Longer than a claim's lease, in seconds. */
const lost = { outcome: 'unknown', detail: 'the answer was lost' } as const;
const poor = { outcome: 'failed', reason: 'insufficient_funds', detail: 'The payer is poor.' } as const;

describe('a payment that is overtaken on its way', () => {
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

  it('serves nobody once another attempt has taken it over and served', async () => {
    let second: Answer | undefined;
    shop.faults.settler.settle = async (authorization, attempt) => {
      shop.faults.settler = {};
      const outcome = await shop.real.settler.settle(authorization, attempt);
      await shop.passLeases();
      second = await pay();
      return outcome;
    };
    const first = await pay();
    assert.ok(second);
    assertPaid(second);
    assertRefused(first, 402, 'payment_already_used');
    assertRefused(await pay(), 402, 'payment_already_used');
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('is not let go by an attempt that failed and was overtaken, not even in the same process', async () => {
    const { release } = shop.real.ledger;
    let second: Answer | undefined;
    shop.faults.settler.settle = async () => poor;
    shop.faults.ledger.release = async (...first) => {
      shop.faults.ledger = {};
      await shop.passLeases();
      shop.faults.settler.settle = async (authorization, attempt) => {
        assert.equal(await release(...first), false);
        return shop.real.settler.settle(authorization, attempt);
      };
      second = await pay();
      return release(...first);
    };
    assertRefused(await pay(), 503, 'settlement_unknown');
    assert.ok(second);
    assertPaid(second);
    assert.equal((await shop.rowOf(header))?.state, 'settled');
  });

  it('stays unknown when a second attempt fails for whatever reason: the first may still be under way', async () => {
    shop.faults.settler.settle = async () => lost;
    assertRefused(await pay(), 503, 'settlement_unknown');
    shop.faults.settler.settle = async () => poor;
    assertRefused(await pay(), 503, 'settlement_unknown');
    assert.equal((await shop.rowOf(header))?.state, 'claimed');
    // The first attempt arrives after all.
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    shop.mend();
    assertPaid(await pay());
  });

  it("is sold to its payer's proof also when somebody else sent it and its buyer comes only after the window", async () => {
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    shop.advance(600);
    assertPaid(await prove());
    assertRefused(await pay(), 402, 'payment_already_used');
  });

  describe('by the chain, which shows that somebody else has sent it and then undoes that', () => {
    const undone = { verdict: 'settled', transaction: `0x${'ab'.repeat(32)}`, blockNumber: 1n } as const;
    beforeEach(() => {
      shop.faults.settler.verify = async () => ({ verdict: 'refused', reason: 'nonce_used', detail: 'It is used.' });
      shop.faults.evidence.find = async () => {
        shop.faults.evidence = {};
        return undone;
      };
    });

    it('is sent again by the service, charged once', async () => {
      assertPaid(await prove());
      assert.notEqual((await shop.rowOf(header))?.settlement?.transaction, undone.transaction);
      assert.equal(await shop.settlementsOf(header), 1);
    });

    it('buys nothing when its payer has cancelled it meanwhile', async () => {
      await shop.chain.cancelElsewhere(shop.authorizationOf(header).nonce);
      assertRefused(await prove(), 402, 'settlement_failed', 'invalid_transaction_state');
      assert.equal((await shop.rowOf(header))?.state, 'released');
    });
  });

  it('is refused without a search of the chain when its window ended long ago and the ledger does not know it', async () => {
    shop.faults.evidence.find = async () => assert.fail('the chain was searched');
    shop.faults.evidence.isUsed = async () => assert.fail('the chain was asked');
    shop.advance(86_400);
    assertRefused(await pay(), 402, 'payment_expired');
  });

  it('is looked for from half an hour before it was verified: a block made anew may have it', async () => {
    const chainTime = new Date('2026-11-05T12:00:00.000Z');
    shop.faults.settler.verify = async () => ({ verdict: 'good', chainTime });
    assertPaid(await pay());
    assert.deepEqual((await shop.rowOf(header))?.searchFrom, new Date('2026-11-05T11:30:00.000Z'));
  });
});
