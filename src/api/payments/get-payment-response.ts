import type { BoughtReply } from '../../../generated/types.gen.js';
import { renderStored } from '../../contract/rendered.js';
import type { PaymentStatusService } from '../../payments/status/payment-status.js';
import type { Handler } from '../handler.js';

/**
 * GET /api/payments/{payment_id}/response: the paid reply again, for the wallet that paid or the token issued with it.
 */
export function createGetPaymentResponse(paymentStatus: PaymentStatusService): Handler<'getPaymentResponse'> {
  return async ({ path, query: { token }, walletProofs: proofs = [] }) => {
    const { body, ...reply } = await paymentStatus.deliver(path.payment_id, { proofs, token });
    // Proven before it was sold; the contract may have grown since.
    return { status: 200, body: renderStored<BoughtReply>(body), ...reply };
  };
}
