import type { ContractOperation } from '../contract/contract.js';
import { assertKept, ContractBreach } from '../contract/prover.js';
import { Rendered, wholeBytes, type Bytes } from '../contract/rendered.js';
import type { Validators } from '../contract/validators.js';
import type { HandlerReply } from './operation.js';

/** Checks a handler's reply against the contract and returns its bytes. @throws ContractBreach */
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
