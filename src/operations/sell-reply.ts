import { contentDigest } from '../contract/content-digest.js';
import { ContractBreach } from '../contract/prover.js';
import type { ContractOperation } from '../contract/contract.js';
import { ServiceError } from '../errors.js';
import type { OperationGate } from '../payments/gate/gate.js';
import type { PaidReply } from '../payments/ledger/payment-machine.js';
import type { VerifiedPayment } from '../payments/gate/verified-payment.js';
import { paidCaching } from './caching.js';
import type { Decoded } from './decode.js';
import { tagOfBody, type TagsOf } from './etag.js';
import { feedRevision, type HandlerReply, type OperationRequest, type Revision } from './operation.js';
import { replyHeaders, type ProveReply } from './reply-proof.js';

export interface SalePorts {
  readonly operation: ContractOperation;
  readonly gate: OperationGate;
  readonly handle: (input: Decoded) => HandlerReply | Promise<HandlerReply>;
  readonly prove: ProveReply;
  readonly tagsOf: TagsOf;
  /** Undefined where only the reply's bytes tell whether it is still the same. */
  readonly currentRevision: Revision | undefined;
  readonly refreshFeed: () => Promise<void>;
}

/** Sells one reply for one verified payment. */
export type SellReply = (verified: VerifiedPayment, request: OperationRequest, decoded: Decoded) => Promise<PaidReply>;

/**
 * Creates the sale of one operation: handle -> prove -> charge; again when the feed or a lead's hold moved in between.
 */
export function createSellReply(ports: SalePorts): SellReply {
  const { operation, gate, handle, prove, tagsOf, currentRevision, refreshFeed } = ports;
  /** The handler's 200; or, where it has none, what the ledger keeps for this authorization, before any refusal. */
  async function run(verified: VerifiedPayment, decoded: Decoded): Promise<HandlerReply | PaidReply> {
    try {
      const reply = await handle(decoded);
      if (reply.status === 200) return reply;
      throw new ContractBreach(`${operation.operationId} answered ${reply.status} instead of throwing its reason`);
    } catch (error) {
      const known = await gate.recall(verified);
      if (known !== undefined) return known;
      if (!(error instanceof ServiceError)) throw error;
      throw new ServiceError(error.reason, error.message, { payment: standingOf(verified), ...error.details });
    }
  }

  /** Charges for a reply that was made for this payment. */
  async function charge(
    verified: VerifiedPayment,
    request: OperationRequest,
    { canonical }: Decoded,
    reply: HandlerReply,
  ) {
    const { feed, leads } = reply;
    if (feed === undefined) throw new ContractBreach(`${operation.operationId} sells without naming its feed`);
    if (request.isAbandoned()) throw unused('The caller hung up.', verified);
    const headers = replyHeaders(reply);
    const body = prove(reply);
    const isTold = (await currentRevision?.()) !== undefined;
    headers['ETag'] = isTold ? tagsOf(canonical, feedRevision(feed))[0] : tagOfBody(body);
    headers['Cache-Control'] = paidCaching;
    headers['Repr-Digest'] = `sha-256=:${contentDigest(body).toString('base64')}:`;
    return gate.charge(verified, { headers, body, feed, leads });
  }

  async function sell(verified: VerifiedPayment, request: OperationRequest, decoded: Decoded): Promise<PaidReply> {
    for (let attempt = 1; ; attempt++) {
      const reply = await run(verified, decoded);
      if ('contentKey' in reply) return reply;
      const charged = await charge(verified, request, decoded, reply).finally(() => reply.onSaleEnd?.());
      if (charged !== 'feed_moved') return charged;
      await refreshFeed();
      if (attempt < (reply.leads === undefined ? feedAttempts : leadAttempts)) continue;
      const known = await gate.recall(verified);
      if (known !== undefined) return known;
      const isExclusive = reply.leads?.some(({ exclusiveUntil }) => exclusiveUntil !== undefined) === true;
      throw isExclusive ? outrun(verified) : unused('The feed is being published.', verified);
    }
  }

  return (verified, request, decoded) => gate.sellOnce(verified, () => sell(verified, request, decoded));
}

const feedAttempts = 2;
/** Whoever loses the race for a lead gets the next one. Source: docs/decisions/contract.md. */
const leadAttempts = 5;

/** What is known of a payment that has bought nothing here: somebody else may have sent it. */
function standingOf({ isSentElsewhere }: VerifiedPayment): 'settled' | 'not_settled' {
  return isSentElsewhere === true ? 'settled' : 'not_settled';
}

function outrun(verified: VerifiedPayment): ServiceError {
  return new ServiceError(
    'no_exclusive_lead_available',
    'Other buyers were faster with each lead that matched. Nothing was billed; the same payment can be sent again.',
    { payment: standingOf(verified) },
  );
}

function unused(why: string, verified: VerifiedPayment): ServiceError {
  return new ServiceError(
    'temporarily_unavailable',
    `${why} The payment was not used; the same one can be sent again.`,
    {
      payment: standingOf(verified),
      retryAfterSeconds: 1,
    },
  );
}
