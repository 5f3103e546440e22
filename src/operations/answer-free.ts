import type { ContractOperation } from '../contract/contract.js';
import type { Decoded } from '../contract/paths.js';
import { findTag, tagOfBody, type TagsOf } from './etag.js';
import { memoizeLast } from './memoize-last.js';
import type { Handle, OperationReply, OperationRequest } from './operation.js';
import { replyHeaders, type ProveReply } from './reply-proof.js';

/** The caching of a free reply. Source: docs/decisions/contract.md. */
export const freeCaching = 'public, max-age=60';

export interface FreePorts {
  readonly operation: ContractOperation;
  readonly handle: Handle;
  readonly prove: ProveReply;
  readonly tagsOf: TagsOf;
}

/**
 * Creates the answer of a free operation. Without path parameters, the latest reply is reused until its revision
 * changes.
 *
 * @returns a function of the request and its revision; the revision is undefined if the ETag is a digest of the body
 */
export function createAnswerFree({ operation, handle, prove, tagsOf }: FreePorts) {
  const composeOnce = memoizeLast((tag: string, request: OperationRequest, decoded: Decoded) =>
    compose(request, decoded, tag),
  );

  async function compose(request: OperationRequest, decoded: Decoded, tag?: string): Promise<OperationReply> {
    const reply = await handle({ ...decoded, walletProofs: request.walletProofs, address: request.address });
    const body = prove(reply);
    const headers = replyHeaders(reply);
    if (operation.tags.includes('health') || operation.tags.includes('payments')) {
      headers['Cache-Control'] ??= 'no-store';
      const { cacheKey, onDelivery } = reply;
      const redelivery = cacheKey === undefined || onDelivery === undefined ? {} : { cacheKey, onDelivery };
      // A HEAD request delivers nothing.
      return { status: reply.status, headers, body, ...(request.headOnly ? {} : redelivery) };
    }
    const ETag = tag ?? tagOfBody(body);
    // The run has compared the caller's tags with the tag of a revision.
    const callerTag = tag === undefined ? findTag(request.ifNoneMatch, [ETag]) : undefined;
    headers['Cache-Control'] ??= freeCaching;
    if (callerTag !== undefined) return notModified(callerTag, headers['Cache-Control']);
    return { status: reply.status, headers: { ...headers, ETag }, body, cacheKey: ETag };
  }

  return (request: OperationRequest, decoded: Decoded, revision: string | undefined): Promise<OperationReply> => {
    if (revision === undefined) return compose(request, decoded);
    const [tag] = tagsOf(decoded.canonical, revision);
    // A resource named in the path, such as a page, may expire by itself.
    return operation.path.includes('{') ? compose(request, decoded, tag) : composeOnce(tag, request, decoded);
  };
}

/** A 304 with the caching headers of the reply itself (RFC 9110). */
export function notModified(tag: string, caching: string): OperationReply {
  return { status: 304, headers: { ETag: tag, 'Cache-Control': caching, Vary: 'Accept-Encoding' }, body: undefined };
}
