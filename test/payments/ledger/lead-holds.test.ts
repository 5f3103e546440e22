import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Claim, ClaimResult, Ledger } from '../../../src/payments/ledger/ledger.js';
import { after as later, buildClaim, buildSettlement } from './build-claim.js';
import { ledgerKinds, type TwoLedgers } from './ledgers.js';

const day = 86_400;

for (const { name, open } of ledgerKinds)
  describe(`exclusive leads in ${name}`, () => {
    let ledgers: TwoLedgers;
    let ledger: Ledger;
    let other: Ledger;
    before(async () => {
      ledgers = await open();
      ({ first: ledger, second: other } = ledgers);
    });
    beforeEach(() => ledgers.setClock(0));
    after(() => ledgers.close());

    /** A claim that holds a lead for 30 days, to be made so many seconds after the others. */
    const holding = (leadId: string, seconds = 0): Claim =>
      buildClaim({ leads: [{ leadId, exclusiveUntil: later(seconds + 30 * day) }] });
    const showing = (leadIds: readonly string[]): Claim =>
      buildClaim({ leads: leadIds.map((leadId) => ({ leadId, exclusiveUntil: undefined })) });
    async function holdAt(seconds: number, leadId: string): Promise<ClaimResult['kind']> {
      await ledgers.setClock(seconds);
      return (await other.claim(holding(leadId, seconds))).kind;
    }
    const isHeld = async (leadId: string) => (await ledgers.listHeld()).includes(leadId);

    it('are held by exactly one of 50 payments at once, on two instances; the others write nothing', async () => {
      const leadId = randomUUID();
      const claims = Array.from({ length: 50 }, () => holding(leadId));
      const results = await Promise.all(claims.map((each, index) => (index % 2 ? ledger : other).claim(each)));
      const kinds = results.map(({ kind }) => kind).sort();
      assert.deepEqual(kinds, ['claimed', ...Array.from({ length: 49 }, () => 'stale')]);
      const rows = await Promise.all(claims.map((each) => ledger.find(each)));
      assert.equal(rows.filter((row) => row !== undefined).length, 1);
      assert.equal((await ledgers.listHeld()).filter((held) => held === leadId).length, 1);
    });

    it('are each held when many are claimed at once', async () => {
      const leadIds = Array.from({ length: 40 }, () => randomUUID());
      const results = await Promise.all(
        leadIds.map((leadId, index) => (index % 2 ? ledger : other).claim(holding(leadId))),
      );
      assert.ok(results.every(({ kind }) => kind === 'claimed'));
      const held = new Set(await ledgers.listHeld());
      assert.ok(leadIds.every((leadId) => held.has(leadId)));
    });

    it('stay held once they are paid, until their end, and are then sold anew', async () => {
      const leadId = randomUUID();
      const first = holding(leadId);
      await ledger.claim(first);
      await ledger.finish(first, 'owner', buildSettlement(), 60_000);
      assert.equal(await holdAt(30 * day - 1, leadId), 'stale');
      assert.equal(await isHeld(leadId), true);
      await ledgers.setClock(30 * day);
      assert.equal(await isHeld(leadId), false);
      assert.equal(await holdAt(30 * day, leadId), 'claimed');
      assert.equal(await holdAt(31 * day, leadId), 'stale');
    });

    it('are back in the pool at once when their payment is let go, and may be held by the same payment again', async () => {
      const leadId = randomUUID();
      const first = holding(leadId);
      await ledger.claim(first);
      assert.equal(await ledger.release(first, 'stranger', 'expired'), false);
      assert.equal(await isHeld(leadId), true);
      assert.equal(await ledger.release(first, 'owner', 'expired'), true);
      assert.equal(await isHeld(leadId), false);
      assert.equal((await ledger.claim(first)).kind, 'claimed');
      assert.equal(await isHeld(leadId), true);
    });

    it('stay held while the outcome of their payment is not known, whoever takes it over', async () => {
      const leadId = randomUUID();
      const first = holding(leadId);
      await ledger.claim(first);
      await ledger.endLease(first, 'owner');
      await other.takeOver(first, 'second', 60_000);
      assert.equal(await holdAt(3_600, leadId), 'stale');
    });

    it('are not held by a copy of a payment that is known already', async () => {
      const [mine, next] = [randomUUID(), randomUUID()];
      const first = holding(mine);
      await ledger.claim(first);
      const result = await other.claim({ ...first, leads: [{ leadId: next, exclusiveUntil: later(30 * day) }] });
      assert.equal(result.kind, 'known');
      assert.equal(await isHeld(next), false);
    });

    it('stop a list that shows them, and no other list', async () => {
      const [held, free] = [randomUUID(), randomUUID()];
      await ledger.claim(holding(held));
      const results = await Promise.all([
        ledger.claim(showing([free, held])),
        ledger.claim(showing([free])),
        ledger.claim(buildClaim()),
      ]);
      assert.deepEqual(
        results.map(({ kind }) => kind),
        ['stale', 'claimed', 'claimed'],
      );
      assert.equal(await isHeld(free), false);
      await ledgers.setClock(30 * day);
      assert.equal((await ledger.claim(showing([held]))).kind, 'claimed');
    });
  });
