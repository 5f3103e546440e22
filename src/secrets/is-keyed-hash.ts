import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from './secrets.js';

/** Whether a base64url text is a keyed hash under any accepted secret. The time does not depend on the result. */
export function isKeyedHash(text: string, secrets: Secrets, hashUnder: (secret: string) => Buffer): boolean {
  const given = Buffer.from(text, 'base64url');
  return secrets.some((secret) => {
    const expected = hashUnder(secret);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
