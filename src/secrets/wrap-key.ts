import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts and authenticates a key under a secret (AES-256-GCM). */
export function wrapKey(key: string, secret: string, iv: Buffer = randomBytes(ivBytes)): Buffer {
  const wrapping = createCipheriv(cipher, deriveKey(secret), iv);
  const wrapped = Buffer.concat([wrapping.update(key, 'utf8'), wrapping.final()]);
  return Buffer.concat([iv, wrapping.getAuthTag(), wrapped]);
}

/** Decrypts a key; undefined when it was encrypted under another secret. */
export function unwrapKey(wrapped: Buffer, secret: string): string | undefined {
  const unwrapping = createDecipheriv(cipher, deriveKey(secret), wrapped.subarray(0, ivBytes));
  unwrapping.setAuthTag(wrapped.subarray(ivBytes, ivBytes + tagBytes));
  const key = unwrapping.update(wrapped.subarray(ivBytes + tagBytes));
  try {
    return Buffer.concat([key, unwrapping.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function deriveKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'key of the hashes', 32));
}
