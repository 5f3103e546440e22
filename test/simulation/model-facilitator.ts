import type { Authorization, Hex } from '../../src/payments/chain/eip3009.js';
import { lowerHex } from '../../src/payments/chain/eip3009.js';
import type { FacilitatorRequest } from '../../src/payments/settlement/facilitator/facilitator-request.js';
import type { Passage, Submission } from './model-chain.js';
import { viewOf } from './model-node.js';
import { hexOf, terms } from './purchase.js';
import type { World } from './world.js';

/** A facilitator's answer; no body when it is not JSON. */
export interface FacilitatorReply {
  readonly status: number;
  readonly body: unknown;
}

/** A facilitator outside of every instance: it settles on the model chain, and some of its statements are false. */
export interface ModelFacilitator {
  verify(request: FacilitatorRequest): FacilitatorReply;
  settle(request: FacilitatorRequest): Promise<FacilitatorReply>;
}

/** How long it waits for a receipt before it reports the settlement as pending. */
const pausesMs = [300, 700, 2_000, 4_000, 8_000];
const noTransaction = hexOf(0xe, 32);

export function createModelFacilitator(world: World): ModelFacilitator {
  const { chain, faults } = world;
  const accepted = new Map<Hex, Submission>();
  const random = world.random('facilitator');

  function accept(authorization: Authorization): Submission | string {
    const earlier = accepted.get(authorization.nonce);
    // Asked again, it may or may not remember.
    if (earlier && earlier.state !== 'reverted' && random.chance(0.5)) return earlier;
    const trial = chain.simulate(authorization, viewOf(world));
    if (trial.verdict === 'refused') return codeOf(trial.reason);
    const submission = chain.submit(authorization, 'us', passageOf(world));
    accepted.set(authorization.nonce, submission);
    return submission;
  }

  async function isMined(submission: Submission): Promise<boolean> {
    for (const pauseMs of pausesMs) {
      await new Promise<void>((resolve) => world.scheduler.after(pauseMs, resolve));
      if (submission.state === 'mined' || submission.state === 'reverted') break;
    }
    return submission.state === 'mined';
  }

  async function settle(authorization: Authorization): Promise<FacilitatorReply> {
    if (faults.happens('facilitator lies that it settled')) {
      const others = chain.spendings().filter(({ nonce }) => nonce !== authorization.nonce);
      return settled(random.pick([noTransaction, ...others.map(({ transaction }) => transaction), '']));
    }
    if (faults.happens('facilitator forgets what it accepts')) return refused('settlement_pending', '');
    const submission = accept(authorization);
    if (typeof submission === 'string') return refused(submission, '');
    const { transaction } = submission;
    if (faults.happens('facilitator lies that it refused')) return refused(random.pick(lies), '');
    if (faults.happens('facilitator says pending'))
      return refused('settlement_pending', random.pick([transaction, '']));
    const mined = await isMined(submission);
    if (faults.happens('facilitator fails after settling')) return { status: 502, body: { error: 'Bad Gateway' } };
    if (faults.happens('facilitator answers invalid JSON')) return { status: 200, body: undefined };
    // The named transaction was replaced by another with a higher fee.
    if (faults.happens('facilitator names a replaced transaction')) return settled(noTransaction);
    if (mined) return settled(transaction);
    return refused(submission.state === 'reverted' ? 'invalid_transaction_state' : 'settlement_pending', transaction);
  }

  return {
    verify({ paymentPayload }) {
      if (faults.happens('facilitator does not verify')) return { status: 500, body: undefined };
      const trial = chain.simulate(authorizationIn(paymentPayload), viewOf(world));
      if (trial.verdict === 'good') return { status: 200, body: { isValid: true } };
      return { status: 200, body: { isValid: false, invalidReason: codeOf(trial.reason) } };
    },
    settle: ({ paymentPayload }) => settle(authorizationIn(paymentPayload)),
  };
}

/** The fate of a transaction sent now. */
export function passageOf({ faults, random }: Pick<World, 'faults' | 'random'>): Passage {
  const dropped = faults.happens('transaction dropped');
  const stuck = !dropped && faults.happens('transaction stuck');
  return { dropped, afterMs: stuck ? random('pool').between(20_000, 250_000) : random('pool').between(50, 4_000) };
}

/** Claims about the authorization that the chain contradicts. */
const lies = ['insufficient_funds', 'invalid_exact_evm_payload_signature', 'invalid_transaction_state'] as const;

function codeOf(reason: string): string {
  return reason === 'nonce_used' ? 'invalid_exact_evm_nonce_already_used' : reason;
}

function settled(transaction: string): FacilitatorReply {
  return { status: 200, body: { success: true, transaction, network: terms.network.id } };
}

function refused(errorReason: string, transaction: string): FacilitatorReply {
  return { status: 200, body: { success: false, errorReason, transaction, network: terms.network.id } };
}

function authorizationIn({ payload }: FacilitatorRequest['paymentPayload']): Authorization {
  const { from, to, nonce, value, validAfter, validBefore } = payload.authorization;
  return {
    from: lowerHex(from),
    to: lowerHex(to),
    nonce,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    signature: payload.signature,
  };
}
