import type { AuthorizationVerifier } from '../chain/eip3009.js';
import type { ContractOperation } from '../contract/contract.js';
import { ServiceError, type ParameterFault } from '../errors.js';
import { createChallenge, type Challenge } from './challenge.js';
import { checkOffer } from './check-offer.js';
import { readPaymentHeader, type PaymentPayload } from './payment-header.js';
import { cannotSettle, outcomeUnknown } from './payment-errors.js';
import type { HashClientId } from './payment-identifier.js';
import type { PaidReply, PaymentMachine, ProvenReply } from './payment-machine.js';
import type { Evidence } from './resolve-open-payment.js';
import type { Settler, Verdict } from './settler.js';
import { requirementsFor, type PaymentTerms } from './terms.js';
import { createTicket, type Ticket } from './ticket.js';

export interface GatePorts {
  readonly terms: PaymentTerms;
  readonly publicBaseUrl: string;
  readonly serviceName: string;
  /** Why nothing can settle now, in plain words; undefined when it can. */
  readonly findObstacle: () => string | undefined;
  readonly settler: Settler;
  readonly evidence: Evidence;
  readonly machine: PaymentMachine;
  readonly verifier: AuthorizationVerifier;
  readonly hashClientId: HashClientId;
  readonly isPaymentPayload: (value: unknown) => value is PaymentPayload;
  readonly now: () => Date;
}

/** What a paid request shows at the gate. */
export interface GateRequest {
  readonly paymentSignatures: readonly string[];
  /** HEAD buys nothing: it is told the price, whatever it carries. */
  readonly headOnly: boolean;
}

export type Admission =
  /** No payment came: ask for it, with what is wrong with the parameters. */
  | { readonly kind: 'unpaid' }
  | { readonly kind: 'admitted'; readonly ticket: Ticket }
  /** The authorization is in the ledger already; this is what its buyer gets. */
  | { readonly kind: 'redelivered'; readonly reply: PaidReply };

/** Enforces payment for one operation. Throws a ServiceError for whoever may not pass; writes nothing until `charge`. */
export interface OperationGate {
  readonly challenge: Challenge;
  /** `canonical`: the parameters that the payment is bound to. A paid request with faults is refused, unbilled. */
  admit(request: GateRequest, canonical: string, faults: readonly ParameterFault[]): Promise<Admission>;
  /** The stored reply of an authorization that the ledger knows, asked before a refusal that time can bring about. */
  recall(ticket: Ticket): Promise<PaidReply | undefined>;
  /** Claims, settles and finishes. `feed_moved`: nothing was written; run the handler again. */
  charge(ticket: Ticket, reply: ProvenReply): Promise<PaidReply | 'feed_moved'>;
}

/** Creates the gate of one priced operation. The operation's price in the contract is the only price. */
export function createOperationGate(operation: ContractOperation, amount: bigint, ports: GatePorts): OperationGate {
  const requirements = requirementsFor(ports.terms, amount);
  const challenge = createChallenge(operation, requirements, ports.publicBaseUrl, ports.serviceName);
  const offer = { requirements, resourceUrl: challenge.members.resource.url };

  async function admit(request: GateRequest, canonical: string, faults: readonly ParameterFault[]): Promise<Admission> {
    const payload = request.headOnly ? undefined : readPaymentHeader(request.paymentSignatures, ports.isPaymentPayload);
    if (payload === undefined) {
      // Nobody is asked to sign for what could not settle.
      const obstacle = ports.findObstacle();
      if (obstacle !== undefined) throw cannotSettle(obstacle);
      return { kind: 'unpaid' };
    }
    if (faults.length > 0) throw faultyRequest(faults);
    const ticket = createTicket(operation, requirements, payload, canonical, ports.hashClientId);
    const refusal = checkOffer(payload, ticket.authorization, offer, ports.now());
    if (!ports.verifier.isSignedByPayer(ticket.authorization)) throw refusal ?? badSignature();
    if (refusal !== undefined) return recallOr(ticket, refusal);
    const verdict = await ports.settler.verify(ticket.authorization, ticket.operationId).catch(toUnavailable);
    if (verdict.verdict === 'good') return { kind: 'admitted', ticket: { ...ticket, fromBlock: verdict.blockNumber } };
    if (verdict.verdict === 'unavailable') return recallOr(ticket, cannotSettle());
    return recallOr(ticket, refusalOf(verdict));
  }

  /**
   * Only an authentic authorization gets here: the ledger tells nothing to anybody else. A released claim binds nobody;
   * its authorization is as good as new.
   */
  async function recallOr(ticket: Ticket, refusal: ServiceError): Promise<Admission> {
    const row = await ports.machine.find(ticket);
    if (row && row.state !== 'released') return { kind: 'redelivered', reply: await ports.machine.resume(row, ticket) };
    // A used nonce may have paid us, and so may one that was let go and has expired since: anyone may send it.
    const mayHavePaid = refusal.reason === 'payment_already_used' || (row && refusal.reason === 'payment_expired');
    if (!mayHavePaid) throw refusal;
    return admitSettled(ticket, row?.fromBlock, refusal);
  }

  /**
   * What somebody else has sent is paid all the same, since payTo takes payments for nothing but this service. Nothing
   * but the chain's proof counts; what cannot be proven either way is no reason to ask for another payment.
   */
  async function admitSettled(ticket: Ticket, fromBlock: bigint | undefined, refusal: ServiceError) {
    const { to: payTo, value: amount, validBefore } = ticket.authorization;
    const found = await ports.evidence
      .find({ ...ticket.key, payTo, amount, validBefore, fromBlock })
      .catch(() => ({ verdict: 'unknown' as const }));
    if (found.verdict === 'settled') {
      const settlement = { ...found, outcome: 'settled' } as const;
      return { kind: 'admitted', ticket: { ...ticket, fromBlock: found.blockNumber, settlement } } as const;
    }
    if (found.verdict === 'unknown' || (found.verdict === 'open' && refusal.reason === 'payment_already_used'))
      throw outcomeUnknown();
    throw refusal;
  }

  async function recall(ticket: Ticket): Promise<PaidReply | undefined> {
    const row = await ports.machine.find(ticket);
    return row && row.state !== 'released' ? ports.machine.resume(row, ticket) : undefined;
  }

  return { challenge, admit, recall, charge: (ticket, reply) => ports.machine.charge(ticket, reply) };
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
