import { randomBytes } from 'node:crypto';

/** Creates a maker of request ids: unique in this process and, by its random start, among all. Never a caller's own. */
export function createRequestIds(seed: string = randomBytes(5).toString('hex')): () => string {
  let count = 0;
  return () => `${seed}${(++count).toString(36).padStart(6, '0')}`;
}
