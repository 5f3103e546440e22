import { lowerHex, type Hex } from '../../../src/payments/chain/eip3009.js';
import type { PaymentKey } from '../../../src/payments/ledger/ledger.js';
import { publicPaymentId } from '../../../src/payments/ledger/payment-row.js';
import type { Random } from '../../simulation/random.js';
import type { Scheduler } from '../../simulation/scheduler.js';
import {
  asksForProof,
  challengeOf,
  inProgress,
  sentElsewhere,
  priced,
  problem,
  requirementOf,
  sold,
  unknown,
  type Answer,
} from '../mock-server.js';

/** One payment in the model service's ledger. */
interface Row {
  state: 'claimed' | 'settled' | 'released';
  readonly path: string;
  readonly nonce: string;
  readonly identifier: string | undefined;
  readonly amount: bigint;
  /** Until then an attempt is processing it. */
  leaseUntilMs: number;
  /** The true outcome, and when the service can know it. */
  fate: { readonly kind: 'charged' | 'never'; readonly knownMs: number } | undefined;
}

/** A transfer of money. */
export interface Charge {
  readonly path: string;
  readonly nonce: string;
  readonly amount: bigint;
  readonly atMs: number;
}

/** A request to the model service, as it arrives. */
export interface Asked {
  readonly path: string;
  readonly headers: Headers;
}

/** A model of the service: its wire format and its payment rules, on a history's clock and with its faults. */
export interface ModelService {
  /** Undefined: the service dies during the request, without an answer. */
  answer(asked: Asked): Promise<Answer | undefined>;
  /** Ends all faults. */
  calmDown(): void;
}

export interface ModelServicePorts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly note: (fault: string) => void;
  readonly onCharge: (charge: Charge) => void;
}

interface Authorization {
  readonly from: Hex;
  readonly value: string;
  readonly validBefore: string;
  readonly nonce: Hex;
}

interface Payload {
  readonly accepted: { readonly amount: string; readonly network: string; readonly asset: Hex };
  readonly payload: { readonly authorization: Authorization };
  readonly extensions?: Readonly<Record<string, { readonly info: { readonly id?: string } }>>;
}

export const prices: readonly (readonly [string, string])[] = [
  ['/api/deals/hot', '20000'],
  ['/api/deals', '50000'],
  ['/api/leads', '250000'],
];
const leaseMs = 60_000;
const busy = problem(429, 'rate_limited', { retryable: true }, { 'Retry-After': '5' });
const failed = problem(500, 'internal_error', { retryable: true });
const noSettler = problem(
  503,
  'chain_unavailable',
  { payment: 'not_settled', retryable: true },
  { 'Retry-After': '5' },
);

export function createModelService({ scheduler, random, note, onCharge }: ModelServicePorts): ModelService {
  const rows = new Map<string, Row>();
  /** Charged, as the chain shows, and unknown to the ledger. Looked for however late. */
  const lost = new Map<string, Row>();
  let isCalm = false;
  const happens = (fault: string, probability: number): boolean => {
    const does = !isCalm && random.chance(probability);
    if (does) note(fault);
    return does;
  };
  const wait = (ms: number) => new Promise<void>((resolve) => void scheduler.after(ms, resolve));

  function refuse(reason: string, payment = 'not_settled'): Answer {
    return priced([requirementOf()], { reason, payment });
  }

  /** The service's knowledge of a payment that it could not finish. */
  function reconcile(row: Row): void {
    if (row.state !== 'claimed' || row.fate === undefined || scheduler.now() < row.fate.knownMs) return;
    row.state = row.fate.kind === 'charged' ? 'settled' : 'released';
  }

  function charge(row: Row): void {
    onCharge({ path: row.path, nonce: row.nonce, amount: row.amount, atMs: scheduler.now() });
  }

  async function settle(row: Row, validBeforeMs: number): Promise<Answer | undefined> {
    await wait(random.between(10, random.chance(0.1) ? 20_000 : 900));
    const isTooLate = scheduler.now() >= validBeforeMs;
    if (happens('settlement failed', 0.06) || isTooLate) {
      row.state = 'released';
      return problem(402, 'settlement_failed', { payment: 'not_settled' });
    }
    if (!happens('outcome unknown', 0.3)) {
      row.state = 'settled';
      charge(row);
      return happens('service dies after settling', 0.05) ? undefined : reply(row);
    }
    if (random.chance(0.4)) {
      // Certain only when it is too late for a transfer.
      row.fate = { kind: 'never', knownMs: validBeforeMs + 1000 };
    } else {
      await wait(random.between(0, Math.max(0, Math.min(120_000, validBeforeMs - scheduler.now() - 1))));
      charge(row);
      row.fate = { kind: 'charged', knownMs: scheduler.now() + random.between(0, 40_000) };
    }
    return happens('service dies with an open outcome', 0.3) ? undefined : unknown;
  }

  function reply({ path, nonce }: Row): Answer {
    return sold([{ id: nonce, path }], { ETag: `"${path} at ${Math.floor(scheduler.now() / 300_000)}"` });
  }

  async function sell(
    path: string,
    amount: string,
    { accepted, payload, extensions }: Payload,
    isProven: boolean,
  ): Promise<Answer | undefined> {
    const { from, nonce, value, validBefore } = payload.authorization;
    const identifier = extensions?.['payment-identifier']?.info.id;
    const paymentId = paymentIdOf({ ...accepted, payer: from, nonce });
    const gone = lost.get(paymentId);
    if (gone !== undefined && !isProven)
      return asksForProof('https://deals.example', paymentId, undefined, sentElsewhere);
    if (gone !== undefined) {
      lost.delete(paymentId);
      rows.set(paymentId, { ...gone, path, identifier });
    }
    const row = rows.get(paymentId);
    if (row !== undefined) reconcile(row);
    if (row !== undefined && row.state !== 'released') {
      if (row.path !== path) return refuse('payment_already_used', 'unknown');
      if (row.state === 'claimed') return scheduler.now() < row.leaseUntilMs ? inProgress : unknown;
      return row.identifier === identifier ? reply(row) : refuse('payment_already_used', 'settled');
    }
    const validBeforeMs = Number(validBefore) * 1000;
    if (value !== amount || accepted.amount !== amount) return refuse('payment_amount_mismatch');
    if (scheduler.now() >= validBeforeMs) return refuse('payment_expired');
    if (happens('payer turned away', 0.05)) return busy;
    if (happens('no settler', 0.05)) return noSettler;
    if (happens('handler fails', 0.04)) return failed;
    if (happens('nothing matches', 0.06)) return problem(404, 'no_records_match', { payment: 'not_settled' });
    if (happens('payment refused', 0.04)) return refuse('payment_invalid');
    const leaseUntilMs = scheduler.now() + leaseMs;
    const claimed: Row = {
      state: 'claimed',
      path,
      nonce,
      identifier,
      amount: BigInt(amount),
      leaseUntilMs,
      fate: undefined,
    };
    rows.set(paymentId, claimed);
    const answer = await settle(claimed, validBeforeMs);
    if (claimed.state !== 'settled' || !happens('ledger lost', 0.05)) return answer;
    rows.delete(paymentId);
    lost.set(paymentId, claimed);
    return undefined;
  }

  function report(paymentId: string): Answer {
    const row = rows.get(paymentId);
    if (row === undefined) return problem(404, 'unknown_payment');
    reconcile(row);
    return { status: 200, body: { payment_id: paymentId, state: row.state } };
  }

  return {
    async answer({ path, headers }) {
      if (happens('turned away', 0.15)) return busy;
      if (path.startsWith('/api/payments/')) return report(path.slice('/api/payments/'.length));
      const [, usual = ''] = prices.find(([start]) => path.startsWith(start)) ?? [];
      const amount = happens('dearer for a moment', 0.03) ? String(BigInt(usual) * 40n) : usual;
      const header = headers.get('payment-signature');
      if (header !== null)
        return sell(
          path,
          amount,
          JSON.parse(Buffer.from(header, 'base64').toString()) as Payload,
          headers.has('sign-in-with-x'),
        );
      const tag = headers.get('if-none-match');
      if (tag === `"${path} at ${Math.floor(scheduler.now() / 300_000)}"`)
        return { status: 304, headers: { ETag: tag } };
      const extensions = { 'payment-identifier': { info: { required: false } } };
      const challenge = { ...challengeOf([requirementOf({ amount })]), extensions };
      const encoded = Buffer.from(JSON.stringify(challenge)).toString('base64');
      return { status: 402, headers: { 'PAYMENT-REQUIRED': encoded }, body: challenge };
    },
    calmDown: () => void (isCalm = true),
  };
}

/** Like the service, reads addresses case-insensitively. */
function paymentIdOf({ network, asset, payer, nonce }: PaymentKey): string {
  return publicPaymentId({ network, asset: lowerHex(asset), payer: lowerHex(payer), nonce: lowerHex(nonce) });
}
