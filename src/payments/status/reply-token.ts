import { createHmac } from 'node:crypto';
import { isKeyedHash } from '../../secrets/is-keyed-hash.js';
import type { Secrets } from '../../secrets/secrets.js';

/**
 * Lets a buyer who got part of a paid reply, over a transport without headers, read all of it; the token replaces the
 * wallet's proof.
 */
export type ReplyTokens = ReturnType<typeof createReplyTokens>;

/** Creates keyed hashes of payment ids under the secret in use; those under other accepted secrets are genuine, too. */
export function createReplyTokens(secrets: Secrets) {
  return {
    /** The one token of a payment, 43 characters. Give it to nobody but the buyer. */
    issue: (paymentId: string): string => sign(paymentId, secrets[0]).toString('base64url'),
    isGenuine: (paymentId: string, token: string): boolean =>
      isKeyedHash(token, secrets, (secret) => sign(paymentId, secret)),
  };
}

function sign(paymentId: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`reply ${paymentId}`).digest();
}
