import assert from 'node:assert/strict';
import type { Claim, Ledger } from '../../../src/payments/ledger/ledger.js';
import { buildClaim, buildSettlement } from './build-claim.js';
import { ledgerKinds, type TwoLedgers } from './ledgers.js';

for (const { name, open } of ledgerKinds)
  describe(`the leases of ${name}`, () => {
    let ledgers: TwoLedgers;
    let ledger: Ledger;

    before(async () => {
      ledgers = await open();
      ledger = ledgers.first;
    });
    beforeEach(() => ledgers.setClock(0));
    after(() => ledgers.close());

    async function claimed(changes: Parameters<typeof buildClaim>[0] = {}): Promise<Claim> {
      const claim = buildClaim(changes);
      assert.equal((await ledger.claim(claim)).kind, 'claimed');
      return claim;
    }

    async function settled(changes: Parameters<typeof buildClaim>[0] = {}): Promise<Claim> {
      const claim = await claimed(changes);
      assert.equal(await ledger.finish(claim, 'owner', buildSettlement(), 60_000), true);
      return claim;
    }

    describe('listOpen', () => {
      it('gives the claims whose lease is over, oldest first, as many as asked, and no others', async () => {
        const base = 40 * 86_400;
        async function claimedAfter(seconds: number): Promise<Claim> {
          await ledgers.setClock(base + seconds);
          return claimed();
        }
        await ledger.finish(await claimedAfter(0), 'owner', buildSettlement(), 0);
        await ledger.release(await claimedAfter(0), 'owner', 'expired');
        const second = await claimedAfter(2);
        const first = await claimedAfter(1);
        const third = await claimedAfter(3);
        await claimedAfter(60);
        await ledgers.setClock(base + 65);
        const list = async (limit: number) => (await ledger.listOpen(limit)).map(({ nonce }) => nonce);
        assert.deepEqual(await list(10), [first.nonce, second.nonce, third.nonce]);
        assert.deepEqual(await list(2), [first.nonce, second.nonce]);
      });
    });

    describe('endForeignLeases', () => {
      it('ends the leases of all others, open or waiting for their buyers, and none of its own', async () => {
        const [theirs, mine] = [await claimed({ leaseOwner: 'dead' }), await claimed({ leaseOwner: 'alive' })];
        const paid = await settled();
        assert.ok((await ledger.endForeignLeases('alive')) >= 2);
        assert.equal(await ledger.takeOver(mine, 'second', 60_000), false);
        assert.equal(await ledger.takeOver(theirs, 'second', 60_000), true);
        assert.equal(await ledger.takeRedelivery(paid, 'second'), true);
      });
    });
  });
