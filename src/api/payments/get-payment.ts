import type { PaymentStatus } from '../../../generated/types.gen.js';
import type { PaymentStatusService, PaymentReport } from '../../payments/status/payment-status.js';
import type { Handler } from '../handler.js';

/** GET /api/payments/{payment_id}: the state of a payment. */
export function createGetPayment(paymentStatus: PaymentStatusService): Handler<'getPayment'> {
  return async ({ path }) => ({
    status: 200,
    body: composeStatus(path.payment_id, await paymentStatus.report(path.payment_id)),
  });
}

function composeStatus(paymentId: string, report: PaymentReport): PaymentStatus {
  const { state, settlement, redeliveryUntil, open } = report;
  const because = { reason: state === 'claimed' ? 'not_yet_observed' : 'not_applicable' } as const;
  return {
    payment_id: paymentId,
    state,
    operation: report.operationId || null,
    amount: report.amount.toString(),
    network: report.network,
    asset: report.asset,
    claimed_at: report.claimedAt.toISOString(),
    transaction: settlement?.transaction ?? null,
    settled_at: settlement?.settledAt.toISOString() ?? null,
    billed: state === 'claimed' ? null : state === 'settled',
    delivered: report.delivered,
    redelivery_until: redeliveryUntil?.toISOString() ?? null,
    ...(open && { chargeable_until: open.chargeableUntil.toISOString(), ends_by: open.endsBy.toISOString() }),
    response_url: `/api/payments/${paymentId}/response`,
    how_to: howTo,
    absent: {
      ...(report.operationId === '' ? { operation: { reason: 'ambiguous_match' } as const } : {}),
      ...(settlement === undefined ? { transaction: because, settled_at: because } : {}),
      ...(state === 'claimed' ? { billed: because } : {}),
      ...(redeliveryUntil === undefined ? { redelivery_until: because } : {}),
    },
  };
}

const howTo =
  'Send the same request with the same PAYMENT-SIGNATURE and payment-identifier again, or ask at response_url with a ' +
  'SIGN-IN-WITH-X proof of the wallet that paid. Both are free.';
