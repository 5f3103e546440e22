import type { BoughtReply } from '../../../generated/types.gen.js';
import { renderStored } from '../../contract/rendered.js';
import type { PaymentDesk } from '../../payments/status/payment-desk.js';
import type { Handler } from '../handler.js';

/**
 * GET /api/payments/{payment_id}/response: the paid reply again, to the wallet that paid or for the token given with
 * it.
 */
export function createGetPaymentResponse(desk: PaymentDesk): Handler<'getPaymentResponse'> {
  return async ({ path, query: { token }, walletProofs: proofs = [] }) => {
    const { headers, body, contentKey, onDelivery } = await desk.deliver(path.payment_id, { proofs, token });
    // Proven before it was sold; the contract may have grown since.
    return { status: 200, body: renderStored<BoughtReply>(body), headers, cacheKey: contentKey, onDelivery };
  };
}
