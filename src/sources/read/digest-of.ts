import { createHash } from 'node:crypto';

/** A short text that tells a JSON value from any other. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
