import { createHash, createHmac } from 'node:crypto';
import type { ContractOperation } from '../contract/contract.js';
import { assertKept, ContractBreach } from '../contract/prover.js';
import { Rendered } from '../contract/rendered.js';
import type { Validators } from '../contract/validators.js';
import { ServiceError } from '../errors.js';
import type { Log } from '../log.js';
import type { OperationGate, Ticket } from '../payments/gate.js';
import type { PaidReply } from '../payments/payment-machine.js';
import { createDecode, type Decoded } from './decode.js';
import type { AnyHandler, HandlerReply, OperationReply, OperationRequest } from './operation.js';
import { hideUnforeseen } from './problem.js';
import { createProblemReply } from './problem-reply.js';

/** One operation of the contract, closed at start: parameters in, a proven and, where priced, paid reply out. Never throws. */
export type SealedOperation = (request: OperationRequest) => Promise<OperationReply>;

export interface SealPorts {
  readonly operation: ContractOperation;
  readonly handler: AnyHandler;
  /** Present exactly when the operation is priced. */
  readonly gate: OperationGate | undefined;
  /** The version of what answers, without running the handler; undefined where only the reply's bytes tell. */
  readonly currentRevision: (() => string | undefined) | undefined;
  /** Loads the published feed when a claim found that it has moved. */
  readonly refreshFeed: () => Promise<void>;
  readonly validators: Validators;
  readonly secret: string;
  readonly log: Log;
}

/**
 * Seals one operation: decode -> revalidate -> admit -> handle -> prove -> charge. The order is the guarantee: nothing
 * unpaid reaches the handler, nothing that breaks the contract is charged, nothing is sent that was not charged.
 */
export function sealOperation(ports: SealPorts): SealedOperation {
  const { operation, gate } = ports;
  const decode = createDecode(operation, ports.validators);
  const problemReply = createProblemReply(operation, gate?.challenge, ports.validators);
  const prove = createReplyProof(operation, ports.validators);
  const handle = ports.handler as (input: { query: unknown; path: unknown }) => HandlerReply | Promise<HandlerReply>;

  async function answer(request: OperationRequest): Promise<OperationReply> {
    const decoded = decode(request.query, request.path);
    const revision = decoded.faults.length === 0 ? ports.currentRevision?.() : undefined;
    const revisionTag =
      revision === undefined ? undefined : keyedTag(ports.secret, operation.operationId, decoded.canonical, revision);
    if (revisionTag !== undefined && matches(request.ifNoneMatch, revisionTag)) return notModified(revisionTag);
    const badPath = decoded.faults.filter((fault) => fault.in === 'path');
    if (badPath.length > 0 || (gate === undefined && decoded.faults.length > 0)) {
      throw new ServiceError(decoded.faults[0]?.reason ?? 'invalid_parameter', 'Correct the parameters in `errors`.', {
        faults: decoded.faults,
      });
    }
    if (gate === undefined) return answerFree(request, decoded, revisionTag);
    const admission = await gate.admit({ ...request, canonical: decoded.canonical, faults: decoded.faults });
    return paid(
      admission.kind === 'redelivered' ? admission.reply : await sell(gate, admission.ticket, request, decoded),
    );
  }

  async function answerFree(
    request: OperationRequest,
    decoded: Decoded,
    revisionTag: string | undefined,
  ): Promise<OperationReply> {
    const reply = await handle(decoded);
    const body = prove(reply);
    const tag = operation.tags.includes('health') ? undefined : (revisionTag ?? bodyTag(body));
    if (tag !== undefined && matches(request.ifNoneMatch, tag)) return notModified(tag);
    const headers = {
      ...baseHeaders(reply),
      ...(tag === undefined ? { 'Cache-Control': 'no-store' } : { ETag: tag, 'Cache-Control': 'public, max-age=60' }),
    };
    return {
      status: reply.status,
      headers,
      body,
      ...(tag === undefined ? {} : { cacheKey: `${operation.operationId} ${tag}` }),
    };
  }

  /** Runs the handler and charges for its reply; once more when the feed moved meanwhile. */
  async function sell(
    gate: OperationGate,
    ticket: Ticket,
    request: OperationRequest,
    decoded: Decoded,
  ): Promise<PaidReply> {
    for (let attempt = 0; attempt < 2; attempt++) {
      const reply = await runPaid(gate, ticket, decoded);
      if ('onDelivery' in reply) return reply;
      if (reply.feed === undefined) throw new ContractBreach(`${operation.operationId} sells without naming its feed`);
      if (request.isAbandoned())
        throw new ServiceError('temporarily_unavailable', 'The caller hung up; nothing was charged.', {
          payment: 'not_settled',
        });
      const tag = keyedTag(
        ports.secret,
        operation.operationId,
        decoded.canonical,
        `${reply.feed.name} ${reply.feed.version}`,
      );
      const headers = { ...baseHeaders(reply), ETag: tag, 'Cache-Control': 'private, no-store' };
      const charged = await gate.charge(ticket, { headers, body: prove(reply), feed: reply.feed });
      if (charged !== 'feed_moved') return charged;
      await ports.refreshFeed();
    }
    throw new ServiceError(
      'temporarily_unavailable',
      'The feed is being published. The payment was not used; send it again.',
      {
        payment: 'not_settled',
        retryAfterSeconds: 1,
      },
    );
  }

  /** The handler's 200; or, where it has none, what the ledger keeps for this authorization, before any refusal. */
  async function runPaid(gate: OperationGate, ticket: Ticket, decoded: Decoded): Promise<HandlerReply | PaidReply> {
    try {
      const reply = await handle(decoded);
      if (reply.status === 200) return reply;
      throw new ContractBreach(`${operation.operationId} answered ${reply.status} instead of throwing its reason`);
    } catch (error) {
      const known = await gate.recall(ticket);
      if (known !== undefined) return known;
      if (error instanceof ServiceError)
        throw new ServiceError(error.reason, error.message, { payment: 'not_settled', ...error.details });
      throw error;
    }
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      const told = hideUnforeseen(error);
      if (told !== error)
        ports.log.error({ err: error, operationId: operation.operationId, requestId: request.requestId }, 'unforeseen');
      return problemReply(told, request.requestId);
    }
  };
}

function paid(reply: PaidReply): OperationReply {
  const etag = reply.headers['ETag'];
  return { status: 200, ...reply, ...(etag === undefined ? {} : { cacheKey: etag }) };
}

function baseHeaders(reply: HandlerReply): Record<string, string> {
  const feed = reply.feed === undefined ? {} : { 'Feed-Version': String(reply.feed.version) };
  return { 'Content-Type': reply.mediaType ?? 'application/json', ...feed, ...reply.headers };
}

/** Holds a reply against the contract: declared status, declared media type, body. */
function createReplyProof(operation: ContractOperation, validators: Validators): (reply: HandlerReply) => Uint8Array {
  return (reply) => {
    const pointer = operation.replies.get(reply.status)?.get(reply.mediaType ?? 'application/json');
    if (pointer === undefined)
      throw new ContractBreach(`${operation.operationId} does not declare ${reply.status} ${reply.mediaType ?? ''}`);
    if (reply.body instanceof Rendered) return reply.body.bytes;
    assertKept(validators.at(pointer), reply.body, `${operation.operationId} ${reply.status}`);
    return Buffer.from(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  };
}

/** A strong tag that tells nobody anything: without the secret the tag of a reply cannot be guessed. */
function keyedTag(secret: string, ...parts: readonly string[]): string {
  return `"${createHmac('sha256', secret).update(parts.join('\n')).digest('base64url').slice(0, 22)}"`;
}

function bodyTag(body: Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

function matches(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some(
    (each) =>
      each
        .trim()
        .replace(/^W\//, '')
        .replace(/-(br|gzip)"$/, '"') === tag,
  );
}

function notModified(tag: string): OperationReply {
  return { status: 304, headers: { ETag: tag }, body: undefined };
}
