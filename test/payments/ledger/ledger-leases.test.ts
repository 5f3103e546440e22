import assert from 'node:assert/strict';
import type { Claim, Ledger } from '../../../src/payments/ledger/ledger.js';
import { after as later, buildClaim, buildSettlement } from './build-claim.js';
import { ledgerKinds, type TwoLedgers } from './ledgers.js';

for (const { name, open } of ledgerKinds)
  describe(`the leases of ${name}`, () => {
    let ledgers: TwoLedgers;
    let ledger: Ledger;

    before(async () => {
      ledgers = await open();
      ledger = ledgers.first;
    });
    after(() => ledgers.close());

    async function claimed(changes: Parameters<typeof buildClaim>[0] = {}): Promise<Claim> {
      const claim = buildClaim(changes);
      assert.equal((await ledger.claim(claim)).kind, 'claimed');
      return claim;
    }

    async function settled(changes: Parameters<typeof buildClaim>[0] = {}): Promise<Claim> {
      const claim = await claimed(changes);
      assert.equal(await ledger.finish(claim, 'owner', buildSettlement(), later(60)), true);
      return claim;
    }

    describe('listOpen', () => {
      it('gives the claims whose lease is over, oldest first, as many as asked, and no others', async () => {
        const base = 40 * 86_400;
        const at = (seconds: number) => ({
          claimedAt: later(base + seconds),
          leaseUntil: later(base + seconds + 60),
        });
        const second = await claimed(at(2));
        const first = await claimed(at(1));
        const third = await claimed(at(3));
        await claimed(at(100));
        await settled(at(0));
        await ledger.release(await claimed(at(0)), 'owner', 'expired');
        const list = async (limit: number) =>
          (await ledger.listOpen(later(base + 65), limit)).map(({ nonce }) => nonce);
        assert.deepEqual(await list(10), [first.nonce, second.nonce, third.nonce]);
        assert.deepEqual(await list(2), [first.nonce, second.nonce]);
      });
    });

    describe('endForeignLeases', () => {
      it('ends the leases of all others, open or waiting for their buyers, and none of its own', async () => {
        const [theirs, mine] = [await claimed({ leaseOwner: 'dead' }), await claimed({ leaseOwner: 'alive' })];
        const paid = await settled();
        assert.ok((await ledger.endForeignLeases('alive', later(1))) >= 2);
        assert.equal(await ledger.takeOver(mine, 'second', later(2), later(62)), false);
        assert.equal(await ledger.takeOver(theirs, 'second', later(2), later(62)), true);
        assert.equal(await ledger.takeRedelivery(paid, 'second', later(2), later(62)), true);
      });
    });
  });
