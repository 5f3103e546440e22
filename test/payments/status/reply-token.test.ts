import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/errors.js';
import {
  createPaymentStatusService,
  type PaymentStatusServicePorts,
} from '../../../src/payments/status/payment-status.js';
import { createReplyTokens } from '../../../src/payments/status/reply-token.js';

const paymentId = `0x${'ab'.repeat(32)}`;

describe('the token that comes with a paid reply', () => {
  const token = createReplyTokens(['before']).issue(paymentId);

  it('is that of its payment alone', () => {
    const tokens = createReplyTokens(['before']);
    assert.ok(tokens.isGenuine(paymentId, token));
    assert.ok(!tokens.isGenuine(`0x${'ac'.repeat(32)}`, token));
    for (const other of ['', token.slice(1), `${token}A`, 'A'.repeat(43)])
      assert.ok(!tokens.isGenuine(paymentId, other));
  });

  it('stays good while the secret changes, and not longer', () => {
    assert.ok(createReplyTokens(['now', 'before']).isGenuine(paymentId, token));
    assert.notEqual(createReplyTokens(['now', 'before']).issue(paymentId), token);
    assert.ok(!createReplyTokens(['now']).isGenuine(paymentId, token));
  });

  it('opens the reply for a day after the settlement, and no longer than it is kept, by the clock of the ledger', async () => {
    const settledAt = new Date('2026-11-25T10:00:00Z');
    const later = (seconds: number) => new Date(settledAt.getTime() + seconds * 1000);
    const day = 86_400;
    async function isOpen(readAt: Date, keepRepliesMs: number): Promise<boolean> {
      const row = { state: 'settled', claimedAt: settledAt, settlement: { settledAt }, binding: Buffer.alloc(32) };
      const ports = {
        ledger: { findById: async () => ({ row, isReplyKept: true, readAt }) },
        machine: { deliver: async () => 'the reply' },
        assertPayer: () => Promise.reject(new ServiceError('payment_already_used', 'sign in')),
        tokens: createReplyTokens(['before']),
        keepRepliesMs,
      } as unknown as PaymentStatusServicePorts;
      const answer = createPaymentStatusService(ports).deliver(paymentId, { proofs: [], token });
      return (await answer.catch(() => undefined)) !== undefined;
    }
    assert.deepEqual(await Promise.all([day - 1, day].map((seconds) => isOpen(later(seconds), 3 * day * 1000))), [
      true,
      false,
    ]);
    assert.deepEqual(await Promise.all([59, 60].map((seconds) => isOpen(later(seconds), 60_000))), [true, false]);
  });
});
