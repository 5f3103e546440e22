import assert from 'node:assert/strict';
import { publicPaymentId, isRebuiltUnsold } from '../../../src/payments/ledger/payment-row.js';
import { buildClaim, buildSettlement, claimedAt } from './build-claim.js';
import { ledgerKinds, type TwoLedgers } from './ledgers.js';

for (const { name, open } of ledgerKinds)
  describe(`a payment that was rebuilt from the chain, in ${name}`, () => {
    let ledgers: TwoLedgers;
    beforeEach(async () => {
      ledgers = await open();
    });
    afterEach(() => ledgers.close());

    it('is settled, and says nothing of what it bought', async () => {
      const claim = buildClaim();
      await ledgers.putRebuilt(claim);
      const paymentId = Buffer.from(publicPaymentId(claim).slice(2), 'hex');
      const found = await ledgers.second.findById(paymentId);
      assert.ok(found && isRebuiltUnsold(found.row));
      const { state, binding, replyHeaders, validBefore } = found.row;
      assert.deepEqual(
        [state, binding, replyHeaders, validBefore, found.isReplyKept],
        ['settled', undefined, {}, 0n, false],
      );
      await ledgers.setClock(3_600);
      assert.deepEqual(await ledgers.first.listOpen(10), []);
    });

    it('is never claimed for a new transfer', async () => {
      const claim = buildClaim();
      await ledgers.putRebuilt(claim);
      const { kind } = await ledgers.first.claim(claim);
      assert.equal(kind, 'known');
      assert.ok(isRebuiltUnsold((await ledgers.second.find(claim)) ?? claim));
    });

    it('is claimed once where it is paid, and then a payment like any other', async () => {
      const claim = buildClaim({ isPaid: true });
      await ledgers.putRebuilt(claim);
      const other = {
        ...buildClaim({ isPaid: true, text: 'other' }),
        nonce: claim.nonce,
        payer: claim.payer,
        asset: claim.asset,
      };
      const results = await Promise.all([ledgers.first.claim(claim), ledgers.second.claim(other)]);
      assert.deepEqual(results.map(({ kind }) => kind).sort(), ['claimed', 'known']);
      const row = await ledgers.first.find(claim);
      assert.ok(row && !isRebuiltUnsold(row));
      assert.deepEqual([row.state, row.settlement], ['claimed', undefined]);
      const settlement = buildSettlement();
      assert.equal(await ledgers.first.finish(claim, row.leaseOwner, settlement, 60_000), true);
      assert.deepEqual((await ledgers.second.find(claim))?.settlement, { ...settlement, settledAt: claimedAt });
      for (const again of [claim, other]) assert.equal((await ledgers.first.claim(again)).kind, 'known');
    });
  });
