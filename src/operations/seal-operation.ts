import type { ContractOperation } from '../contract/contract.js';
import type { Validators } from '../contract/validators.js';
import { ServiceError } from '../errors.js';
import { memoizeLast } from './memoize-last.js';
import type { Log } from '../log.js';
import type { OperationGate } from '../payments/gate/gate.js';
import type { PaidReply } from '../payments/ledger/payment-machine.js';
import { paymentRequired } from '../payments/gate/payment-required.js';
import type { Secrets } from '../secrets/secrets.js';
import { freeCaching, paidCaching } from './caching.js';
import { createDecode, type Decoded } from './decode.js';
import { createTagsOf, findTag, tagOfBody } from './etag.js';
import type {
  AnyHandler,
  HandlerReply,
  OperationReply,
  OperationRequest,
  ParameterRules,
  Revision,
} from './operation.js';
import { hideUnforeseen } from './problem.js';
import { createProblemReply, createUnpaidReply } from './problem-reply.js';
import { createReplyProof, replyHeaders } from './reply-proof.js';
import { createSellReply } from './sell-reply.js';

/** One operation of the contract, closed at start: parameters in, a proven and, where priced, paid reply out. */
export type SealedOperation = (request: OperationRequest) => Promise<OperationReply>;

export interface SealPorts {
  readonly operation: ContractOperation;
  readonly handler: AnyHandler;
  /** Present exactly when the operation is priced. */
  readonly gate: OperationGate | undefined;
  readonly rules?: ParameterRules | undefined;
  /** The version of what answers, without running the handler; undefined where only the reply's bytes tell. */
  readonly currentRevision: Revision | undefined;
  /** The 503 of an operation whose feed was never published; undefined once it was. */
  readonly findUnpublished?: (() => ServiceError | undefined) | undefined;
  /** Loads the published feed when a claim found that it has moved. */
  readonly refreshFeed: () => Promise<void>;
  readonly validators: Validators;
  readonly secrets: Secrets;
  readonly log: Log;
}

/**
 * Seals one operation: decode -> revalidate -> admit -> handle -> prove -> charge. The order is the guarantee: nothing
 * unpaid reaches the handler, nothing that breaks the contract is charged, nothing is sent that was not charged. A
 * failure becomes a proven problem reply.
 */
export function sealOperation(ports: SealPorts): SealedOperation {
  const { operation, gate } = ports;
  const decode = createDecode(operation, ports.validators);
  const tagsOf = createTagsOf(ports.secrets, operation.operationId);
  const prove = createReplyProof(operation, ports.validators);
  const problemReply = createProblemReply(operation, gate?.challenge, ports.validators);
  const askForPayment = gate && createUnpaidReply(problemReply, gate.challenge);
  // What the contract has approved has the handler's types; TypeScript cannot know what Ajv has proven.
  const handle = ports.handler as unknown as (
    input: Decoded & { walletProofs?: readonly string[] },
  ) => HandlerReply | Promise<HandlerReply>;
  const sell = gate && createSellReply({ ...ports, gate, handle, prove, tagsOf });

  async function answer(request: OperationRequest): Promise<OperationReply> {
    const decoded = decode(request.query, request.path);
    const { faults, canonical } = decoded;
    const [fault] = faults;
    const isPathFaulty = faults.some((each) => each.in === 'path');
    if (fault !== undefined && (gate === undefined || isPathFaulty)) {
      const refusal = isPathFaulty ? ports.rules?.refusePath?.(decoded.path) : undefined;
      throw (
        gate?.countRefused(request) ??
        refusal ??
        new ServiceError(fault.reason, 'Correct the parameters in `errors`.', { faults })
      );
    }
    const unpublished = ports.findUnpublished?.();
    // Nobody is asked for money for what cannot be delivered, and no payment is looked at.
    if (unpublished !== undefined) throw gate?.countRefused(request) ?? unpublished;
    const revision = faults.length === 0 ? await ports.currentRevision?.() : undefined;
    const asksForNews = revision !== undefined && request.ifNoneMatch !== undefined;
    const heldTag = asksForNews ? findTag(request.ifNoneMatch, tagsOf(canonical, revision)) : undefined;
    if (heldTag !== undefined) return notModified(heldTag, gate === undefined ? freeCaching : paidCaching);
    if (gate === undefined || sell === undefined) return answerFree(request, decoded, revision);
    const admission = await gate.admit(request, canonical, faults);
    switch (admission.kind) {
      case 'unpaid': {
        const found = ports.rules?.findFaults?.(decoded.query) ?? [];
        const told = [
          ...faults,
          ...found.filter(({ parameter }) => !faults.some((each) => each.parameter === parameter)),
        ];
        if (told.length === 0 && askForPayment) return askForPayment(request.requestId);
        throw paymentRequired(told);
      }
      case 'redelivered':
        return toReply(admission.reply);
      case 'admitted':
        return toReply(await admission.call.sell(() => sell(admission.verified, request, decoded)));
    }
  }

  /** A free reply is composed, proven and tagged once for as long as what it depends on stays the same. */
  const composeOnce = memoizeLast((tag: string, request: OperationRequest, decoded: Decoded) =>
    composeFree(request, decoded, tag),
  );

  function answerFree(
    request: OperationRequest,
    decoded: Decoded,
    revision: string | undefined,
  ): Promise<OperationReply> {
    if (revision === undefined) return composeFree(request, decoded);
    const [tag] = tagsOf(decoded.canonical, revision);
    // What is named in the path may come to its end by itself, as a page does.
    return operation.path.includes('{') ? composeFree(request, decoded, tag) : composeOnce(tag, request, decoded);
  }

  async function composeFree(request: OperationRequest, decoded: Decoded, tag?: string): Promise<OperationReply> {
    const reply = await handle({ ...decoded, walletProofs: request.walletProofs });
    const body = prove(reply);
    const headers = replyHeaders(reply);
    if (operation.tags.includes('health') || operation.tags.includes('payments')) {
      headers['Cache-Control'] ??= 'no-store';
      const { cacheKey, onDelivery } = reply;
      const paid = cacheKey === undefined || onDelivery === undefined ? {} : { cacheKey, onDelivery };
      // Whoever asks with HEAD has no body of it.
      return { status: reply.status, headers, body, ...(request.headOnly ? {} : paid) };
    }
    const ETag = tag ?? tagOfBody(body);
    // Where a revision tells the tag, the caller's was held against it before.
    const heldTag = tag === undefined ? findTag(request.ifNoneMatch, [ETag]) : undefined;
    if (heldTag !== undefined) return notModified(heldTag, freeCaching);
    return { status: reply.status, headers: { ...headers, ETag, 'Cache-Control': freeCaching }, body, cacheKey: ETag };
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      const { operationId } = operation;
      const told = hideUnforeseen(error);
      if (told !== error) ports.log.error({ err: error, operationId, requestId: request.requestId }, 'unhandled error');
      return problemReply(told, request.requestId);
    }
  };
}

/** Compressed copies are kept by content: a reply of before is never sent as the one that took its place. */
function toReply({ contentKey, ...reply }: PaidReply): OperationReply {
  return { status: 200, ...reply, cacheKey: contentKey };
}

/** What the reply itself would have said about caching, says its 304 (RFC 9110). */
function notModified(tag: string, caching: string): OperationReply {
  return { status: 304, headers: { ETag: tag, 'Cache-Control': caching, Vary: 'Accept-Encoding' }, body: undefined };
}
