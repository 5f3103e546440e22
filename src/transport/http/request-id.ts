import { randomBytes } from 'node:crypto';

/**
 * Creates a generator of request ids, unique in this process and, by the random seed, across processes. A caller's id
 * is never used.
 */
export function createRequestIds(seed: string = randomBytes(5).toString('hex')): () => string {
  let count = 0;
  return () => `${seed}${(++count).toString(36).padStart(6, '0')}`;
}
