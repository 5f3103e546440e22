import type { ContractOperation } from '../contract/contract.js';
import { assertKept, ContractBreach } from '../contract/prover.js';
import { Rendered, wholeBytes, type Bytes } from '../contract/rendered.js';
import type { Validators } from '../contract/validators.js';
import { reasons, type Reason } from '../errors.js';
import type { HandlerReply, Judged, OperationReply } from './operation.js';

/** Holds a handler's reply against the contract and gives its bytes. @throws ContractBreach */
export type ProveReply = (reply: HandlerReply) => Bytes;

/** Status and media type must be declared, and the body must fit its schema; rendered bytes were proven before. */
export function createReplyProof(operation: ContractOperation, validators: Validators): ProveReply {
  return (reply) => {
    const mediaType = reply.mediaType ?? 'application/json';
    const pointer = operation.replies.get(reply.status)?.get(mediaType);
    if (pointer === undefined) {
      throw new ContractBreach(`${operation.operationId} does not declare ${reply.status} ${mediaType}`);
    }
    if (reply.body instanceof Rendered) return reply.body;
    assertKept(validators.at(pointer), reply.body, `${operation.operationId} ${reply.status}`);
    return wholeBytes(Buffer.from(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)));
  };
}

/** The headers that every reply of a handler has: media type, feed version, and what the handler adds. */
export function replyHeaders(reply: HandlerReply): Record<string, string> {
  const headers: Record<string, string> = { 'Content-Type': reply.mediaType ?? 'application/json' };
  if (reply.feed !== undefined) headers['Feed-Version'] = String(reply.feed.version);
  return Object.assign(headers, reply.headers);
}

const setOf = (...some: Reason[]): ReadonlySet<string> => new Set(some);
const knownReasons = setOf(...reasons);
const faultyReasons = setOf(
  'invalid_parameter',
  'unknown_parameter',
  'missing_parameter',
  'invalid_deal_id',
  'placeholder_not_replaced',
  'address_not_parsed',
);

/** With this begins each body of an error: its type comes first. */
const problemStart = '{"type":"/errors#';

/** What a reply means; a faulty call is no refusal. */
export function judgeReply({ status, body, isRepeated }: OperationReply, isPriced: boolean): Judged {
  if (status === 304) return { outcome: 'unchanged' };
  if (status < 400) return { outcome: !isPriced ? 'free' : isRepeated ? 'redelivered' : 'sold' };
  const isOurs = typeof body === 'string' && body.startsWith(problemStart);
  const told = isOurs ? body.slice(problemStart.length, body.indexOf('"', problemStart.length)) : '';
  const reason = knownReasons.has(told) ? told : 'other';
  if (reason === 'payment_required') return { outcome: 'asked', reason };
  if (status === 429) return { outcome: 'limited', reason };
  if (status >= 500) return { outcome: status === 503 ? 'unavailable' : 'failed', reason };
  if (isPriced && status === 404) return { outcome: 'unmatched', reason };
  return { outcome: faultyReasons.has(reason) ? 'faulty' : 'refused', reason };
}
