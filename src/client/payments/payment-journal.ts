import { createPurchaseError } from '../error-classes.js';
import { readKeptPayments, writeKeptPayments, type KeptPayment } from './kept-payment.js';
import type { PaymentStorage } from './payment-storage.js';
import { PurchaseError } from './purchase-error.js';
import { formatUsd } from './usd.js';

/** Most that may be charged within any hour and any day, in atomic units. */
export interface Budget {
  readonly perHourAtomic?: bigint | undefined;
  readonly perDayAtomic?: bigint | undefined;
}

/** A payment that is set aside, before it is signed. */
export type Reservation = Omit<KeptPayment, 'header' | 'isShared' | 'paidAtMs'>;

/** A payment that was signed. */
export type SignedPayment = Reservation & { readonly header: string; readonly isShared?: true | undefined };

/** What is known of a payment when nobody presents it any more. */
export type PaymentEnd =
  /** It was charged, and nothing is left to get for it. */
  | 'paid'
  /**
   * The server refused it. That ends it, unless somebody else presented it as well. Its amount stays set aside for as
   * long as it could be charged all the same: a budget does not rest on the server's word.
   */
  | 'refused'
  /** It was never presented, or it is certain that it cannot be charged any more. */
  | 'void'
  /** Nobody knows. */
  | 'open';

/** What a client knows of its payments: here amounts are set aside, and signatures kept. */
export interface PaymentJournal {
  /** A signed payment for this address that nobody here presents. From now on the caller does, until it closes it. */
  adopt(url: string): Promise<SignedPayment | undefined>;
  /** Sets the amount aside before anything is signed. @throws PurchaseError `budget_exceeded` */
  reserve(payment: Reservation): Promise<void>;
  /** Keeps what was signed, before it is presented. False when its reservation has ended: then it must not be. */
  keep(nonce: string, header: string): Promise<boolean>;
  close(nonce: string, end: PaymentEnd): Promise<void>;
  /** All that is kept: what is open, and what was charged within a day. */
  list(): Promise<readonly KeptPayment[]>;
}

export interface JournalPorts {
  readonly storage: PaymentStorage;
  readonly now: () => Date;
  readonly budget?: Budget | undefined;
}

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
/** Clocks differ, and a transfer that was sent in time may be seen late. */
const clockSkewMs = 60_000;
/** A service keeps replies for a day at least, most for longer. */
const openDays = 7;

/** Creates the journal over its storage. Processes that share a storage share its budget and its payments. */
export function createPaymentJournal({ storage, now, budget = {} }: JournalPorts): PaymentJournal {
  /** Payments that a call of this client is presenting. */
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
      throw createPurchaseError('storage_failed', 'Payments cannot be kept. Without that nothing is paid.', { cause });
    }
  }

  return {
    async adopt(url) {
      let found: SignedPayment | undefined;
      const letGo = () => found && live.delete(found.nonce);
      await change((payments) => {
        letGo(); // when it runs again, on what others have written meanwhile
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
    async reserve(payment) {
      await change((payments) => {
        const others = payments.filter(({ nonce }) => nonce !== payment.nonce);
        assertWithin(budget, others, BigInt(payment.amount), now().getTime());
        return [...others, payment];
      });
    },
    async keep(nonce, header) {
      let isThere = false;
      live.add(nonce);
      await change((payments) => {
        isThere = payments.some((each) => each.nonce === nonce);
        return payments.map((each) => (each.nonce === nonce ? { ...each, header } : each));
      });
      return isThere;
    },
    async close(nonce, end) {
      try {
        if (end === 'open') return;
        await change((payments) =>
          payments.flatMap((each) => (each.nonce === nonce ? closed(each, end, now()) : [each])),
        );
      } finally {
        live.delete(nonce);
      }
    },
    async list() {
      let all: readonly KeptPayment[] = [];
      await change((payments) => (all = payments));
      return all;
    },
  };
}

/** What was charged within so long, or may yet be, in atomic units. */
export function sumSpent(payments: readonly KeptPayment[], nowMs: number, windowMs: number): bigint {
  return payments
    .filter((each) => (each.paidAtMs ?? lastChargeMs(each)) > nowMs - windowMs)
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** Whether it is too late for a payment to be charged for the first time. */
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
 * Charged a day ago; refused, or never signed in time, as when its client died before; or so old that its reply is not
 * kept.
 */
function isForgettable(payment: KeptPayment, nowMs: number): boolean {
  if (payment.paidAtMs !== undefined) return payment.paidAtMs <= nowMs - dayMs;
  return lastChargeMs(payment) <= (isSigned(payment) ? nowMs - openDays * dayMs : nowMs);
}

/** The last moment at which a payment that is not known to be charged can be. */
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
      `The price is ${formatUsd(amount)}; of the ${formatUsd(limit)} for each ${window} ${formatUsd(spent)} are spent ` +
        'or set aside. Nothing was signed.',
    );
  }
}
