import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import type { Claim, ClaimResult, Ledger } from '../../../src/payments/ledger/ledger.js';
import { paymentIdOf } from '../../../src/payments/ledger/payment-row.js';
import { openTestDatabase } from '../../support/database.js';
import { buildClaim, buildSettlement, claimedAt, randomHex } from './build-claim.js';
import { ledgerKinds, type TwoLedgers } from './ledgers.js';

describe('the id of a payment', () => {
  it('is public: whoever signed can compute it, and the database computes the same', async () => {
    const { knex, close } = await openTestDatabase();
    await knex('feed_versions').insert({ feed: 'deals', version: 7, published_at: claimedAt });
    const claim = buildClaim();
    await createLedgerStore(knex).claim(claim);
    const text = `${claim.network}/${claim.asset}/${claim.payer}/${claim.nonce}`;
    assert.equal(paymentIdOf(claim).toString('hex'), createHash('sha256').update(text).digest('hex'));
    const rows = await knex('payments').where({ payment_id: paymentIdOf(claim) });
    assert.equal(rows.length, 1);
    await close();
  });
});

for (const { name, open } of ledgerKinds)
  describe(`the buyer's own identifier in ${name}`, () => {
    let ledgers: TwoLedgers;
    let ledger: Ledger;

    before(async () => {
      ledgers = await open();
      ledger = ledgers.first;
    });
    after(() => ledgers.close());

    /** Claims of one payer under one identifier of its own. */
    function claimsOfOneId(count: number, payer = randomHex(20)): readonly Claim[] {
      const clientIdHash = randomBytes(32);
      return Array.from({ length: count }, () => buildClaim({ payer, clientIdHash }));
    }

    const kinds = (results: readonly ClaimResult[]) => results.map(({ kind }) => kind).sort();

    it("is kept with the row, and so is the chain's history", async () => {
      const [claim] = claimsOfOneId(1);
      assert.ok(claim);
      await ledger.claim({ ...claim, chainInstance: 'history' });
      const row = await ledger.find(claim);
      assert.deepEqual([row?.clientIdHash, row?.chainInstance], [claim.clientIdHash, 'history']);
    });

    it('stands for one payment of its payer, also when it comes again later', async () => {
      const [first, second] = claimsOfOneId(2);
      assert.ok(first && second);
      assert.equal((await ledger.claim(first)).kind, 'claimed');
      assert.deepEqual(await ledger.claim(second), { kind: 'id_conflict' });
      const isTaken = ({ clientIdHash, ...key }: Claim) => ledger.isClientIdTaken({ key, clientIdHash });
      assert.deepEqual(await Promise.all([first, second, buildClaim()].map(isTaken)), [false, true, false]);
      await ledger.finish(first, 'owner', buildSettlement(), 60_000);
      assert.deepEqual(await ledger.claim(second), { kind: 'id_conflict' });
    });

    it('is won by exactly one of 40 payments at once, on two instances, and harms no other claim', async () => {
      const rivals = claimsOfOneId(40);
      const others = Array.from({ length: 20 }, () => buildClaim());
      const claim = (each: Claim, index: number) => (index % 2 === 0 ? ledgers.first : ledgers.second).claim(each);
      const [won, unharmed] = await Promise.all([Promise.all(rivals.map(claim)), Promise.all(others.map(claim))]);
      assert.deepEqual(kinds(won), ['claimed', ...Array.from({ length: 39 }, () => 'id_conflict')]);
      assert.deepEqual(new Set(kinds(unharmed)), new Set(['claimed']));
    });

    it('is free for another payer, and free again once its payment is released', async () => {
      const [first, second] = claimsOfOneId(2);
      assert.ok(first && second);
      await ledger.claim(first);
      assert.equal((await ledger.claim({ ...second, payer: randomHex(20) })).kind, 'claimed');
      await ledger.release(first, 'owner', 'insufficient_funds');
      assert.equal((await ledger.claim(second)).kind, 'claimed');
      assert.deepEqual(await ledger.claim(first), { kind: 'id_conflict' });
    });
  });
