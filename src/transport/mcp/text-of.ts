import { concatBytes } from '../../contract/rendered.js';
import type { OperationReply } from '../../operations/operation.js';

/** The body of a reply as text. */
export function textOf({ body }: OperationReply): string {
  return typeof body === 'string' ? body : Buffer.from(body === undefined ? [] : concatBytes(body)).toString('utf8');
}
