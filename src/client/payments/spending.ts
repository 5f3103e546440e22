import type { Spending } from '../deals-client.js';
import type { KeptPayment } from './kept-payment.js';
import { dayMs, hourMs, sumSpent } from './payment-journal.js';
import { paymentIdOf } from './payment-id.js';
import { formatDollars } from './usd.js';

/** Sums up the kept payments: amounts charged, or signed and possibly charged. */
export function describeSpending(payments: readonly KeptPayment[], now: Date): Spending {
  const nowMs = now.getTime();
  const spent = payments.filter(({ header, paidAtMs }) => header !== undefined || paidAtMs !== undefined);
  return {
    lastHour: formatDollars(sumSpent(spent, nowMs, hourMs)),
    lastDay: formatDollars(sumSpent(spent, nowMs, dayMs)),
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
