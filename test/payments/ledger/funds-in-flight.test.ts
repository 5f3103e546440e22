import assert from 'node:assert/strict';
import type { Claim } from '../../../src/payments/ledger/ledger.js';
import { buildClaim, buildSettlement, randomHex } from './build-claim.js';
import { ledgerKinds, type TwoLedgers } from './ledgers.js';

/** What the payer of these tests holds, in the state after block 12. */
const funds = { balance: 100_000n, blockNumber: 12n };

for (const { name, open } of ledgerKinds) {
  describe(`what a payer has in flight, in ${name},`, () => {
    let ledgers: TwoLedgers;
    let account: Pick<Claim, 'network' | 'asset' | 'payer'>;

    before(async () => {
      ledgers = await open();
    });
    beforeEach(async () => {
      await ledgers.setClock(0);
      account = { network: 'eip155:31337', asset: randomHex(20), payer: randomHex(20) };
    });
    after(() => ledgers.close());

    const claimOf = (changes: Partial<Claim> = {}) => buildClaim({ ...account, funds, amount: 60_000n, ...changes });
    const kindOf = async (claim: Claim) => (await ledgers.second.claim(claim)).kind;

    async function begin(changes: Partial<Claim> = {}): Promise<Claim> {
      const claim = claimOf(changes);
      assert.equal((await ledgers.first.claim(claim)).kind, 'claimed');
      return claim;
    }

    it('counts against its balance: a claim that needs more writes nothing, and says so', async () => {
      const first = await begin();
      const second = claimOf();
      assert.deepEqual(await ledgers.second.claim(second), { kind: 'funds_in_flight' });
      assert.equal(await ledgers.second.find(second), undefined);
      assert.deepEqual(await ledgers.second.listInFlight(second), [
        { nonce: first.nonce, amount: 60_000n, isOpen: true },
      ]);
      assert.equal(await kindOf(claimOf({ amount: 40_000n })), 'claimed', 'both fit');
      assert.equal(await kindOf(claimOf({ payer: randomHex(20) })), 'claimed', 'another payer');
      assert.equal(await kindOf(claimOf({ asset: randomHex(20) })), 'claimed', 'another token');
      assert.equal(await kindOf(claimOf({ funds: undefined })), 'claimed', 'a facilitator settles');
      assert.equal(await kindOf(claimOf({ isPaid: true })), 'claimed', 'its money has moved');
    });

    it('counts until it was settled in a block that the chain has shown, or let go', async () => {
      const first = await begin();
      await ledgers.first.finish(first, 'owner', buildSettlement(), 60_000);
      const second = claimOf();
      assert.equal(await kindOf(second), 'funds_in_flight');
      assert.equal((await ledgers.second.listInFlight(second))[0]?.isOpen, false);
      const seen = await begin({ funds: { ...funds, blockNumber: 13n } });
      assert.equal(await kindOf(claimOf({ amount: 1n, funds: { balance: 1n, blockNumber: 13n } })), 'funds_in_flight');
      await ledgers.first.release(seen, 'owner', 'expired');
      assert.equal(await kindOf(claimOf({ funds: { ...funds, blockNumber: 13n } })), 'claimed');
    });

    it('counts while its lease lasts, and for a minute in any case', async () => {
      const first = await begin();
      await ledgers.first.endLease(first, 'owner');
      await ledgers.setClock(59);
      assert.equal(await kindOf(claimOf()), 'funds_in_flight');
      await ledgers.setClock(60);
      assert.equal(await kindOf(claimOf()), 'claimed');
      await begin({ payer: randomHex(20) });
      account = { ...account, payer: randomHex(20) };
      const slow = await begin();
      await ledgers.setClock(160);
      assert.equal(await ledgers.first.takeOver(slow, 'other', 60_000), true);
      await ledgers.setClock(219);
      assert.equal(await kindOf(claimOf()), 'funds_in_flight');
    });

    it('holds for claims that come together: as many win as the balance covers', async () => {
      const claims = Array.from({ length: 6 }, () => claimOf({ amount: 30_000n }));
      const kinds = await Promise.all(claims.map(async (claim) => (await ledgers.first.claim(claim)).kind));
      assert.deepEqual(kinds.sort(), [...Array(3).fill('claimed'), ...Array(3).fill('funds_in_flight')]);
    });
  });
}
