import type { PaymentRow } from '../../src/payments/ledger/ledger.js';
import { replySuppressed } from '../../src/payments/payment-errors.js';
import { spread } from './spread.js';
import type { Variant } from './variant.js';

/** Machines that redeliver replies to the wrong callers, or refuse the right ones. */
export const redeliveryDamages: readonly Variant[] = [
  {
    name: 'gives the reply again to whoever shows the signature',
    ledger: (ledger) => ({
      ...spread(ledger),
      find: async (key) => forgetDelivery(await ledger.find(key)),
      takeRedelivery: async () => true,
    }),
    deliveries: (deliveries) => ({ ...deliveries, isCompleted: () => false }),
  },
  {
    name: 'gives a reply again as often as it is asked for, once one was incomplete',
    ledger: (ledger) => ({
      ...spread(ledger),
      async takeRedelivery(key, owner) {
        const row = await ledger.find(key);
        return row?.delivery === 'incomplete' || ledger.takeRedelivery(key, owner);
      },
    }),
  },
  {
    name: 'forgets which replies have arrived',
    deliveries: (deliveries) => ({ ...deliveries, record: () => undefined, isCompleted: () => false }),
  },
  {
    name: 'forgets which replies have not arrived, and takes them for delivered',
    deliveries: (deliveries) => ({ ...deliveries, record: (key) => deliveries.record(key, true) }),
  },
  {
    name: 'ignores the identifier of a payment',
    ledger: (ledger) => ({
      ...spread(ledger),
      claim: (claim) => ledger.claim({ ...claim, clientIdHash: undefined }),
      isClientIdTaken: async () => false,
    }),
  },
  {
    name: 'lets one identifier stand for several payments',
    ledger: (ledger) => ({
      ...spread(ledger),
      claim: (claim) => ledger.claim({ ...claim, clientIdHash: claim.clientIdHash && markedBy(claim) }),
      isClientIdTaken: async () => false,
    }),
    machine: (machine) => ({
      ...machine,
      resume: (row, verified) =>
        machine.resume(row, { ...verified, clientIdHash: verified.clientIdHash && markedBy(verified.key) }),
    }),
  },
  {
    name: 'asks for no identifier where a payment has one',
    machine: (machine) => ({
      ...machine,
      resume: (row, verified) => machine.resume(row, { ...verified, clientIdHash: row.clientIdHash }),
    }),
  },
  {
    name: 'gives the reply to whoever knows the id of its payment',
    paymentStatus: (paymentStatus, { ledger, machine }) => ({
      ...paymentStatus,
      async deliver(paymentId, proofs) {
        const found = await ledger.findById(Buffer.from(paymentId.slice(2), 'hex'));
        return found?.row.state === 'settled' ? machine.deliver(found.row) : paymentStatus.deliver(paymentId, proofs);
      },
    }),
  },
  {
    name: 'does not look who has signed a proof',
    proofs: (proofs) => ({ ...proofs, refuse: async () => undefined }),
  },
  {
    name: 'sends a suppressed reply for ever',
    ledger: (ledger, tables) => ({
      ...spread(ledger),
      readReplyBody: async (hash) => tables.bodies.get(Buffer.from(hash).toString('base64'))?.body,
    }),
  },
  {
    name: 'tells whoever shows a signature that the reply is suppressed',
    machine: (machine, { ledger }) => ({
      ...machine,
      async resume(row, verified) {
        if (row.state === 'settled' && (await ledger.readReplyBody(row.replyHash)) === 'suppressed')
          throw replySuppressed();
        return machine.resume(row, verified);
      },
    }),
  },
  {
    name: 'gives the payer nothing again that has arrived once',
    paymentStatus: (paymentStatus) => ({
      ...paymentStatus,
      async deliver(paymentId, shown) {
        const { delivered } = await paymentStatus.report(paymentId);
        return paymentStatus.deliver(paymentId, delivered ? { proofs: [] } : shown);
      },
    }),
  },
];

function forgetDelivery(row: PaymentRow | undefined): PaymentRow | undefined {
  return row && { ...row, delivery: 'pending' };
}

/** A mark that is unique to each payment. */
function markedBy({ nonce }: Pick<PaymentRow, 'nonce'>): Uint8Array {
  return Buffer.from(nonce.slice(2), 'hex');
}
