import type { ChainClient } from '../../chain/clients.js';
import type { Authorization, AuthorizationVerifier, Hex } from '../../chain/eip3009.js';
import type { Network } from '../../../wire/networks.js';
import type { Log } from '../../../log.js';
import type { Evidence } from '../resolve-open-payment.js';
import type { Attempt, SettleOutcome, Settler, SoldCall, Verdict } from '../settler.js';
import type { FacilitatorClient, VerifyAnswer } from './facilitator-client.js';
import { classifyReason } from './facilitator-reason.js';
import { buildFacilitatorRequest, type SoldResource } from './facilitator-request.js';
import type { TellProblem } from '../settlement-problems.js';
import { pauseByTimer, type Pause } from '../pause.js';
import { settleRemotely } from './settle-remotely.js';
import { createTransferSimulator, verifyTransfer, type Simulator } from '../verify-transfer.js';

/**
 * Settles through a remote facilitator.
 *
 * Two judges verify, one after the other. The chain comes first, by simulating the real transfer: it is exact, and
 * nothing that it refuses ever reaches a facilitator. Then the facilitator says whether it will take the payment, since
 * it has rules of its own which no chain knows; when the first one does not say, the second is asked, and when none
 * does, the verdict is `unavailable`. Settling is the first one's alone: what may have been sent is never sent
 * elsewhere.
 *
 * @param options.facilitators the one that settles, then those that stand in for it when verifying
 * @param options.resourceOf what an operation is called to a facilitator
 * @param options.simulator tries transfers; by default at the client's node
 * @param options.pause waits between two looks at the chain; by default by a timer
 * @param options.timeoutMs how long a settlement may take before it is unknown; shorter than the lease of a claim
 * @param options.doubtMs how long the chain is watched after the facilitator's answer was lost
 */
export function createFacilitatorSettler(options: {
  readonly facilitators: readonly [FacilitatorClient, ...FacilitatorClient[]];
  readonly problems: TellProblem;
  readonly client: ChainClient;
  readonly simulator?: Simulator;
  readonly pause?: Pause;
  readonly network: Network;
  readonly payTo: Hex;
  readonly verifier: AuthorizationVerifier;
  readonly evidence: Evidence;
  readonly resourceOf: (sold: SoldCall) => SoldResource | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly log: Pick<Log, 'warn'>;
  readonly timeoutMs?: number;
  readonly doubtMs?: number;
  /** How many blocks deep a transfer must be, its own block counted; by default one. */
  readonly confirmations?: number;
}): Settler {
  const { facilitators, problems, client, network, verifier, resourceOf, log } = options;
  const { timeoutMs = 30_000, doubtMs = 5_000, confirmations = 1, pause = pauseByTimer } = options;
  const [facilitator] = facilitators;
  const { simulator = createTransferSimulator(client, network) } = options;
  const closing = new AbortController();
  const ports = {
    ...options,
    facilitator,
    simulator,
    pause,
    closing: closing.signal,
    timeoutMs,
    doubtMs,
    confirmations,
  };
  const inFlight = new Set<Promise<SettleOutcome>>();

  /** What a sale was answered counts as a look at the facilitator. */
  function tell(worked: boolean): void {
    problems.tell('facilitator.reach', worked ? undefined : 'The payment facilitator does not answer.', {
      isDoubt: true,
    });
  }

  function requestFor(authorization: Authorization, sold: SoldCall | undefined) {
    return buildFacilitatorRequest(authorization, { network, verifier, sold: sold && resourceOf(sold) });
  }

  async function askFacilitators(authorization: Authorization, sold?: SoldCall): Promise<Refusal | undefined> {
    const request = requestFor(authorization, sold);
    for (const each of facilitators) {
      const verification = await each.verify(request);
      if (each === facilitator) tell(verifyingWorked(verification));
      if (verification.answer === 'valid') return undefined;
      if (verification.answer === 'invalid') return toRefusal(verification.reason);
      log.warn({ host: each.host, detail: verification.detail }, 'a facilitator does not verify');
    }
    return { verdict: 'unavailable', by: 'facilitator', detail: 'no facilitator answers' };
  }

  async function settle(authorization: Authorization, sold: Attempt): Promise<SettleOutcome> {
    const outcome = await settleRemotely(ports, authorization, requestFor(authorization, sold));
    tell(settlingWorked(outcome));
    return outcome;
  }

  return {
    by: 'facilitator',
    async verify(authorization, sold) {
      const verdict = await verifyTransfer(ports, authorization);
      if (verdict.verdict !== 'good') return verdict;
      const { funds: _, ...good } = verdict;
      return (await askFacilitators(authorization, sold)) ?? good;
    },
    settle(authorization, attempt) {
      const settling = settle(authorization, attempt).finally(() => inFlight.delete(settling));
      inFlight.add(settling);
      return settling;
    },
    async close() {
      closing.abort();
      simulator.close();
      await Promise.allSettled(inFlight);
    },
  };
}

/** Refusing one payment counts as work; otherwise one buyer without funds could mark it as down for everybody. */
function verifyingWorked(verification: VerifyAnswer): boolean {
  return (
    verification.answer === 'valid' || (verification.answer === 'invalid' && !refusesOurTerms(verification.reason))
  );
}

function settlingWorked(outcome: SettleOutcome): boolean {
  if (outcome.outcome === 'unknown') return outcome.reason !== undefined && !refusesOurTerms(outcome.reason);
  return outcome.outcome === 'settled' || outcome.reason !== 'unexpected_settle_error';
}

/** It refuses our terms (scheme, network, token), which no other signature can mend. */
function refusesOurTerms(reason: string): boolean {
  return classifyReason(reason) === 'terms';
}

type Refusal = Exclude<Verdict, { readonly verdict: 'good' }>;

function toRefusal(reason: string): Refusal {
  if (refusesOurTerms(reason)) return { verdict: 'unavailable', by: 'facilitator', detail: reason };
  // With this reason the gate looks whom the used nonce has paid.
  if (reason.includes('nonce')) return { verdict: 'refused', reason: 'nonce_used', detail: 'The nonce is used.' };
  return { verdict: 'refused', reason, detail: 'The payment facilitator does not take this payment.' };
}
