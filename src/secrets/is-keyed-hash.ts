import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from './secrets.js';

/**
 * Whether a base64url text is a keyed hash under any secret that is accepted. Takes as long for a wrong one as for a
 * right one.
 */
export function isKeyedHash(text: string, secrets: Secrets, hashUnder: (secret: string) => Buffer): boolean {
  const given = Buffer.from(text, 'base64url');
  return secrets.some((secret) => {
    const expected = hashUnder(secret);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
