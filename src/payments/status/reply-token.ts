import { createHmac } from 'node:crypto';
import { isKeyedHash } from '../../secrets/is-keyed-hash.js';
import type { Secrets } from '../../secrets/secrets.js';

/**
 * Lets whoever was given a paid reply over a transport without headers have all of it; it stands for the wallet's
 * proof.
 */
export interface ReplyTokens {
  /** The one token of a payment, 43 characters. Give it to nobody but the buyer. */
  issue(paymentId: string): string;
  isGenuine(paymentId: string, token: string): boolean;
}

/**
 * Creates the keyed hash of payment ids, under the secret in use; one under another that is accepted is genuine, too.
 */
export function createReplyTokens(secrets: Secrets): ReplyTokens {
  return {
    issue: (paymentId) => sign(paymentId, secrets[0]).toString('base64url'),
    isGenuine: (paymentId, token) => isKeyedHash(token, secrets, (secret) => sign(paymentId, secret)),
  };
}

function sign(paymentId: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`reply ${paymentId}`).digest();
}
