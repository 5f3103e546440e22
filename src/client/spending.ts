import type { Spending } from './deals-client.js';
import type { KeptPayment } from './kept-payment.js';
import { dayMs, hourMs, sumSpent } from './payment-journal.js';
import { paymentIdOf } from './payment-id.js';
import { formatDollars } from './usd.js';

/** What the payments that are kept say of the money spent. */
export function describeSpending(payments: readonly KeptPayment[], now: Date): Spending {
  const nowMs = now.getTime();
  return {
    lastHour: formatDollars(sumSpent(payments, nowMs, hourMs)),
    lastDay: formatDollars(sumSpent(payments, nowMs, dayMs)),
    open: payments
      .filter(({ header }) => header !== undefined)
      .map((payment) => ({
        url: payment.url,
        network: payment.network,
        asset: payment.asset,
        amount: formatDollars(BigInt(payment.amount)),
        payer: payment.payer,
        paymentId: paymentIdOf(payment),
        validBefore: new Date(payment.validBefore * 1000),
      })),
  };
}
