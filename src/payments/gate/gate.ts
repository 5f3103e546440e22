import { LRUCache } from 'lru-cache';
import type { ContractOperation } from '../../contract/contract.js';
import type { Decode, Decoded } from '../../contract/paths.js';
import { ServiceError, isOwnFault, type ParameterFault } from '../../errors.js';
import type { Limits, PaidCall } from '../../limits/limits.js';
import type { AuthorizationVerifier } from '../chain/eip3009.js';
import { toAtomicUnits } from '../chain/token-amount.js';
import { paymentName } from '../ledger/payment-row.js';
import { cannotSettle, inProgress, refusedByChain } from '../payment-errors.js';
import type { PaidReply, PaymentMachine } from '../payment-machine.js';
import type { SettlementProblem } from '../settlement/settlement-problems.js';
import type { Settler, Verdict } from '../settlement/settler.js';
import type { BoundPayment, VerifiedPayment } from '../verified-payment.js';
import { createResourceMatch } from './resource-match.js';
import type { Challenge, Challenges } from './challenge.js';
import { checkTerms } from './check-terms.js';
import type { ContractWallets } from './contract-wallets.js';
import { bindPayment, readPaymentHeader, type HashClientId, type PaymentPayload } from './read-payment.js';
import type { Recall, Redelivered } from './recall.js';
import { requirementsFor, type PaymentTerms } from '../terms.js';

export type { PaidCall };

export interface GatePorts {
  readonly terms: PaymentTerms;
  readonly publicBaseUrl: string;
  readonly challenges: Challenges;
  /** Why no payment can settle now; undefined when it can. */
  readonly settlementProblem: () => SettlementProblem | undefined;
  /** Whether a payment without a row in the ledger may have been sent: a restored ledger lacks its newest rows. */
  readonly mayHaveSent: () => boolean;
  readonly settler: Settler;
  readonly machine: PaymentMachine;
  readonly recall: Recall;
  readonly verifier: AuthorizationVerifier;
  readonly hashClientId: HashClientId;
  readonly wallets: ContractWallets;
  readonly limits: Limits;
  readonly isPaymentPayload: (value: unknown) => value is PaymentPayload;
  readonly now: () => Date;
}

/** The parts of a request that the gate reads. */
export interface GateRequest {
  readonly paymentSignatures: readonly string[];
  /** The SIGN-IN-WITH-X header, once per occurrence. */
  readonly walletProofs: readonly string[];
  /** HEAD buys nothing: it gets the price, with or without a payment. */
  readonly headOnly: boolean;
  /** The key of the caller in rate limits, from `addressKey`. */
  readonly address: string;
}

export type Admission =
  /** The request has no payment, or is a HEAD; the reply is the 402. A faulty payment throws. */
  | { readonly kind: 'unpaid' }
  /** The payment may buy a reply. The caller of `admit` ends the call. */
  | { readonly kind: 'admitted'; readonly payment: VerifiedPayment; readonly call: PaidCall }
  | Redelivered;

/** Used authorizations recognized without another call to the chain. maxSize, not max: lru-cache preallocates `max`. */
const maxUsed = 10_000;

/**
 * Enforces payment for one operation; throws a ServiceError for a call that it refuses. A payment with a row in the
 * ledger is resumed, which may settle it and write its outcome.
 */
export interface OperationGate {
  /** The current 402 for a request. */
  challenge(asked: Decoded): Challenge;
  admit(request: GateRequest, asked: Decoded): Promise<Admission>;
  /** Counts a request with an unread payment as an unpaid call. Returns the 429 if there are too many. */
  limitAsUnpaid(request: GateRequest): ServiceError | undefined;
  /** The stored reply of a payment with a row in the ledger; look it up before any refusal of a verified payment. */
  recall(payment: BoundPayment): Promise<PaidReply | undefined>;
}

/**
 * Creates the gate of one priced operation. The price in the contract is the only price.
 *
 * @param read decodes the resource URL inside a payment as if it were a request for the operation
 * @throws RangeError if the price would lose a digit in atomic units
 */
export function createOperationGate(
  operation: ContractOperation,
  priceUsd: string,
  read: Decode,
  ports: GatePorts,
): OperationGate {
  const requirements = requirementsFor(ports.terms, toAtomicUnits(priceUsd));
  const challenge = ports.challenges.forOperation(operation, requirements);
  const isResource = createResourceMatch(operation, ports.publicBaseUrl, read);
  const { limits } = ports;
  const used = new LRUCache<string, true>({ maxSize: maxUsed, sizeCalculation: () => 1 });
  const { recall, admitOrRefuse } = ports.recall;

  function limitAsUnpaid({ address, headOnly, paymentSignatures }: GateRequest): ServiceError | undefined {
    // The transport has counted requests without a payment.
    return headOnly || paymentSignatures.length === 0 ? undefined : limits.unpaid.take(address);
  }

  /*
   * A signed payment by its row in the ledger. Only the last two rows run the handler; the last one needs a sign-in.
   *
   * | row                                    | reply                                                              |
   * |----------------------------------------|--------------------------------------------------------------------|
   * | settled, with its reply                | its stored reply to its buyer, else 409 or 402 (payment machine)    |
   * | claimed, lease running                 | 409 `payment_in_progress`                                          |
   * | claimed, lease over                    | resolved by the chain, then as settled, or its refusal             |
   * | none or released; verified             | a new reply (`admitted`)                                           |
   * | none, released or rebuilt; transferred | a new reply, once the payer signs in (`recall.ts`); else the refusal |
   */
  async function admit(request: GateRequest, asked: Decoded): Promise<Admission> {
    const { address } = request;
    const authentic = await authenticate(request, asked).catch((error: unknown) => {
      throw limits.unpaid.take(address) ?? error;
    });
    if (authentic === undefined) {
      // No price is announced while no payment could settle.
      const problem = ports.settlementProblem();
      if (problem !== undefined) throw cannotSettle(problem.by, { why: problem.why });
      return { kind: 'unpaid' };
    }
    const { payment, refusal } = authentic;
    const name = paymentName(payment.key);
    // A used signature is public: anyone may send it, so it counts against no payer and costs no call to the chain.
    const known = used.has(name) ? await recall(payment) : undefined;
    if (known !== undefined) return { kind: 'redelivered', reply: known };
    const begun = limits.paidCalls.begin({ payer: payment.key.payer, address, payment: name });
    // A copy stops here: its handler would read the hold of its own payment as "no lead left".
    const call = begun === 'copy' ? inProgress() : begun;
    if (call instanceof ServiceError) {
      // A buyer gets a paid reply despite limits and running copies.
      const stored = await recall(payment);
      if (stored === undefined) throw call;
      return { kind: 'redelivered', reply: stored };
    }
    try {
      const { walletProofs } = request;
      const admitted =
        refusal === undefined
          ? await verifyOnChain(payment, walletProofs)
          : await admitOrRefuse(payment, orMayHaveSent(refusal), walletProofs);
      if (admitted.kind === 'admitted') return { ...admitted, call };
      call.end();
      return admitted;
    } catch (error) {
      call.end(blameFor(error, refusal !== undefined));
      throw error;
    }
  }

  /**
   * Reads the payment and verifies its payer's signature. If this throws, neither ledger nor settler sees the payment.
   * A signed payment with refused terms is returned with its `refusal`.
   */
  async function authenticate(request: GateRequest, asked: Decoded) {
    const payload = request.headOnly ? undefined : readPaymentHeader(request.paymentSignatures, ports.isPaymentPayload);
    if (payload === undefined) return undefined;
    if (asked.faults.length > 0) throw faultyRequest(asked.faults);
    const payment = bindPayment(operation, requirements, payload, asked, ports.hashClientId);
    const product = { requirements, asked, isResource, publicBaseUrl: ports.publicBaseUrl };
    const refusal = checkTerms(payload, payment.authorization, product, ports.now());
    if (ports.verifier.isSignedByPayer(payment.authorization)) return { payment, refusal };
    if (refusal !== undefined && !isStaleOnly(refusal)) throw refusal;
    if (await ports.wallets.isSigned(payment.authorization, request.address)) return { payment, refusal };
    throw refusal ?? badSignature();
  }

  /** While a restored ledger may lack sales, a signed payment may have bought a reply, even if its terms are stale. */
  function orMayHaveSent(refusal: ServiceError): ServiceError {
    const problem = ports.settlementProblem();
    return problem?.mayHaveSent === true ? cannotSettle(problem.by, problem) : refusal;
  }

  /** The chain's verdict, before the handler runs. */
  async function verifyOnChain(
    payment: BoundPayment,
    walletProofHeaders: readonly string[],
  ): ReturnType<typeof admitOrRefuse> {
    const problem = ports.settlementProblem();
    if (problem !== undefined) return admitOrRefuse(payment, cannotSettle(problem.by, problem), walletProofHeaders);
    const verdict = await ports.settler.verify(payment.authorization, payment).catch(toUnavailable);
    if (verdict.verdict === 'good') {
      const { chainTime: unusedUntil, payerCode, funds } = verdict;
      return { kind: 'admitted', payment: { ...payment, unusedUntil, payerCode, funds } };
    }
    if (verdict.verdict === 'unavailable') {
      const refusal = cannotSettle(verdict.by, { mayHaveSent: ports.mayHaveSent() });
      return admitOrRefuse(payment, refusal, walletProofHeaders);
    }
    if (verdict.reason === 'nonce_used') used.set(paymentName(payment.key), true);
    return admitOrRefuse(payment, refusedByChain(verdict), walletProofHeaders);
  }

  return { challenge, admit, limitAsUnpaid, recall };
}

/** True if the authorization was good before: only its window is over, or the price has changed. */
function isStaleOnly({ reason }: ServiceError): boolean {
  return reason === 'payment_expired' || reason === 'payment_amount_mismatch';
}

/**
 * The rate limit for a call that sold nothing. `payer` only if nobody else can have sent it: not for terms outside the
 * signature, nor for a public authorization. Undefined if the fault is the server's.
 */
function blameFor(error: unknown, isTermsRefused: boolean): 'payer' | 'address' | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  // The authorization is public, so a caller with a missing or wrong sign-in may be anyone.
  if (error.details.paymentRequired !== undefined || error.reason === 'invalid_parameter') return 'address';
  if (error.details.payment === 'unknown') return undefined;
  if (isOwnFault(error.reason) || error.reason === 'reply_suppressed') return undefined;
  return isTermsRefused || error.reason === 'payment_already_used' ? 'address' : 'payer';
}

function toUnavailable(error: unknown): Verdict {
  return { verdict: 'unavailable', by: 'chain', detail: error instanceof Error ? error.message : 'no answer' };
}

function faultyRequest(faults: readonly ParameterFault[]): ServiceError {
  const [first] = faults;
  return new ServiceError(
    first?.reason ?? 'invalid_parameter',
    'The request was not run and the payment was not used. Correct the parameters in `errors`.',
    {
      faults,
      payment: 'not_settled',
    },
  );
}

function badSignature(): ServiceError {
  return new ServiceError('payment_invalid', "The signature is not the payer's signature of this authorization.", {
    payment: 'not_settled',
    paymentError: 'invalid_exact_evm_payload_signature',
  });
}
