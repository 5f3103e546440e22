import assert from 'node:assert/strict';
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
});
