import { createHash } from 'node:crypto';
import type { Bytes } from './rendered.js';

/** By identity: what sells often is hashed once. Bytes are never changed. */
const known = new WeakMap<Bytes, Buffer>();

/** SHA-256 of the bytes, 32 bytes long. */
export function contentDigest(bytes: Bytes): Buffer {
  let digest = known.get(bytes);
  if (digest === undefined) {
    const hash = createHash('sha256');
    for (const chunk of bytes.chunks) hash.update(chunk);
    digest = hash.digest();
    known.set(bytes, digest);
  }
  return digest;
}
