import { LRUCache } from 'lru-cache';
import type { AuthorizationVerifier } from '../chain/eip3009.js';
import type { ContractDocument, ContractOperation } from '../../contract/contract.js';
import { publicPath } from '../../contract/public-path.js';
import { ServiceError, type ParameterFault } from '../../errors.js';
import type { Limits } from '../../limits/limits.js';
import type { PaidCall } from '../../limits/paid-calls.js';
import { createChallenges, type Challenge } from './challenge.js';
import { checkOffer } from './check-offer.js';
import type { ContractWallets } from './contract-wallets.js';
import { readPaymentHeader, type PaymentPayload } from './payment-header.js';
import { paymentName } from '../ledger/payment-row.js';
import { cannotSettle, inProgress, namePayment, outcomeUnknown } from '../payment-errors.js';
import { publicPaymentId } from '../ledger/payment-id.js';
import type { OfferReceiptIssuer } from './offer-receipt.js';
import type { HashClientId } from './payment-identifier.js';
import type { PaidReply, PaymentMachine, ProvenReply } from '../ledger/payment-machine.js';
import { askEvidence, type Evidence } from '../settlement/resolve-open-payment.js';
import type { Settler, Verdict } from '../settlement/settler.js';
import { requirementsFor, type PaymentTerms } from './terms.js';
import { createVerifiedPayment, type VerifiedPayment } from './verified-payment.js';
import { toolUrl } from './tool-url.js';

export interface GatePorts {
  readonly terms: PaymentTerms;
  readonly publicBaseUrl: string;
  readonly document: ContractDocument;
  /** Signs offers; undefined where none are signed. */
  readonly issuer: OfferReceiptIssuer | undefined;
  /** Why nothing can settle now, in plain words; undefined when it can. */
  readonly findObstacle: () => string | undefined;
  readonly settler: Settler;
  readonly evidence: Evidence;
  readonly machine: PaymentMachine;
  readonly verifier: AuthorizationVerifier;
  readonly hashClientId: HashClientId;
  readonly wallets: ContractWallets;
  readonly limits: Limits;
  readonly isPaymentPayload: (value: unknown) => value is PaymentPayload;
  readonly now: () => Date;
}

/** What a paid request shows at the gate. */
export interface GateRequest {
  readonly paymentSignatures: readonly string[];
  /** HEAD buys nothing: it is told the price, whatever it carries. */
  readonly headOnly: boolean;
  /** Whom to count the request for, as `addressKey` writes it. */
  readonly address: string;
}

export type Admission =
  /** No payment came: ask for it, with what is wrong with the parameters. */
  | { readonly kind: 'unpaid' }
  /** The sale must run within the call, which ends with it. */
  | { readonly kind: 'admitted'; readonly verified: VerifiedPayment; readonly call: PaidCall }
  /** The authorization is in the ledger already; this is what its buyer gets. */
  | { readonly kind: 'redelivered'; readonly reply: PaidReply };

type Judgement =
  | { readonly kind: 'admitted'; readonly verified: VerifiedPayment }
  | Extract<Admission, { readonly kind: 'redelivered' }>;

/**
 * So many spent authorizations are recognised without asking the chain again. A size, since a `max` takes its room at
 * once.
 */
const maxSpent = 10_000;

/**
 * Enforces payment for one operation. Throws a ServiceError for whoever may not pass; writes nothing until `charge`.
 */
export interface OperationGate {
  /** What is asked for now. */
  challenge(): Challenge;
  /** `canonical`: the parameters that the payment is bound to. A paid request with faults is refused, unbilled. */
  admit(request: GateRequest, canonical: string, faults: readonly ParameterFault[]): Promise<Admission>;
  /**
   * Counts a call with a payment that is refused before anybody looks whether it is one, as a call without. The error
   * that takes its place where there are too many.
   */
  countRefused(request: GateRequest): ServiceError | undefined;
  /** The stored reply of an authorization that the ledger knows, asked before a refusal that time can bring about. */
  recall(verified: VerifiedPayment): Promise<PaidReply | undefined>;
  /**
   * Runs the sale of an authorization, one at a time in this process: what is set aside for it is no reason to tell its
   * other copies that nothing is left. They get what the ledger knows, or are told to wait.
   */
  sellOnce(verified: VerifiedPayment, sale: () => Promise<PaidReply>): Promise<PaidReply>;
  /**
   * Claims, settles and finishes. `feed_moved`: nothing was written, since the feed or a hold has moved; run the
   * handler again.
   */
  charge(verified: VerifiedPayment, reply: ProvenReply): Promise<PaidReply | 'feed_moved'>;
}

/** Creates the gate of one priced operation. The operation's price in the contract is the only price. */
export function createOperationGate(operation: ContractOperation, amount: bigint, ports: GatePorts): OperationGate {
  const requirements = requirementsFor(ports.terms, amount);
  const resourceUrl = ports.publicBaseUrl + publicPath(operation.path);
  const challengeAt = createChallenges({ ...ports, operation, requirements, resourceUrl });
  const { limits } = ports;
  const spent = new LRUCache<string, true>({ maxSize: maxSpent, sizeCalculation: () => 1 });
  const selling = new Set<string>();
  const offer = { requirements, resourceUrl, toolUrl: operation.tool && toolUrl(operation.tool.name) };

  function countRefused({ address, headOnly, paymentSignatures }: GateRequest): ServiceError | undefined {
    // Whoever brings no payment was counted before.
    return headOnly || paymentSignatures.length === 0 ? undefined : limits.unpaid.take(address);
  }

  async function admit(request: GateRequest, canonical: string, faults: readonly ParameterFault[]): Promise<Admission> {
    const { address } = request;
    const authentic = await authenticate(request, canonical, faults).catch((error: unknown) => {
      throw limits.unpaid.take(address) ?? error;
    });
    if (authentic === undefined) {
      // Nobody is asked to sign for what could not settle.
      const obstacle = ports.findObstacle();
      if (obstacle !== undefined) throw cannotSettle(obstacle);
      return { kind: 'unpaid' };
    }
    const { verified, refusal } = authentic;
    // Spent signatures are public: sent again by anybody, they take none of their payer's calls and ask nothing of the
    // chain.
    const known = spent.has(paymentName(verified.key)) ? await recall(verified) : undefined;
    if (known !== undefined) return { kind: 'redelivered', reply: known };
    const call = limits.paidCalls.begin(verified.key.payer, address);
    if (call instanceof ServiceError) return { kind: 'redelivered', reply: await recallBefore(call, verified) };
    try {
      const admission = refusal === undefined ? await judge(verified) : await recallOr(verified, refusal);
      if (admission.kind === 'admitted') return { ...admission, call };
      call.end();
      return admission;
    } catch (error) {
      call.end(blameFor(error, refusal !== undefined));
      throw error;
    }
  }

  /**
   * Reads the payment and makes sure that its payer has signed it. What is refused here reaches neither ledger nor
   * settler.
   */
  async function authenticate(request: GateRequest, canonical: string, faults: readonly ParameterFault[]) {
    const payload = request.headOnly ? undefined : readPaymentHeader(request.paymentSignatures, ports.isPaymentPayload);
    if (payload === undefined) return undefined;
    if (faults.length > 0) throw faultyRequest(faults);
    const verified = createVerifiedPayment(operation, requirements, payload, canonical, ports.hashClientId);
    const refusal = checkOffer(payload, verified.authorization, offer, ports.now());
    if (ports.verifier.isSignedByPayer(verified.authorization)) return { verified, refusal };
    if (refusal !== undefined && !isBroughtByTime(refusal)) throw refusal;
    if (await ports.wallets.isSigned(verified.authorization, request.address)) return { verified, refusal };
    throw refusal ?? badSignature();
  }

  /** The chain's verdict, before the handler runs. */
  async function judge(verified: VerifiedPayment): Promise<Judgement> {
    const verdict = await ports.settler.verify(verified.authorization, verified.operationId).catch(toUnavailable);
    if (verdict.verdict === 'good')
      return { kind: 'admitted', verified: { ...verified, fromBlock: reorgProof(verdict.blockNumber) } };
    if (verdict.verdict === 'unavailable') return recallOr(verified, cannotSettle());
    if (verdict.reason === 'nonce_used') spent.set(paymentName(verified.key), true);
    return recallOr(verified, refusalOf(verdict));
  }

  /**
   * Only an authentic authorization gets here: the ledger tells nothing to anybody else. A released claim binds nobody;
   * its authorization is as good as new.
   */
  async function recallOr(verified: VerifiedPayment, refusal: ServiceError): Promise<Judgement> {
    const row = await ports.machine.find(verified);
    if (row && row.state !== 'released')
      return { kind: 'redelivered', reply: await ports.machine.resume(row, verified) };
    // A used nonce may have paid us, and so may one that has expired since: anyone may send it. What was claimed once
    // may have been sent, whatever this instance's clock says of its window.
    const mayHavePaid =
      refusal.reason === 'payment_already_used' ||
      (row === undefined ? hasExpired(refusal) && isRecent(verified, ports.now()) : isOutOfWindow(refusal));
    if (!mayHavePaid) throw refusal;
    return admitSettled(verified, row?.fromBlock, refusal);
  }

  /**
   * What somebody else has sent is paid all the same, since payTo takes payments for nothing but this service. Nothing
   * but the chain's proof counts; what cannot be proven either way is no reason to ask for another payment.
   */
  async function admitSettled(verified: VerifiedPayment, fromBlock: bigint | undefined, refusal: ServiceError) {
    const { to: payTo, value: amount, validBefore } = verified.authorization;
    const found = await askEvidence(ports.evidence, { ...verified.key, payTo, amount, validBefore, fromBlock });
    if (found.verdict === 'settled') {
      const sent = { ...verified, fromBlock: reorgProof(found.blockNumber), isSentElsewhere: true };
      return { kind: 'admitted', verified: sent } as const;
    }
    if (found.verdict === 'unknown' || (found.verdict === 'open' && refusal.reason === 'payment_already_used'))
      throw namePayment(outcomeUnknown(), publicPaymentId(verified.key));
    throw namePayment(refusal, publicPaymentId(verified.key));
  }

  /** Neither a limit nor a copy at work keeps what was paid for from its buyer. */
  async function recallBefore(refusal: ServiceError, verified: VerifiedPayment): Promise<PaidReply> {
    const known = await recall(verified);
    if (known === undefined) throw refusal;
    return known;
  }

  async function recall(verified: VerifiedPayment): Promise<PaidReply | undefined> {
    const row = await ports.machine.find(verified);
    return row && row.state !== 'released' ? ports.machine.resume(row, verified) : undefined;
  }

  async function sellOnce(verified: VerifiedPayment, sale: () => Promise<PaidReply>): Promise<PaidReply> {
    const name = paymentName(verified.key);
    if (selling.has(name)) return recallBefore(inProgress(), verified);
    selling.add(name);
    return sale().finally(() => selling.delete(name));
  }

  return {
    challenge: () => challengeAt(ports.now()),
    admit,
    countRefused,
    recall,
    sellOnce,
    charge: (verified, reply) => ports.machine.charge(verified, reply),
  };
}

/** Refusals that an authorization meets only after it was good: its window is over, or the price has changed. */
function isBroughtByTime({ reason }: ServiceError): boolean {
  return reason === 'payment_expired' || reason === 'payment_amount_mismatch';
}

/**
 * Whom a call without a sale is counted for. The payer, only where nobody else can have sent it: not for what stands
 * around the signature, and not for an authorization that was public already. Nobody, where it is our own trouble.
 */
function blameFor(error: unknown, isOfferRefused: boolean): 'payer' | 'address' | undefined {
  if (!(error instanceof ServiceError) || error.details.payment === 'unknown') return undefined;
  if (error.reason === 'facilitator_unavailable') return undefined;
  return isOfferRefused || error.reason === 'payment_already_used' ? 'address' : 'payer';
}

/** More blocks than any reorganisation undoes: made anew, an older block may have a transfer that was sent later. */
const reorgBlocks = 900n;

function reorgProof(blockNumber: bigint): bigint {
  return blockNumber > reorgBlocks ? blockNumber - reorgBlocks : 0n;
}

/** How long after its window an authorization that the ledger does not know is still looked for on the chain. */
const searchedMs = 3_600_000;

function isRecent({ authorization }: VerifiedPayment, now: Date): boolean {
  return Number(authorization.validBefore) * 1000 > now.getTime() - searchedMs;
}

function hasExpired({ reason, details }: ServiceError): boolean {
  return (
    reason === 'payment_expired' || details.paymentError === 'invalid_exact_evm_payload_authorization_valid_before'
  );
}

function isOutOfWindow(refusal: ServiceError): boolean {
  return hasExpired(refusal) || refusal.details.paymentError === 'invalid_exact_evm_payload_authorization_valid_after';
}

function toUnavailable(error: unknown): Verdict {
  return { verdict: 'unavailable', detail: error instanceof Error ? error.message : 'no answer' };
}

function refusalOf({ reason, detail }: Verdict & { readonly verdict: 'refused' }): ServiceError {
  const isUsed = reason === 'nonce_used';
  return new ServiceError(isUsed ? 'payment_already_used' : 'payment_invalid', detail, {
    payment: 'not_settled',
    paymentError: isUsed ? 'invalid_transaction_state' : reason,
  });
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
