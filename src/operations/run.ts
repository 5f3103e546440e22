import type { ContractOperation } from '../contract/contract.js';
import type { Decode, Decoded } from '../contract/paths.js';
import { ContractBreach } from '../contract/prover.js';
import { contentDigest } from '../contract/rendered.js';
import type { Validators } from '../contract/validators.js';
import { ServiceError } from '../errors.js';
import type { Log } from '../log.js';
import type { Challenge } from '../payments/gate/challenge.js';
import type { OperationGate, PaidCall } from '../payments/gate/gate.js';
import type { ProvenReply } from '../payments/build-claim.js';
import type { PaidReply, PaymentMachine } from '../payments/payment-machine.js';
import type { VerifiedPayment } from '../payments/verified-payment.js';
import type { Secrets } from '../secrets/secrets.js';
import { createAnswerFree, freeCaching, notModified } from './answer-free.js';
import { createAskForPayment } from './ask-for-payment.js';
import { createTagsOf, findTag, tagOfBody } from './etag.js';
import type {
  AnyHandler,
  Handle,
  HandlerReply,
  OperationReply,
  OperationRequest,
  ParameterRules,
  PreviewAsked,
  ReadRevision,
  Run,
} from './operation.js';
import { toServiceError, createProblemReply } from './problem.js';
import { createReplyProof, replyHeaders } from './reply-proof.js';

export interface RunPorts {
  readonly operation: ContractOperation;
  readonly decode: Decode;
  readonly handler: AnyHandler;
  /** Present exactly when the operation is priced. */
  readonly sale: Sale | undefined;
  readonly rules?: ParameterRules | undefined;
  /** The preview in the 402. */
  readonly preview?: PreviewAsked | undefined;
  /** The current version of the reply's inputs. Undefined: the ETag is a digest of the body. */
  readonly currentRevision: ReadRevision | undefined;
  /** The 503 while a feed of the operation has no readable version; undefined otherwise. */
  readonly findUnpublished?: (() => ServiceError | undefined) | undefined;
  /** Loads the published feed after a stale charge. */
  readonly refreshFeed: () => Promise<void>;
  readonly validators: Validators;
  readonly secrets: Secrets;
  readonly log: Log;
}

/** The gate and the charge of a priced operation. */
export interface Sale {
  readonly gate: OperationGate;
  readonly charge: PaymentMachine['charge'];
}

/** Runs of the handler for one payment: a second one when a new feed version was published. */
const feedAttempts = 2;
/** A buyer who loses the race for a lead gets the next one. Source: docs/decisions/contract.md. */
const leadAttempts = 5;

/** Only its buyer may have a paid reply; no cache keeps it. */
const paidCaching = 'private, no-store';

/**
 * Creates the run of one operation: decode -> admit -> handle -> prove -> charge. The order is the guarantee: a priced
 * handler never sees an unpaid request, an invalid reply is never charged, and an uncharged reply is never sent. An
 * error becomes a proven problem reply.
 */
export function createRun(ports: RunPorts): Run {
  const { operation, decode, sale, rules, currentRevision } = ports;
  const tagsOf = createTagsOf(ports.secrets, operation.operationId);
  const prove = createReplyProof(operation, ports.validators);
  const problemReply = createProblemReply(ports.validators, operation);
  // Ajv has proven the parameters against the contract, which TypeScript cannot know.
  const handle = ports.handler as unknown as Handle;
  const answerFree = createAnswerFree({ operation, handle, prove, tagsOf });
  const askForPayment =
    sale && createAskForPayment({ ...ports, problemReply, challengeOf: sale.gate.challenge, bare: decode('', {}) });

  async function run(request: OperationRequest): Promise<OperationReply> {
    let call: PaidCall | undefined;
    let challengeOf: (() => Challenge) | undefined;
    try {
      const decoded = decode(request.query, request.path);
      challengeOf = sale && (() => sale.gate.challenge(decoded));
      // Before the payment is read: its caller is counted as unpaid, and a 429 takes the place of the refusal.
      const refusal = refuse(decoded);
      if (refusal !== undefined) throw sale?.gate.limitAsUnpaid(request) ?? refusal;
      const isConditional = request.ifNoneMatch !== undefined;
      const needsRevision = decoded.faults.length === 0 && (isConditional || sale === undefined);
      const revision = needsRevision ? await currentRevision?.(decoded.query) : undefined;
      const tag =
        revision === undefined ? undefined : findTag(request.ifNoneMatch, tagsOf(decoded.canonical, revision));
      if (tag !== undefined) return notModified(tag, sale === undefined ? freeCaching : paidCaching);
      if (sale === undefined || askForPayment === undefined) return await answerFree(request, decoded, revision);
      const admission = await sale.gate.admit(request, decoded);
      if (admission.kind === 'unpaid') return await askForPayment(decoded, request);
      if (admission.kind === 'redelivered') return { status: 200, ...admission.reply };
      call = admission.call;
      return { status: 200, ...(await sell(sale, admission.payment, request, decoded)) };
    } catch (error) {
      call?.fail(error);
      const serviceError = toServiceError(error);
      const about = { err: error, operationId: operation.operationId, requestId: request.requestId };
      if (serviceError !== error) ports.log.error(about, 'unhandled error');
      return problemReply(serviceError, request.requestId, challengeOf);
    } finally {
      call?.end();
    }
  }

  /** Makes a reply and charges for it. A stale reply is made again: the only retry that runs the handler again. */
  async function sell(
    { gate, charge }: Sale,
    payment: VerifiedPayment,
    request: OperationRequest,
    decoded: Decoded,
  ): Promise<PaidReply> {
    for (let attempt = 1; ; attempt++) {
      let reply: HandlerReply;
      try {
        reply = await handle(decoded);
        // A handler throws every other answer.
        if (reply.status !== 200)
          throw new ContractBreach(`${operation.operationId} answered ${reply.status} instead of throwing its reason`);
      } catch (error) {
        return recallOrThrow(gate, payment, error);
      }
      try {
        if (request.isAbandoned()) throw paymentNotUsed('The caller hung up.', payment);
        const charged = await charge(payment, buildSaleReply(reply, decoded));
        if (charged.outcome === 'settled') return charged.reply;
        if (charged.outcome !== 'stale') throw charged.error;
      } finally {
        reply.onSaleEnd?.();
      }
      await ports.refreshFeed();
      const attempts = reply.leads === undefined ? feedAttempts : leadAttempts;
      if (attempt === attempts) return recallOrThrow(gate, payment, staleReplyError(reply, payment));
    }
  }

  /** The refusal of a request that has no answer, paid or not. */
  function refuse({ faults, path }: Decoded): ServiceError | undefined {
    const isPathFaulty = faults.some((each) => each.in === 'path');
    const [fault] = faults;
    if (fault !== undefined && (sale === undefined || isPathFaulty))
      return (
        (isPathFaulty ? rules?.refusePath?.(path) : undefined) ??
        new ServiceError(fault.reason, 'Correct the parameters in `errors`.', { faults })
      );
    return ports.findUnpublished?.();
  }

  /** The proven reply with its headers. @throws ContractBreach */
  function buildSaleReply(reply: HandlerReply, { canonical }: Decoded): ProvenReply {
    const { feed, leads } = reply;
    if (feed === undefined) throw new ContractBreach(`${operation.operationId} sells without naming its feed`);
    const body = prove(reply);
    const headers = {
      ...replyHeaders(reply),
      ETag: feed.revision === undefined ? tagOfBody(body) : tagsOf(canonical, feed.revision)[0],
      'Cache-Control': paidCaching,
      'Repr-Digest': `sha-256=:${contentDigest(body).toString('base64')}:`,
    };
    return { headers, body, feed, leads };
  }

  return run;
}

/** The payment's stored reply, looked up before any refusal. @throws the refusal, without a stored reply */
async function recallOrThrow(gate: OperationGate, payment: VerifiedPayment, error: unknown): Promise<PaidReply> {
  const known = await gate.recall(payment);
  if (known !== undefined) return known;
  if (!(error instanceof ServiceError)) throw error;
  throw new ServiceError(error.reason, error.message, { payment: paymentStateOf(payment), ...error.details });
}

/** The state of a payment that bought nothing: a third party may have submitted it. */
function paymentStateOf({ wasSubmittedByThirdParty }: VerifiedPayment): 'settled' | 'not_settled' {
  return wasSubmittedByThirdParty === true ? 'settled' : 'not_settled';
}

/** The error after the last stale reply. */
function staleReplyError({ leads }: HandlerReply, payment: VerifiedPayment): ServiceError {
  const isExclusive = leads?.some(({ exclusiveUntil }) => exclusiveUntil !== undefined) === true;
  if (!isExclusive) return paymentNotUsed('The feed is being published.', payment);
  return new ServiceError(
    'no_exclusive_lead_available',
    'Other buyers were faster with each lead that matched. Nothing was billed; the same payment can be sent again.',
  );
}

function paymentNotUsed(why: string, payment: VerifiedPayment): ServiceError {
  return new ServiceError(
    'temporarily_unavailable',
    `${why} The payment was not used; the same one can be sent again.`,
    { payment: paymentStateOf(payment), retryAfterSeconds: 1 },
  );
}
