import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { wholeBytes } from '../../../src/contract/rendered.js';
import { createDeliveryRecorder } from '../../../src/payments/ledger/delivery-recorder.js';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import { createPaymentMachine, type PaymentMachine } from '../../../src/payments/payment-machine.js';
import { noEvidence } from '../../../src/payments/settlement/resolve-open-payment.js';
import type { SettleOutcome, Settler } from '../../../src/payments/settlement/settler.js';
import type { VerifiedPayment } from '../../../src/payments/verified-payment.js';
import { stopDatabaseClock } from '../../support/database-clock.js';
import { openTestInstances, type TestInstances } from '../../support/database.js';
import { after as later, buildSettlement, claimedAt, randomHex } from './build-claim.js';

const body = Buffer.from('[{"id":1}]');
const reply = { headers: {}, body: wholeBytes(body), feed: { name: 'deals', version: 7 } };
const log = pino({ level: 'silent' });
const payerGas = 100_000n;

/** A payment of this account, or of a new one, for the one reply of these tests. */
function pay(payer = randomHex(20), hasCode = false): VerifiedPayment {
  const [network, asset, nonce] = ['eip155:31337', randomHex(20), randomHex(32)];
  const window = { validAfter: 0n, validBefore: BigInt(later(7_200).getTime() / 1000) };
  return {
    key: { network, asset, payer, nonce },
    authorization: { from: payer, to: randomHex(20), value: 50_000n, nonce, signature: randomHex(65), ...window },
    ...{ binding: createHash('sha256').update(body).digest(), operationId: 'listDeals', resource: '/api/deals' },
    clientIdHash: undefined,
    unusedUntil: claimedAt,
    payerCode: hasCode ? { kind: 'some', gas: payerGas } : { kind: 'none' },
  };
}

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
      const ledger = createLedgerStore(knexOf(index), 1_000_000n);
      return createPaymentMachine({
        ...{ ledger, log, owner: randomBytes(4).toString('hex'), chainInstance: '', evidence: noEvidence },
        settler: {
          by: 'chain',
          verify: () => assert.fail(),
          settle: (...given) => settle(...given),
          close: async () => {},
        },
        deliveries: createDeliveryRecorder(ledger, log, () => () => undefined),
        receiptOf: () => undefined,
        now: () => later(seconds + hoursAhead * 3_600),
        nowMs: () => seconds * 1_000,
        pause: async () => undefined,
      });
    }

    const outcomeOf = async (machine: PaymentMachine, payment: VerifiedPayment): Promise<string> => {
      const charged = await machine.charge(payment, reply);
      return 'error' in charged ? charged.error.reason : charged.outcome;
    };

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
        const payment = pay();
        const charging = holder.charge(payment, reply);
        await sent;
        await setClock(59);
        assert.equal(await outcomeOf(other, payment), 'payment_in_progress');
        answer({ outcome: 'settled', ...buildSettlement() });
        assert.equal((await charging).outcome, 'settled');
      }
    });

    it('takes a claim over as soon as its lease has ended, and no sooner', async () => {
      const payment = pay();
      settle = () => new Promise(() => undefined);
      void right.charge(payment, reply);
      while ((await right.find(payment)) === undefined) await setClock(0);
      await setClock(59);
      assert.equal(await outcomeOf(wrong, payment), 'payment_in_progress');
      await setClock(60);
      assert.equal(await outcomeOf(wrong, payment), 'settlement_unknown', 'taken, and the chain says nothing');
    });

    it('counts the failures of a day and the gas of an hour as all others do', async () => {
      const payer = randomHex(20);
      for (const machine of [right, wrong]) await fail(machine, pay(payer));
      await setClock(86_399);
      assert.equal(await outcomeOf(wrong, pay(payer)), 'payment_invalid');
      await setClock(86_401);
      assert.equal(await outcomeOf(wrong, pay(payer)), 'settled');
      for (let count = 0; count < 10; count++) await fail(count < 5 ? right : wrong, pay(undefined, true));
      assert.equal(await outcomeOf(wrong, pay()), 'settled', 'a newcomer without code');
      await setClock(86_401 + 3_599);
      const tight = pay(undefined, true);
      assert.equal(await outcomeOf(wrong, tight), 'rate_limited');
      await setClock(86_401 + 3_601);
      assert.equal(await outcomeOf(wrong, tight), 'settled');
    });
  });
