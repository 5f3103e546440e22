import assert from 'node:assert/strict';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import { paymentIdOf } from '../../../src/payments/ledger/payment-row.js';
import type { Claim, Ledger } from '../../../src/payments/ledger/ledger.js';
import { stopDatabaseClock } from '../../support/database-clock.js';
import { openTestInstances, type TestInstances } from '../../support/database.js';
import { after as later, buildClaim, buildSettlement, claimedAt } from './build-claim.js';

const dayMs = 86_400_000;

describe("the ledger's upkeep", () => {
  let instances: TestInstances;
  let ledger: Ledger;
  let other: Ledger;
  let elapsedMs = 0;

  before(async () => {
    instances = await openTestInstances(2);
    const [first, second] = instances.databases.map((each) => createLedgerStore(each.knex, 0n, () => elapsedMs));
    assert.ok(first && second);
    [ledger, other] = [first, second];
    await knex()('feed_versions').insert({ feed: 'deals', version: 7, published_at: claimedAt });
  });
  beforeEach(() => setClock(0));
  after(() => instances.close());

  async function setClock(days: number): Promise<void> {
    elapsedMs = days * dayMs;
    await stopDatabaseClock(knex(), later(days * 86_400));
  }

  function knex() {
    const [database] = instances.databases;
    assert.ok(database);
    return database.knex;
  }

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

  async function delivered(changes: Parameters<typeof buildClaim>[0] = {}): Promise<Claim> {
    const claim = await settled(changes);
    await ledger.recordDeliveries([claim], 'completed');
    return claim;
  }

  describe('reply bodies', () => {
    const countBodies = async (claim: Claim): Promise<number> =>
      (await knex()('payment_bodies').where({ hash: claim.replyHash })).length;

    it('are kept once for all buyers of the same page, whichever instance sells it', async () => {
      const text = JSON.stringify(Array.from({ length: 50 }, (_, index) => ({ index, text: 'the same' })));
      const claims = [buildClaim({ text }), buildClaim({ text }), buildClaim({ text })];
      const results = await Promise.all(claims.map((each, index) => (index === 0 ? other : ledger).claim(each)));
      assert.ok(results.every(({ kind }) => kind === 'claimed'));
      for (const claim of claims) {
        assert.equal(await countBodies(claim), 1);
        assert.equal((await ledger.readReplyBody(claim.replyHash))?.toString(), text);
      }
    });

    it('are compressed', async () => {
      const claim = await claimed({ text: 'a realistic deal repeats its words, '.repeat(200) });
      const [row] = await knex()('payment_bodies').where({ hash: claim.replyHash }).select<{ body: Buffer }[]>('body');
      assert.ok(row && row.body.length * 10 < claim.replyBody.byteLength);
    });

    it('are kept again where the database has lost them: nothing is claimed without one', async () => {
      const lost = await claimed({ text: 'an older database is back' });
      await knex()('payment_bodies').where({ hash: lost.replyHash }).del();
      const claim = buildClaim({ text: 'an older database is back' });
      assert.equal((await ledger.claim(claim)).kind, 'stale');
      assert.equal(await ledger.find(claim), undefined);
      assert.equal((await ledger.claim(claim)).kind, 'claimed');
      assert.equal(await countBodies(claim), 1);
    });

    it('are unknown when nobody ever bought them', async () => {
      assert.equal(await ledger.readReplyBody(Buffer.alloc(32, 9)), undefined);
    });

    it('go after their time, but never one that has been sold since, nor one that is still sold', async () => {
      const old = await delivered({ text: 'sold on day 0 only' });
      const daily = await delivered({ text: 'sold every day' });
      for (const day of [0.3, 0.6, 1, 2, 3, 4, 5, 6, 6.4]) {
        await setClock(day);
        await delivered({ text: 'sold every day' });
      }
      await setClock(5);
      const recent = await claimed({ text: 'sold on day 5' });
      await setClock(8);
      await ledger.discardBodies(4 * dayMs);
      assert.deepEqual(await Promise.all([old, recent, daily].map(countBodies)), [0, 1, 1]);
      // What this process remembers to have stored must not outlive the row.
      const again = await claimed({ text: 'sold on day 0 only' });
      assert.equal(await countBodies(again), 1);
      // A body whose row is old, but which was sold since without travelling again, stays too.
      await ledger.discardBodies(1.8 * dayMs);
      assert.equal(await countBodies(daily), 1);
    });

    it('are kept again with the next sale where they were let go before their time', async () => {
      await delivered({ text: 'sold all the time' });
      await setClock(0.1);
      await ledger.discardBodies(0);
      const next = await claimed({ text: 'sold all the time' });
      assert.equal(await countBodies(next), 1);
    });

    it('stay while a payment is open, or its reply has not arrived, however old; what was let go keeps none', async () => {
      const open = await claimed({ text: 'open' });
      const waiting = await settled({ text: 'on its way' });
      const broken = await settled({ text: 'cut off' });
      await ledger.recordDeliveries([broken], 'incomplete');
      const released = await claimed({ text: 'let go' });
      await ledger.release(released, 'owner', 'expired');
      const arrived = await delivered({ text: 'arrived' });
      await setClock(4_000);
      await ledger.discardBodies(8 * dayMs);
      const counts = await Promise.all([open, waiting, broken, released, arrived].map(countBodies));
      assert.deepEqual(counts, [1, 1, 1, 0, 0]);
      await ledger.recordDeliveries([waiting, broken], 'completed');
      await ledger.release(open, 'owner', 'expired');
      await ledger.discardBodies(8 * dayMs);
      assert.deepEqual(await Promise.all([open, waiting, broken].map(countBodies)), [0, 0, 0]);
    });

    it('are said to be there as long as they are', async () => {
      const claim = await delivered({ text: 'looked for by id' });
      assert.equal((await ledger.findById(paymentIdOf(claim)))?.isReplyKept, true);
      await setClock(4_000);
      await ledger.discardBodies(8 * dayMs);
      const found = await ledger.findById(paymentIdOf(claim));
      assert.deepEqual([found?.row.nonce, found?.isReplyKept], [claim.nonce, false]);
      assert.equal(await ledger.findById(Buffer.alloc(32, 9)), undefined);
    });
  });
});
