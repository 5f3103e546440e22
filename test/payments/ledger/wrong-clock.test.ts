import assert from 'node:assert/strict';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import type { PaymentMachine } from '../../../src/payments/payment-machine.js';
import type { SettleOutcome, Settler } from '../../../src/payments/settlement/settler.js';
import type { VerifiedPayment } from '../../../src/payments/verified-payment.js';
import { stopDatabaseClock } from '../../support/database-clock.js';
import { openTestInstances, type TestInstances } from '../../support/database.js';
import { after as later, buildSettlement, claimedAt, randomHex } from './build-claim.js';
import { openMachine, outcomeOf, payBy, payerGas } from './open-machine.js';

for (const hours of [-1, 1])
  describe(`an instance whose wall clock is ${hours < 0 ? 'an hour behind' : 'an hour ahead'}`, () => {
    let instances: TestInstances;
    let wrong: PaymentMachine;
    let right: PaymentMachine;
    let settle: Settler['settle'];

    beforeEach(async () => {
      instances = await openTestInstances(2);
      await setClock(0);
      const published = { feed: 'deals', version: 7, published_at: claimedAt };
      await instances.databases[0]?.knex('feed_versions').insert(published);
      settle = async () => ({ outcome: 'settled', ...buildSettlement() });
      [wrong, right] = [open(0, hours), open(1, 0)];
    });
    afterEach(() => instances.close());

    let seconds = 0;
    async function setClock(to: number): Promise<void> {
      seconds = to;
      await stopDatabaseClock(knexOf(0), later(seconds));
    }

    function knexOf(index: number) {
      return (instances.databases[index] ?? assert.fail()).knex;
    }

    function open(index: number, hoursAhead: number): PaymentMachine {
      return openMachine({
        ledger: createLedgerStore(knexOf(index), 1_000_000n),
        settle: (...given) => settle(...given),
        now: () => later(seconds + hoursAhead * 3_600),
        nowMs: () => seconds * 1_000,
      });
    }

    async function fail(machine: PaymentMachine, payment: VerifiedPayment): Promise<void> {
      settle = async () => ({ outcome: 'failed', reason: 'out_of_gas', detail: '', burnedGas: payerGas });
      assert.equal(await outcomeOf(machine, payment), 'settlement_failed');
      settle = async () => ({ outcome: 'settled', ...buildSettlement() });
    }

    it('neither steals a claim nor loses one, before its lease has ended', async () => {
      for (const [holder, other] of [
        [right, wrong],
        [wrong, right],
      ] as const) {
        await setClock(0);
        let answer: (outcome: SettleOutcome) => void = () => assert.fail();
        const sent = new Promise<void>((resolve) => {
          settle = () => new Promise((settled) => resolve(void (answer = settled)));
        });
        const payment = payBy();
        const charging = outcomeOf(holder, payment);
        await sent;
        await setClock(59);
        assert.equal(await outcomeOf(other, payment), 'payment_in_progress');
        answer({ outcome: 'settled', ...buildSettlement() });
        assert.equal(await charging, 'settled');
      }
    });

    it('takes a claim over as soon as its lease has ended, and no sooner', async () => {
      const payment = payBy();
      settle = () => new Promise(() => undefined);
      void outcomeOf(right, payment);
      while ((await right.find(payment)) === undefined) await setClock(0);
      await setClock(59);
      assert.equal(await outcomeOf(wrong, payment), 'payment_in_progress');
      await setClock(60);
      assert.equal(await outcomeOf(wrong, payment), 'settlement_unknown', 'taken, and the chain says nothing');
    });

    it('counts the failures of a day and the gas of an hour as all others do', async () => {
      const payer = randomHex(20);
      for (const machine of [right, wrong]) await fail(machine, payBy(payer));
      await setClock(86_399);
      assert.equal(await outcomeOf(wrong, payBy(payer)), 'payment_invalid');
      await setClock(86_401);
      assert.equal(await outcomeOf(wrong, payBy(payer)), 'settled');
      for (let count = 0; count < 10; count++) await fail(count < 5 ? right : wrong, payBy(undefined, true));
      assert.equal(await outcomeOf(wrong, payBy()), 'settled', 'a newcomer without code');
      await setClock(86_401 + 3_599);
      const tight = payBy(undefined, true);
      assert.equal(await outcomeOf(wrong, tight), 'rate_limited');
      await setClock(86_401 + 3_601);
      assert.equal(await outcomeOf(wrong, tight), 'settled');
    });
  });
