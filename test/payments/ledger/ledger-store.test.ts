import assert from 'node:assert/strict';
import type { Claim, Ledger, PaymentKey, PaymentRow } from '../../../src/payments/ledger/ledger.js';
import { after as later, buildClaim, buildSettlement, claimedAt, randomHex } from './build-claim.js';
import { ledgerKinds, type TwoLedgers } from './ledgers.js';

const settlement = buildSettlement();
const burned = { gas: 60_000n, burnedShared: false };

for (const { name, open } of ledgerKinds)
  describe(name, () => {
    let ledgers: TwoLedgers;
    let ledger: Ledger;
    let other: Ledger;

    before(async () => {
      ledgers = await open();
      ({ first: ledger, second: other } = ledgers);
    });
    beforeEach(() => ledgers.setClock(0));
    after(() => ledgers.close());

    async function read(key: PaymentKey): Promise<PaymentRow> {
      const row = await ledger.find(key);
      assert.ok(row);
      return row;
    }

    async function claimed(changes: Parameters<typeof buildClaim>[0] = {}): Promise<Claim> {
      const claim = buildClaim(changes);
      assert.equal((await ledger.claim(claim)).kind, 'claimed');
      return claim;
    }

    async function settled(changes: Parameters<typeof buildClaim>[0] = {}): Promise<Claim> {
      const claim = await claimed(changes);
      assert.equal(await ledger.finish(claim, 'owner', settlement, 60_000), true);
      return claim;
    }

    describe('claim', () => {
      it('is won by exactly one of 40 copies on two instances, and shows the others the winner', async () => {
        const copies = Array.from({ length: 40 }, (_, index) => buildClaim({ leaseOwner: `owner ${index}` }));
        const { asset, payer, nonce, binding } = buildClaim();
        const results = await Promise.all(
          copies.map((copy, index) =>
            (index % 2 === 0 ? ledger : other).claim({
              ...copy,
              asset,
              payer,
              nonce,
              binding,
              validBefore: BigInt(index),
            }),
          ),
        );
        const winners = results.flatMap(({ kind }, index) => (kind === 'claimed' ? [`owner ${index}`] : []));
        assert.equal(winners.length, 1);
        for (const result of results) {
          if (result.kind === 'claimed') continue;
          assert.ok(result.kind === 'known');
          assert.equal(result.row.leaseOwner, winners[0]);
          assert.equal(result.row.state, 'claimed');
        }
      });

      it('keeps every part of the claim, and reads it back as it was', async () => {
        const whole = await claimed({ amount: 2n ** 256n - 1n, validBefore: 10n ** 77n });
        const { replyBody, feed, isPaid: _, payerGas: __, funds: ___, ...claim } = whole;
        assert.deepEqual(await ledger.find(claim), {
          ...claim,
          state: 'claimed',
          claimedAt,
          isLeased: true,
          delivery: 'pending',
          settlement: undefined,
          reorgedAt: undefined,
          failure: undefined,
        });
        assert.deepEqual(await ledger.readReplyBody(claim.replyHash), Buffer.from(replyBody.chunks[0] ?? ''));
        assert.equal(feed.version, 7);
      });

      it('writes nothing when the feed has moved, or was never published', async () => {
        const text = 'nobody was ever sold this';
        for (const feed of [
          { name: 'deals', version: 6 },
          { name: 'deals', version: 8 },
          { name: 'signals', version: 7 },
        ]) {
          const claim = buildClaim({ feed, text });
          assert.deepEqual(await ledger.claim(claim), { kind: 'stale' });
          assert.equal(await ledger.find(claim), undefined);
          assert.equal(await ledger.readReplyBody(claim.replyHash), undefined);
        }
      });

      it('judges each of many claims that travel together by itself', async () => {
        const [taken, stale, good] = [
          await claimed(),
          buildClaim({ feed: { name: 'deals', version: 6 } }),
          buildClaim(),
        ];
        // While the first is on its way, the others wait for one statement.
        const results = await Promise.all([buildClaim(), taken, stale, good, good].map((each) => ledger.claim(each)));
        assert.deepEqual(
          results.map(({ kind }) => kind),
          ['claimed', 'known', 'stale', 'claimed', 'known'],
        );
      });

      it('tells authorizations apart by network, asset, payer and nonce, each of them', async () => {
        const claim = await claimed();
        for (const change of [
          { network: 'eip155:8453' },
          { asset: randomHex(20) },
          { payer: randomHex(20) },
          { nonce: randomHex(32) },
        ])
          assert.equal((await ledger.claim({ ...claim, ...change })).kind, 'claimed');
      });

      it('takes a released row anew, for whatever was signed and asked this time', async () => {
        const first = await claimed();
        await ledger.release(first, 'owner', 'insufficient_funds');
        const { asset, payer, nonce } = first;
        const again = buildClaim({ asset, payer, nonce, amount: 10_000n, leaseOwner: 'next', text: 'another reply' });
        assert.equal((await ledger.claim(again)).kind, 'claimed');
        const { replyBody: _, feed: __, isPaid: ___, payerGas: ____, funds: _____, ...row } = again;
        const open = { settlement: undefined, reorgedAt: undefined, failure: undefined };
        const fresh = { state: 'claimed', claimedAt, isLeased: true, delivery: 'pending', ...open };
        assert.deepEqual(await read(first), { ...row, ...fresh });
      });

      it('never takes a row anew whose transfer failed on the chain, unless the chain shows it paid since', async () => {
        const claim = await claimed();
        await ledgers.setClock(2);
        await ledger.release(claim, 'owner', 'out of gas', burned);
        const result = await ledger.claim(claim);
        assert.ok(result.kind === 'known' && result.row.state === 'released');
        assert.deepEqual(result.row.failure, { ...burned, failedAt: later(2) });
        const paid = { ...claim, isPaid: true };
        const stale = { ...paid, feed: { ...claim.feed, version: claim.feed.version + 1 } };
        assert.deepEqual(await ledger.claim(stale), { kind: 'stale' }, 'told to come with the newest feed');
        assert.equal((await ledger.claim(paid)).kind, 'claimed');
      });

      it('lets a payer fail twice in a day, and then only claims what is paid already', async () => {
        const { payer } = await claimed();
        for (const seconds of [0, 3_600]) {
          await ledgers.setClock(seconds);
          const claim = buildClaim({ payer });
          assert.equal((await ledger.claim(claim)).kind, 'claimed');
          await ledger.release(claim, 'owner', 'out of gas', burned);
        }
        await ledgers.setClock(7_200);
        assert.deepEqual(await ledger.claim(buildClaim({ payer })), { kind: 'payer_failed', until: later(86_400) });
        assert.equal((await ledger.claim(buildClaim({ payer, isPaid: true }))).kind, 'claimed');
        assert.equal((await ledger.claim(buildClaim())).kind, 'claimed');
        await ledgers.setClock(86_401);
        assert.equal((await ledger.claim(buildClaim({ payer }))).kind, 'claimed');
      });

      it('never takes a settled row again', async () => {
        const claim = await settled();
        await ledgers.setClock(366 * 86_400);
        const result = await ledger.claim(claim);
        assert.ok(result.kind === 'known' && result.row.state === 'settled');
      });
    });

    describe('finish and release', () => {
      it('are refused to whoever lost the lease, and change nothing then', async () => {
        const claim = await claimed();
        await ledgers.setClock(61);
        assert.equal(await ledger.takeOver(claim, 'second', 60_000), true);
        assert.equal(await ledger.finish(claim, 'owner', settlement, 60_000), false);
        assert.equal(await ledger.release(claim, 'owner', 'expired'), false);
        assert.equal((await read(claim)).state, 'claimed');
        assert.equal(await ledger.finish(claim, 'second', settlement, 60_000), true);
        const { state, settlement: found } = await read(claim);
        assert.deepEqual([state, found], ['settled', { ...settlement, settledAt: later(61) }]);
      });

      it('end a claim once: a settled row is never released, a released one never settled', async () => {
        const paid = await settled();
        assert.equal(await ledger.release(paid, 'owner', 'expired'), false);
        assert.equal(await ledger.finish(paid, 'owner', buildSettlement(), 60_000), false);
        assert.deepEqual((await read(paid)).settlement, { ...settlement, settledAt: claimedAt });
        const unpaid = await claimed();
        assert.equal(await ledger.release(unpaid, 'owner', 'expired'), true);
        assert.equal(await ledger.finish(unpaid, 'owner', settlement, 60_000), false);
        assert.equal((await read(unpaid)).state, 'released');
      });

      it('finish many at once, each for its own owner', async () => {
        const claims = await Promise.all(Array.from({ length: 20 }, () => claimed()));
        const done = await Promise.all(
          claims.map((each, index) => ledger.finish(each, index % 4 === 0 ? 'stranger' : 'owner', settlement, 60_000)),
        );
        assert.deepEqual(
          done,
          claims.map((_, index) => index % 4 !== 0),
        );
      });
    });

    describe('takeOver', () => {
      it('waits for the end of the lease', async () => {
        const claim = await claimed();
        await ledgers.setClock(59);
        assert.equal(await ledger.takeOver(claim, 'second', 60_000), false);
        assert.equal((await read(claim)).isLeased, true);
        await ledgers.setClock(60);
        assert.equal((await read(claim)).isLeased, false);
        assert.equal(await ledger.takeOver(claim, 'second', 60_000), true);
        assert.equal(await ledger.takeOver(claim, 'third', 60_000), false);
      });

      it('is granted to exactly one of ten at once, on two instances', async () => {
        const claim = await claimed();
        await ledgers.setClock(61);
        const taken = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            (index % 2 === 0 ? ledger : other).takeOver(claim, `owner ${index}`, 60_000),
          ),
        );
        assert.equal(taken.filter(Boolean).length, 1);
      });

      it('may begin as soon as an outcome that nobody knows has ended the lease, but not by a stranger', async () => {
        const claim = await claimed();
        await ledger.endLease(claim, 'stranger');
        assert.equal(await ledger.takeOver(claim, 'second', 60_000), false);
        await ledger.endLease(claim, 'owner');
        assert.equal(await ledger.takeOver(claim, 'second', 60_000), true);
      });

      it('is not for rows that are over', async () => {
        const paid = await settled();
        const unpaid = await claimed();
        await ledger.release(unpaid, 'owner', 'expired');
        await ledgers.setClock(1_000);
        assert.equal(await ledger.takeOver(paid, 'second', 60_000), false);
        assert.equal(await ledger.takeOver(unpaid, 'second', 60_000), false);
      });
    });

    describe('redelivery', () => {
      const take = (key: PaymentKey, who = ledger) => who.takeRedelivery(key, 'second');
      const takeAt = (seconds: number, key: PaymentKey) => ledgers.setClock(seconds).then(() => take(key));

      it('is granted once when the delivery is known to have failed', async () => {
        const claim = await settled();
        await ledger.recordDeliveries([claim], 'incomplete');
        const taken = await Promise.all([take(claim), take(claim, other), take(claim), take(claim, other)]);
        assert.equal(taken.filter(Boolean).length, 1);
        assert.equal((await read(claim)).delivery, 'pending');
      });

      it('is granted for a reply of which nothing is known only when the lease is over', async () => {
        const claim = await settled();
        assert.equal(await takeAt(59, claim), false);
        assert.equal(await takeAt(60, claim), true);
        assert.equal(await takeAt(61, claim), false);
      });

      it('is refused for ever after a delivery that completed', async () => {
        const claim = await settled();
        await ledger.recordDeliveries([claim], 'completed');
        assert.equal(await take(claim), false);
        assert.equal(await takeAt(366 * 86_400, claim), false);
        await ledger.recordDeliveries([claim], 'incomplete');
        assert.equal((await read(claim)).delivery, 'completed');
      });

      it('is refused while the payment is open or let go', async () => {
        const open = await claimed();
        assert.equal(await takeAt(1_000, open), false);
        await ledger.release(open, 'owner', 'expired');
        assert.equal(await take(open), false);
      });

      it('is refused for a reply that arrived before its settlement could be finished', async () => {
        const claim = await claimed();
        await ledger.recordDeliveries([claim], 'completed');
        await ledger.finish(claim, 'owner', settlement, 0);
        assert.equal((await read(claim)).delivery, 'completed');
        assert.equal(await takeAt(1_000, claim), false);
      });

      it('is noted for exactly the payments that are named', async () => {
        const [first, second, third] = [await settled(), await settled(), await settled()];
        await ledger.recordDeliveries([first, third], 'completed');
        await ledger.recordDeliveries([], 'completed');
        const states = await Promise.all([first, second, third].map(async (each) => (await read(each)).delivery));
        assert.deepEqual(states, ['completed', 'pending', 'completed']);
      });
    });
  });
