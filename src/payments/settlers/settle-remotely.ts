import type { Authorization } from '../../chain/eip3009.js';
import type { Log } from '../../log.js';
import type { ChainEvidence } from '../resolve-open-payment.js';
import type { SettleOutcome } from '../settler.js';
import { awaitProof, findEvidence, type ProofPorts } from './await-proof.js';
import type { FacilitatorClient } from './facilitator-client.js';
import { weighReason } from './facilitator-reason.js';
import type { FacilitatorRequest } from './facilitator-request.js';
import { verifyTransfer, type VerifyPorts } from './verify-transfer.js';

export interface RemotePorts extends ProofPorts, VerifyPorts {
  readonly facilitator: FacilitatorClient;
  readonly log: Pick<Log, 'warn'>;
  /** How long a settlement may take before it is unknown. */
  readonly timeoutMs: number;
  /** How long the chain is watched for a transfer that nobody vouches for. */
  readonly doubtMs: number;
}

/**
 * Has a facilitator settle, once, and believes only the chain: settled is a transfer that is proven, failed one that can
 * be shown not to have happened, and all else is unknown. Never rejects, and never asks another facilitator.
 */
export async function settleRemotely(
  ports: RemotePorts,
  authorization: Authorization,
  request: FacilitatorRequest,
): Promise<SettleOutcome> {
  const { facilitator, log, now } = ports;
  const { host } = facilitator;
  const endMs = now().getTime() + ports.timeoutMs;
  const answer = await facilitator.settle(request);
  if (answer.answer === 'not_sent') {
    log.warn({ host, detail: answer.detail }, 'the facilitator could not be asked to settle');
    return notSent;
  }
  if (answer.answer === 'refused') return judgeRefusal(ports, authorization, answer.reason);
  const isLost = answer.answer === 'lost';
  const hint = isLost ? undefined : answer.transaction;
  const patienceEndMs = isLost ? Math.min(endMs, now().getTime() + ports.doubtMs) : endMs;
  const outcome = toOutcome(await awaitProof(ports, authorization, hint, patienceEndMs));
  if (outcome) return outcome;
  const detail =
    answer.answer === 'lost'
      ? `the facilitator's answer was lost: ${answer.detail}`
      : `the facilitator says ${answer.answer}, which the chain does not show`;
  log.warn({ host, transaction: hint, detail }, 'the facilitator left a settlement in doubt');
  return { outcome: 'unknown', detail };
}

const notSent: SettleOutcome & { readonly outcome: 'failed' } = {
  outcome: 'failed',
  reason: 'unexpected_settle_error',
  detail: 'nothing was sent to the facilitator',
};

/** A facilitator's "no" counts when the chain agrees: the authorization is unused, and the token would refuse it too. */
async function judgeRefusal(ports: RemotePorts, authorization: Authorization, reason: string): Promise<SettleOutcome> {
  const found = await findEvidence(ports, authorization);
  const outcome = toOutcome(found);
  if (outcome) return outcome;
  if (found.verdict === 'unknown') return { outcome: 'unknown', detail: 'the chain could not be asked' };
  const weight = weighReason(reason);
  ports.log.warn({ host: ports.facilitator.host, reason }, 'the facilitator refused to settle');
  // What we announce is not taken: no fault of the payment's, and nothing was sent.
  if (weight === 'kind') return { ...notSent, detail: 'the facilitator does not take what is announced' };
  if (weight === 'rule') return { outcome: 'failed', reason, detail: 'the facilitator refuses it' };
  const verdict = await verifyTransfer(ports, authorization);
  return verdict.verdict === 'refused' && verdict.reason !== 'nonce_used'
    ? { outcome: 'failed', reason: verdict.reason, detail: verdict.detail }
    : { outcome: 'unknown', detail: `the facilitator says ${reason}, which the chain does not show` };
}

/** Undefined while the authorization may still be used. */
function toOutcome(found: ChainEvidence): SettleOutcome | undefined {
  switch (found.verdict) {
    case 'settled':
      return { outcome: 'settled', transaction: found.transaction, blockNumber: found.blockNumber };
    case 'diverted':
      return { outcome: 'failed', reason: spent, detail: 'the authorization paid somebody else' };
    case 'cancelled':
      return { outcome: 'failed', reason: spent, detail: 'the payer cancelled the authorization' };
    case 'expired':
      return { outcome: 'failed', reason: tooLate, detail: 'the authorization expired unused' };
    case 'open':
    case 'gone':
    case 'unknown':
      return undefined;
  }
}

const spent = 'invalid_transaction_state';
const tooLate = 'invalid_exact_evm_payload_authorization_valid_before';
