import { createPurchaseError } from '../error-classes.js';
import type { PaymentStorage } from './payment-storage.js';
import { PurchaseError } from './purchase-error.js';
import { formatUsd, formatDollars } from './usd.js';
import type { Spending } from '../deals-client.js';
import { paymentIdOf } from './payment-id.js';
import * as z from 'zod/mini';
import { parseJson } from '../wire/base64-json.js';

/** Spending limits for any hour and any day, in atomic units. */
export interface Budget {
  readonly perHourAtomic?: bigint | undefined;
  readonly perDayAtomic?: bigint | undefined;
}

/** An amount held for a payment before its signature. */
export type Reservation = Omit<KeptPayment, 'header' | 'isShared' | 'paidAtMs'>;

/** A payment with its signature. */
export type SignedPayment = Reservation & { readonly header: string; readonly isShared?: true | undefined };

/** The state of a payment that is no longer presented. */
export type PaymentEnd =
  /** Charged, and its reply was delivered. */
  | 'paid'
  /**
   * Refused by the server. This ends the payment unless it was presented elsewhere too. The amount stays held
   * until it can no longer be charged, because a budget does not trust the server.
   */
  | 'refused'
  /** Never presented, or certainly not chargeable any more. */
  | 'void'
  /** Unknown. */
  | 'open';

export type PaymentJournal = ReturnType<typeof createPaymentJournal>;

export interface JournalPorts {
  readonly storage: PaymentStorage;
  readonly now: () => Date;
  readonly budget?: Budget | undefined;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Clocks differ, and a transfer sent in time may appear late. */
const clockSkewMs = 60_000;
/** A service keeps replies for at least a day, most of them longer. */
const openDays = 7;

/**
 * Creates the client's record of its payments, over its storage: reserves amounts and keeps signatures. Processes that
 * share a storage share its budget and its payments.
 */
export function createPaymentJournal({ storage, now, budget = {} }: JournalPorts) {
  /** Nonces of payments that this client is presenting. */
  const live = new Set<string>();

  async function change(edit: (payments: readonly KeptPayment[]) => readonly KeptPayment[]): Promise<void> {
    const update = (text: string | undefined) => {
      const nowMs = now().getTime();
      return writeKeptPayments(edit(readKeptPayments(text).filter((each) => !isForgettable(each, nowMs))));
    };
    try {
      await storage.update(update);
    } catch (cause) {
      if (cause instanceof PurchaseError) throw cause;
      throw createPurchaseError('storage_failed', 'Payments cannot be stored, so nothing is paid.', { cause });
    }
  }

  return {
    /** A signed payment for this address that no call here presents. The caller presents it until it closes it. */
    async adopt(url: string): Promise<SignedPayment | undefined> {
      let found: SignedPayment | undefined;
      const letGo = () => found && live.delete(found.nonce);
      await change((payments) => {
        letGo(); // `change` may run again on a newer text
        found = payments.filter(isSigned).find((each) => each.url === url && !live.has(each.nonce));
        if (found === undefined) return payments;
        found = { ...found, isShared: true };
        live.add(found.nonce);
        return payments.map((each) => (each.nonce === found?.nonce ? found : each));
      }).catch((error: unknown) => {
        letGo();
        throw error;
      });
      return found;
    },
    /** Reserves the amount before anything is signed. @throws PurchaseError `budget_exceeded` */
    async reserve(payment: Reservation): Promise<void> {
      await change((payments) => {
        const others = payments.filter(({ nonce }) => nonce !== payment.nonce);
        assertWithin(budget, others, BigInt(payment.amount), now().getTime());
        return [...others, payment];
      });
    },
    /**
     * Keeps the signature before it is presented. False when the reservation has ended; then it must not be presented.
     */
    async keep(nonce: string, header: string): Promise<boolean> {
      let isThere = false;
      live.add(nonce);
      await change((payments) => {
        isThere = payments.some((each) => each.nonce === nonce);
        return payments.map((each) => (each.nonce === nonce ? { ...each, header } : each));
      });
      return isThere;
    },
    async close(nonce: string, end: PaymentEnd): Promise<void> {
      try {
        if (end === 'open') return;
        await change((payments) =>
          payments.flatMap((each) => (each.nonce === nonce ? closed(each, end, now()) : [each])),
        );
      } finally {
        live.delete(nonce);
      }
    },
    /** All kept payments: the open ones and those charged within a day. */
    async list(): Promise<readonly KeptPayment[]> {
      let all: readonly KeptPayment[] = [];
      await change((payments) => (all = payments));
      return all;
    },
  };
}

/** Amounts charged within the window or still chargeable, in atomic units. */
function sumSpent(payments: readonly KeptPayment[], nowMs: number, windowMs: number): bigint {
  return payments
    .filter((each) => (each.paidAtMs ?? lastChargeMs(each)) > nowMs - windowMs)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** True when a payment can no longer be charged for the first time. */
export function isOver(payment: Pick<KeptPayment, 'validBefore'>, now: Date): boolean {
  return now.getTime() > lastChargeMs(payment);
}

function closed(payment: KeptPayment, end: Exclude<PaymentEnd, 'open'>, now: Date): readonly KeptPayment[] {
  if (end === 'void') return [];
  if (end === 'refused' && payment.isShared === true) return [payment];
  const { header: _, ...rest } = payment;
  return [end === 'refused' ? rest : { ...rest, paidAtMs: now.getTime() }];
}

function isSigned(payment: KeptPayment): payment is SignedPayment {
  return payment.header !== undefined;
}

/**
 * True for a payment charged over a day ago, one refused or never signed in time, and one so old that the service no
 * longer keeps its reply.
 */
function isForgettable(payment: KeptPayment, nowMs: number): boolean {
  if (payment.paidAtMs !== undefined) return payment.paidAtMs <= nowMs - dayMs;
  return lastChargeMs(payment) <= (isSigned(payment) ? nowMs - openDays * dayMs : nowMs);
}

/** The last moment at which an uncharged payment can be charged, in Unix milliseconds. */
export function lastChargeMs({ validBefore }: Pick<KeptPayment, 'validBefore'>): number {
  return validBefore * 1000 + clockSkewMs;
}

function assertWithin(budget: Budget, payments: readonly KeptPayment[], amount: bigint, nowMs: number): void {
  for (const [window, limit, windowMs] of [
    ['hour', budget.perHourAtomic, hourMs],
    ['day', budget.perDayAtomic, dayMs],
  ] as const) {
    const spent = sumSpent(payments, nowMs, windowMs);
    if (limit === undefined || spent + amount <= limit) continue;
    throw createPurchaseError(
      'budget_exceeded',
      `The price is ${formatUsd(amount)}; ${formatUsd(spent)} of the ${formatUsd(limit)} for each ${window} are spent ` +
        'or held. Nothing was paid.',
    );
  }
}

/** Sums up the kept payments: amounts charged, signed and possibly charged, or held. */
export function describeSpending(payments: readonly KeptPayment[], now: Date): Spending {
  const nowMs = now.getTime();
  const spent = payments.filter(({ header, paidAtMs }) => header !== undefined || paidAtMs !== undefined);
  return {
    lastHour: formatDollars(sumSpent(spent, nowMs, hourMs)),
    lastDay: formatDollars(sumSpent(spent, nowMs, dayMs)),
    held: formatDollars(sumSpent(payments, nowMs, dayMs) - sumSpent(spent, nowMs, dayMs)),
    open: payments
      .filter(({ header }) => header !== undefined)
      .map((payment) => ({
        url: payment.url,
        network: payment.network,
        asset: payment.asset,
        amount: formatDollars(BigInt(payment.amount)),
        payer: payment.payer,
        paymentId: paymentIdOf(payment),
        validBefore: new Date(payment.validBefore * 1000),
      })),
  };
}

const keptPayment = z.object({
  /** Address of the request, with its query. */
  url: z.string(),
  network: z.string(),
  asset: z.string(),
  payer: z.string(),
  nonce: z.string(),
  /** Atomic units of a dollar token with 6 decimals. */
  amount: z.string().check(z.regex(/^[0-9]+$/)),
  /** Unix seconds. The payment cannot be charged for the first time after this. */
  validBefore: z.number(),
  /** The PAYMENT-SIGNATURE that may have been presented. Missing: never presented, or closed. */
  header: z.optional(z.string()),
  /** Set by `adopt`: an earlier presentation has an unknown outcome. No refusal ends the payment; only time does. */
  isShared: z.optional(z.literal(true)),
  /** When the charge became known. */
  paidAtMs: z.optional(z.number()),
});

/** A payment as the client keeps it, from before its signature until a day after its charge. */
export type KeptPayment = z.infer<typeof keptPayment>;

const content = z.object({ version: z.literal(1), payments: z.array(keptPayment) });

/** Parses the text of a storage. @throws PurchaseError `storage_failed`: unreadable payments must not be ignored. */
function readKeptPayments(text: string | undefined): readonly KeptPayment[] {
  if (text === undefined) return [];
  const parsed = z.safeParse(content, parseJson(text));
  if (parsed.success) return parsed.data.payments;
  throw createPurchaseError(
    'storage_failed',
    'The stored payments cannot be read. Nothing is signed until they are repaired or removed; check them first.',
  );
}

/** The text to store for these payments. */
function writeKeptPayments(payments: readonly KeptPayment[]): string {
  return JSON.stringify({ version: 1, payments });
}
