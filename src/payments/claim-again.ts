import type { Claim, ClaimResult, Ledger } from './ledger/ledger.js';
import { cannotSettle, inProgress, refusedByChain } from './payment-errors.js';
import type { Pause } from './settlement/pause.js';
import type { Settler } from './settlement/settler.js';
import type { VerifiedPayment } from './verified-payment.js';

/** A claim that was tried, and what came of it. */
export interface TriedClaim {
  readonly payment: VerifiedPayment;
  readonly claim: Claim;
  readonly claimed: ClaimResult;
}

export interface ClaimAgainPorts {
  readonly ledger: Pick<Ledger, 'listInFlight'>;
  readonly settler: Pick<Settler, 'verify'>;
  readonly pause: Pause;
}

/** How long a claim waits for the payer's other payments, in milliseconds. */
const patienceMs = 5_000;
const lookMs = 100;

/**
 * Claims a payment again whose payer's other payments needed what it holds: when one of them ends, and by what the
 * chain says then. Nothing is written and no connection is held meanwhile. After five seconds the last try stands.
 *
 * @throws ServiceError when the chain would not take the payment any more
 */
export async function claimAgain(
  ports: ClaimAgainPorts,
  first: TriedClaim,
  tryClaim: (payment: VerifiedPayment) => Promise<TriedClaim>,
): Promise<TriedClaim> {
  const waiting = new AbortController();
  let isOver = false;
  void ports.pause(patienceMs, waiting.signal).then(() => (isOver = true));

  async function waitForEnd(claim: Claim): Promise<void> {
    const listOpen = async () => {
      const inFlight = await ports.ledger.listInFlight(claim);
      return inFlight.filter(({ isOpen }) => isOpen).map(({ nonce }) => nonce);
    };
    const before = await listOpen();
    for (let now = before; !isOver && before.every((nonce) => now.includes(nonce)); now = await listOpen()) {
      await ports.pause(lookMs, waiting.signal);
      if (before.length === 0) return;
    }
  }

  try {
    let tried = first;
    while (tried.claimed.kind === 'funds_in_flight' && !isOver) {
      await waitForEnd(tried.claim);
      if (!isOver) tried = await tryClaim(await verifyAnew(ports.settler, tried.payment));
    }
    return tried;
  } finally {
    waiting.abort();
  }
}

async function verifyAnew(settler: Pick<Settler, 'verify'>, payment: VerifiedPayment): Promise<VerifiedPayment> {
  const verdict = await settler.verify(payment.authorization, payment);
  if (verdict.verdict === 'unavailable') throw cannotSettle(verdict.by);
  if (verdict.verdict === 'good') return { ...payment, payerCode: verdict.payerCode, funds: verdict.funds };
  // Somebody has sent it meanwhile: the gate looks whom it paid when it comes again.
  throw verdict.reason === 'nonce_used' ? inProgress() : refusedByChain(verdict);
}
