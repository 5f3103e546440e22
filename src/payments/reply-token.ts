import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../secrets/secrets.js';

/** Lets whoever was given a paid reply through a door without headers have all of it; it stands for the wallet's proof. */
export interface ReplyTokens {
  /** The one token of a payment, 43 characters. Give it to nobody but the buyer. */
  issue(paymentId: string): string;
  isGenuine(paymentId: string, token: string): boolean;
}

/** Creates the keyed hash of payment ids, under the secret in use; one under another that is accepted is genuine, too. */
export function createReplyTokens(secrets: Secrets): ReplyTokens {
  return {
    issue: (paymentId) => sign(paymentId, secrets[0]).toString('base64url'),
    isGenuine(paymentId, token) {
      const given = Buffer.from(token, 'base64url');
      return secrets.some((secret) => {
        const expected = sign(paymentId, secret);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}

function sign(paymentId: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`reply ${paymentId}`).digest();
}
