import type { Authorization } from '../../chain/eip3009.js';
import type { Log } from '../../../log.js';
import { provenOutcome } from '../resolve-open-payment.js';
import type { SettleOutcome } from '../settler.js';
import { awaitProof, type ProofPorts } from '../await-proof.js';
import type { FacilitatorClient, SettleAnswer } from './facilitator-client.js';
import type { FacilitatorRequest } from './facilitator-request.js';

export interface RemotePorts extends ProofPorts {
  readonly facilitator: FacilitatorClient;
  readonly log: Pick<Log, 'warn'>;
  /** How long a settlement may take before it is unknown. */
  readonly timeoutMs: number;
  /** How long the chain is watched for a transfer that nobody vouches for. */
  readonly doubtMs: number;
}

/**
 * Has a facilitator settle, once, and believes only the chain: settled is a transfer that is proven, failed one that
 * can not happen any more, and all else is unknown. A refusal is no exception: what was sent all the same may wait for
 * its block, whatever the token would say to it now. Never rejects, and never asks another facilitator.
 */
export async function settleRemotely(
  ports: RemotePorts,
  authorization: Authorization,
  request: FacilitatorRequest,
): Promise<SettleOutcome> {
  const { facilitator, log, nowMs } = ports;
  const { host } = facilitator;
  const endMs = nowMs() + ports.timeoutMs;
  const answer = await facilitator.settle(request);
  if (answer.answer === 'not_sent') {
    log.warn({ host, detail: answer.detail }, 'the facilitator could not be asked to settle');
    return notSent;
  }
  const hint = 'transaction' in answer ? answer.transaction : undefined;
  const patienceEndMs = Math.min(endMs, nowMs() + patienceMs(answer, ports));
  const found = await awaitProof(ports, authorization, hint, patienceEndMs);
  const isProven = found.verdict !== 'open' && found.verdict !== 'gone' && found.verdict !== 'unknown';
  if (isProven) return provenOutcome(found);
  const detail =
    answer.answer === 'lost'
      ? `the facilitator's answer was lost: ${answer.detail}`
      : `the facilitator says ${answer.answer}, which the chain does not show`;
  const reason = answer.answer === 'refused' ? { reason: answer.reason } : {};
  log.warn({ host, transaction: hint, detail, ...reason }, 'the facilitator left a settlement in doubt');
  return { outcome: 'unknown', detail, ...reason };
}

/** A refusal is reported at once; a transfer that may be on its way is awaited. */
function patienceMs({ answer }: SettleAnswer, { timeoutMs, doubtMs }: RemotePorts): number {
  if (answer === 'refused') return 0;
  return answer === 'lost' ? doubtMs : timeoutMs;
}

const notSent: SettleOutcome = {
  outcome: 'failed',
  reason: 'unexpected_settle_error',
  detail: 'nothing was sent to the facilitator',
};
