import type { Claim, ClaimResult, Ledger } from './ledger/ledger.js';
import { cannotSettle, inProgress, refusedByChain } from './payment-errors.js';
import type { Pause } from './settlement/pause.js';
import type { Settler } from './settlement/settler.js';
import type { VerifiedPayment } from './verified-payment.js';

/** A tried claim with its result. */
export interface TriedClaim {
  readonly payment: VerifiedPayment;
  readonly claim: Claim;
  readonly claimed: ClaimResult;
}

export interface ClaimAgainPorts {
  readonly ledger: Pick<Ledger, 'claim' | 'listInFlight'>;
  readonly settler: Pick<Settler, 'verify'>;
  readonly pause: Pause;
}

/** How long a claim waits: for its payer's money in flight, or for the hourly gas of payers with code. */
const patienceMs = { funds_in_flight: 5_000, gas_burned: 3_000 };
const lookMs = 100;

/** Repeats a refused claim. Nothing is written and no connection is held meanwhile. */
export type ClaimAgain = ReturnType<typeof createClaimAgain>;

export function createClaimAgain({ ledger, settler, pause }: ClaimAgainPorts) {
  /** The queue of claims that wait for gas: only the first one tries. */
  let line: Promise<unknown> = Promise.resolve();

  async function listOpen(claim: Claim): Promise<readonly string[]> {
    const inFlight = await ledger.listInFlight(claim);
    return inFlight.filter(({ isOpen }) => isOpen).map(({ nonce }) => nonce);
  }

  /**
   * A payment that its payer's funds in flight do not cover waits for one of them to end, five seconds at
   * most, then verifies again. A payment of a payer with code waits in line for three seconds. Then the last result
   * counts.
   *
   * @throws ServiceError when the chain would not take the payment any more
   */
  return async function claimAgain(
    first: TriedClaim,
    claimOf: (payment: VerifiedPayment) => Claim,
  ): Promise<TriedClaim> {
    const { kind } = first.claimed;
    const mayWait = kind === 'funds_in_flight' || (kind === 'gas_burned' && first.claim.payerGas !== undefined);
    if (!mayWait) return first;
    const waiting = new AbortController();
    let isOver = false;
    void pause(patienceMs[kind], waiting.signal).then(() => (isOver = true));
    const look = () => pause(lookMs, waiting.signal);

    async function tryAgain(payment: VerifiedPayment): Promise<TriedClaim> {
      const claim = claimOf(payment);
      return { payment, claim, claimed: await ledger.claim(claim) };
    }

    async function waitForFunds({ payment, claim }: TriedClaim): Promise<TriedClaim> {
      const before = await listOpen(claim);
      let open = before;
      do {
        await look();
        if (before.length > 0) open = await listOpen(claim);
      } while (!isOver && before.length > 0 && before.every((nonce) => open.includes(nonce)));
      return tryAgain(await verifyAgain(settler, payment));
    }

    async function waitForGas(since: TriedClaim): Promise<TriedClaim> {
      let tried = since;
      while (!isOver && tried.claimed.kind === 'gas_burned') {
        await look();
        tried = await tryAgain(tried.payment);
      }
      return tried;
    }

    try {
      let tried = first;
      while (!isOver) {
        const since = tried;
        if (since.claimed.kind === 'funds_in_flight') tried = await waitForFunds(since);
        else if (since.claimed.kind === 'gas_burned') {
          const turn = line.then(() => waitForGas(since));
          line = turn.catch(() => undefined);
          tried = await turn;
        } else break;
      }
      return tried;
    } finally {
      waiting.abort();
    }
  };
}

async function verifyAgain(settler: Pick<Settler, 'verify'>, payment: VerifiedPayment): Promise<VerifiedPayment> {
  const verdict = await settler.verify(payment.authorization, payment);
  if (verdict.verdict === 'unavailable') throw cannotSettle(verdict.by);
  if (verdict.verdict === 'good') return { ...payment, payerCode: verdict.payerCode, funds: verdict.funds };
  // A third party has submitted it meanwhile: at the next try the gate searches the receiver.
  throw verdict.reason === 'nonce_used' ? inProgress() : refusedByChain(verdict);
}
