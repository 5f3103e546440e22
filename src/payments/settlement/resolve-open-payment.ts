import type { ClaimedRow, PaymentKey, PaymentRow, Settlement } from '../ledger/ledger.js';
import { takenOver, type SettleOutcome, type Settler } from './settler.js';

/**
 * The chain's evidence of an authorization, of any submitter. open: unused, also if it was settled before. gone: it was
 * claimed on a local chain whose history was wiped. unknown: nothing is proven.
 */
export type ChainEvidence =
  ChainProof | { readonly verdict: 'open' } | { readonly verdict: 'gone' } | { readonly verdict: 'unknown' };

/** Evidence that ends a payment. */
export type ChainProof =
  | { readonly verdict: 'settled'; readonly transaction: `0x${string}`; readonly blockNumber: bigint }
  | { readonly verdict: 'diverted' | 'cancelled' | 'expired' };

/** A question to the chain; a row of the ledger is one. */
export interface EvidenceQuestion extends PaymentKey, Pick<PaymentRow, 'amount' | 'payTo' | 'validBefore'> {
  /** The start of the search. Undefined: two hours before the end of the window, longer than any accepted window. */
  readonly searchFrom: Date | undefined;
  /** The local chain's history it was claimed on, where it was claimed before. */
  readonly chainInstance?: string;
  /** Where it was seen settled. A node that has not come so far proves nothing against it. */
  readonly settlement?: Settlement | undefined;
}

/** Reads evidence from the chain: proof of the transfer, not what anyone says of it. */
export interface Evidence {
  /**
   * Whether the authorization is used, for any purpose; one call. Rejects when the chain does not answer, and when a
   * node behind `asOf` (Unix seconds) shows it unused.
   */
  isUsed(payment: PaymentKey, asOf: bigint): Promise<boolean>;
  find(question: EvidenceQuestion): Promise<ChainEvidence>;
  /** Answers for many, in the order of the questions, in a few calls per hundred. */
  findMany(questions: readonly EvidenceQuestion[]): Promise<readonly ChainEvidence[]>;
}

/** The parts of a claimed payment that decide its outcome. */
type OpenPayment = Omit<ClaimedRow, 'claimedAt'>;

/**
 * The outcome of a claimed payment that may have been sent already: what the chain shows, and for an authorization that
 * is still unused, another attempt to settle it. Refusals need proof; doubt is `unknown`.
 */
export async function resolveOpenPayment(
  row: OpenPayment,
  evidence: Evidence,
  settler: Pick<Settler, 'settle'>,
  now: Date,
): Promise<SettleOutcome> {
  const found = await askEvidence(evidence, row);
  if (found.verdict === 'gone') return failed(stateFault, 'the chain it was claimed on is gone');
  if (found.verdict === 'unknown') return { outcome: 'unknown', detail: 'the chain could not be asked' };
  if (found.verdict !== 'open') return provenOutcome(found);
  return row.validBefore <= BigInt(Math.floor(now.getTime() / 1000))
    ? { outcome: 'unknown', detail: 'past its window, but not in a finalized block yet' }
    : settleAgain(row, settler);
}

export const stateFault = 'invalid_transaction_state';

/** The outcome that the chain proves. */
export function provenOutcome(found: ChainProof): SettleOutcome {
  if (found.verdict === 'settled') {
    const { transaction, blockNumber } = found;
    return { outcome: 'settled', transaction, blockNumber };
  }
  if (found.verdict === 'diverted') return failed(stateFault, 'the authorization paid somebody else');
  if (found.verdict === 'cancelled') return failed(stateFault, 'the payer cancelled the authorization');
  return failed('invalid_exact_evm_payload_authorization_valid_before', 'the authorization expired unused');
}

function failed(reason: string, detail: string): SettleOutcome {
  return { outcome: 'failed', reason, detail };
}

/**
 * An earlier attempt may still be under way: that this one failed proves nothing, unless it failed on the chain, where
 * only one transaction can carry it.
 */
async function settleAgain(row: OpenPayment, settler: Pick<Settler, 'settle'>): Promise<SettleOutcome> {
  const outcome = await settler.settle(authorizationIn(row), takenOver(row));
  const isProven = outcome.outcome !== 'failed' || outcome.burnedGas !== undefined;
  return isProven ? outcome : { outcome: 'unknown', detail: outcome.detail };
}

/** The signed authorization that a row holds. */
export function authorizationIn(row: OpenPayment) {
  return {
    from: row.payer,
    to: row.payTo,
    value: row.amount,
    validAfter: row.validAfter,
    validBefore: row.validBefore,
    nonce: row.nonce,
    signature: row.signature,
  };
}

/** The chain's evidence. Never rejects: without an answer it is `unknown`. */
export async function askEvidence(evidence: Evidence, question: EvidenceQuestion): Promise<ChainEvidence> {
  try {
    return await evidence.find(question);
  } catch {
    return { verdict: 'unknown' };
  }
}

/** The evidence without a chain: nothing is proven. */
export const noEvidence: Evidence = {
  isUsed: () => Promise.reject(new Error('There is no chain to ask')),
  find: async () => ({ verdict: 'unknown' }),
  findMany: async (questions) => questions.map(() => ({ verdict: 'unknown' })),
};
