import assert from 'node:assert/strict';
import { createMemoryStorage } from '../../../src/client/payments/payment-storage.js';
import { createPaymentJournal, type Budget, type Reservation } from '../../../src/client/payments/payment-journal.js';

const url = 'https://deals.example/api/deals';
const startMs = Date.parse('2026-11-20T12:00:00.000Z');

function open(budget?: Budget) {
  const storage = createMemoryStorage();
  let nowMs = startMs;
  const now = () => new Date(nowMs);
  return {
    /** A journal of another process, or of this one after a restart. */
    start: () => createPaymentJournal({ storage, now, budget }),
    advance: (seconds: number) => void (nowMs += seconds * 1000),
    payment: (nonce: string, amount = '50000'): Reservation => ({
      url,
      network: 'eip155:31337',
      asset: '0xa',
      payer: '0xb',
      nonce,
      amount,
      validBefore: nowMs / 1000 + 300,
    }),
  };
}

describe('the journal of payments', () => {
  it('gives each open payment to one presenter per process, and another to the next', async () => {
    const { start, payment } = open();
    const first = start();
    for (const nonce of ['1', '2']) {
      await first.reserve(payment(nonce));
      assert.equal(await first.keep(nonce, `header ${nonce}`), true);
    }
    assert.equal(await first.adopt(url), undefined, 'both are being presented');
    const second = start();
    const adopted = await Promise.all([
      second.adopt(url),
      second.adopt(url),
      second.adopt(url),
      second.adopt(`${url}?state=OH`),
    ]);
    assert.deepEqual(
      adopted.map((each) => each?.nonce),
      ['1', '2', undefined, undefined],
    );
    await second.close('1', 'open');
    assert.equal((await second.adopt(url))?.nonce, '1');
  });

  it('gives out nothing unsigned', async () => {
    const { start, payment } = open();
    await start().reserve(payment('1'));
    assert.equal(await start().adopt(url), undefined);
  });

  it('ends a payment by a refusal when one caller presented it, and not when two did', async () => {
    const { start, payment } = open();
    const [first, second] = [start(), start()];
    await first.reserve(payment('1'));
    await first.keep('1', 'header');
    await second.adopt(url);
    await first.close('1', 'refused');
    assert.equal((await first.list()).length, 1);
    await second.close('1', 'paid');
    await first.reserve(payment('2'));
    await first.keep('2', 'header');
    await first.close('2', 'refused');
    assert.deepEqual(
      (await first.list()).map(({ nonce, header, paidAtMs }) => [nonce, header, paidAtMs !== undefined]),
      [
        ['1', undefined, true],
        ['2', undefined, false],
      ],
    );
    assert.equal(await second.adopt(url), undefined);
  });

  it('counts a payment with an unknown outcome as charged at its last chargeable moment', async () => {
    const { start, payment, advance } = open({ perHourAtomic: 50_000n });
    const journal = start();
    await journal.reserve(payment('1'));
    await journal.keep('1', 'header');
    await journal.close('1', 'open');
    advance(300 + 60 + 3599);
    await assert.rejects(journal.reserve(payment('2')), { reason: 'budget_exceeded' });
    advance(1);
    await journal.reserve(payment('2'));
  });

  it('releases a reserved, never signed amount once it cannot be charged', async () => {
    const { start, payment, advance } = open({ perHourAtomic: 50_000n });
    const journal = start();
    await journal.reserve(payment('1'));
    advance(359);
    await assert.rejects(start().reserve(payment('2')), { reason: 'budget_exceeded' });
    advance(1);
    await start().reserve(payment('2'));
    assert.equal(await journal.keep('1', 'header'), false, 'who signs so late must not present it');
  });

  it('forgets charged payments after a day, and others that nobody retried after a week', async () => {
    const { start, payment, advance } = open();
    const journal = start();
    await journal.reserve(payment('1'));
    await journal.keep('1', 'header');
    await journal.close('1', 'paid');
    await journal.reserve(payment('2'));
    await journal.keep('2', 'header');
    await journal.close('2', 'open');
    advance(86_399);
    assert.equal((await journal.list()).length, 2);
    advance(1);
    assert.deepEqual(
      (await journal.list()).map(({ nonce }) => nonce),
      ['2'],
    );
    advance(7 * 86_400);
    assert.deepEqual(await journal.list(), []);
  });

  it('prevents any sum of small amounts from exceeding the budget', async () => {
    const { start, payment } = open({ perDayAtomic: 1_000_000n });
    const tries = [1, 2, 3].flatMap((number) => {
      const journal = start();
      return Array.from({ length: 20 }, (_, index) => journal.reserve(payment(`${number}:${index}`, '33333')));
    });
    const results = await Promise.allSettled(tries);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 30);
  });
});
