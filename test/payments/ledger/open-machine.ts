import { createHash, randomBytes } from 'node:crypto';
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { wholeBytes } from '../../../src/contract/rendered.js';
import { createDeliveryRecorder } from '../../../src/payments/ledger/delivery-recorder.js';
import type { Ledger } from '../../../src/payments/ledger/ledger.js';
import { createPaymentMachine, type PaymentMachine } from '../../../src/payments/payment-machine.js';
import { noEvidence } from '../../../src/payments/settlement/resolve-open-payment.js';
import type { Settler } from '../../../src/payments/settlement/settler.js';
import type { VerifiedPayment } from '../../../src/payments/verified-payment.js';
import { after as later, claimedAt, randomHex } from './build-claim.js';

const body = Buffer.from('[{"id":1}]');
const log = pino({ level: 'silent' });
export const payerGas = 100_000n;

/** A payment of this account, or of a new one, for the one reply of these tests. */
export function payBy(payer = randomHex(20), hasCode = false): VerifiedPayment {
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

/** How a payment for that reply ends: the outcome, or the reason of the error. */
export async function outcomeOf(machine: PaymentMachine, payment: VerifiedPayment): Promise<string> {
  const reply = { headers: {}, body: wholeBytes(body), feed: { name: 'deals', version: 7 } };
  const charged = await machine.charge(payment, reply);
  return 'error' in charged ? charged.error.reason : charged.outcome;
}

/** A machine of its own process, without a chain to ask. */
export function openMachine(ports: {
  readonly ledger: Ledger;
  readonly settle: Settler['settle'];
  readonly now: () => Date;
  readonly nowMs: () => number;
}): PaymentMachine {
  const { settle, ...clocks } = ports;
  return createPaymentMachine({
    ...{ ...clocks, log, owner: randomBytes(4).toString('hex'), chainInstance: '', evidence: noEvidence },
    settler: { by: 'chain', verify: () => assert.fail(), settle, close: async () => {} },
    deliveries: createDeliveryRecorder(ports.ledger, log, () => () => undefined),
    receiptOf: () => undefined,
    pause: async () => undefined,
  });
}
