import { ServiceError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { Ledger, PaymentRow } from '../ledger/ledger.js';
import { isRebuiltUnsold } from '../ledger/payment-row.js';
import { inProgress, namePayment, outcomeUnknown } from '../payment-errors.js';
import type { PaidReply, PaymentMachine } from '../payment-machine.js';
import { type ReplyTokens, createReplyTokens } from './reply-token.js';
import type { AssertPayer } from './payer-proof.js';
import type { Secrets } from '../../secrets/secrets.js';
import type { Payments } from '../open-payments.js';

/** Public details of a payment, readable by anyone who has its id. */
export interface PaymentReport extends Pick<
  PaymentRow,
  'state' | 'operationId' | 'amount' | 'network' | 'asset' | 'claimedAt' | 'settlement'
> {
  readonly delivered: boolean;
  /** The reply is kept at least until this time. Undefined if there is no reply to deliver. */
  readonly redeliveryUntil: Date | undefined;
  /** While it is claimed. `endsBy`: when a finalized block that is past its window ends it, unless it ends before. */
  readonly open: { readonly chargeableUntil: Date; readonly endsBy: Date } | undefined;
}

/** Credentials of somebody who asks for a paid reply again. */
export interface RedeliveryProof {
  /** The SIGN-IN-WITH-X header, once per occurrence. */
  readonly proofs: readonly string[];
  readonly token?: string | undefined;
}

/** Lets buyers check a payment and get its reply again. Charges nothing. */
export interface PaymentStatusService {
  /** @throws ServiceError `unknown_payment` */
  report(paymentId: string): Promise<PaymentReport>;
  /**
   * The paid reply again, for the wallet that paid or, for a day, the holder of the token that came with it.
   *
   * @throws ServiceError `payment_already_used` (402) with a sign-in request if the payer's proof is missing or wrong;
   *   `reply_suppressed`; `unknown_payment`, `payment_in_progress` or `settlement_unknown` while there is nothing to
   *   deliver.
   */
  deliver(paymentId: string, shown: RedeliveryProof): Promise<PaidReply>;
}

export interface PaymentStatusServicePorts {
  readonly ledger: Ledger;
  readonly machine: PaymentMachine;
  readonly assertPayer: AssertPayer;
  readonly tokens: ReplyTokens;
  /** How long reply bodies are kept at least. */
  readonly keepRepliesMs: number;
  /** How far finalized blocks are behind. Rejects with the chain. */
  readonly finalityLagMs: () => Promise<number>;
  readonly log: Log;
}

/** Taken where nothing is measured. */
const usualLagMs = 60_000;

/** Never resolves an open payment: the buyer's retry or reconciliation does. */
export function createPaymentStatusService(ports: PaymentStatusServicePorts): PaymentStatusService {
  const { ledger } = ports;

  async function find(paymentId: string) {
    const found = await ledger.findById(Buffer.from(paymentId.slice(2), 'hex')).catch((cause: unknown) => {
      ports.log.error({ err: cause, paymentId }, 'payment status: ledger read failed');
      throw new ServiceError('temporarily_unavailable', 'The payment cannot be looked up now. Ask again.', {
        retryAfterSeconds: 5,
        cause,
      });
    });
    if (found === undefined)
      throw new ServiceError('unknown_payment', 'No payment with this id was ever claimed here; nothing was billed.');
    return found;
  }

  async function deliver(paymentId: string, shown: RedeliveryProof): Promise<PaidReply> {
    const { row, isReplyKept, readAt } = await find(paymentId);
    if (row.state === 'released')
      throw new ServiceError('unknown_payment', 'The payment was released and never charged.');
    if (row.delivery === 'refunded')
      throw new ServiceError('unknown_payment', 'The payment was given back: it bought nothing.', {
        payment: 'settled',
      });
    if (row.state === 'claimed') throw row.isLeased ? inProgress() : outcomeUnknown();
    if (shown.token === undefined || !ports.tokens.isGenuine(paymentId, shown.token) || readAt >= tokenEnd(row))
      await ports.assertPayer(
        shown.proofs,
        { paymentId, payer: row.payer },
        { detail: howToProve, payment: 'settled' },
      );
    if (isRebuiltUnsold(row)) throw new ServiceError('not_found', howToBuy, { payment: 'settled' });
    if (!isReplyKept) throw new ServiceError('not_found', 'The reply of this payment is not kept any longer.');
    return ports.machine.deliver(row);
  }

  async function describeOpen({ state, validBefore }: PaymentRow): Promise<PaymentReport['open']> {
    if (state !== 'claimed') return undefined;
    const endMs = Number(validBefore) * 1000;
    const lagMs = await ports.finalityLagMs().catch(() => usualLagMs);
    return { chargeableUntil: new Date(endMs), endsBy: new Date(endMs + lagMs) };
  }

  /** A link opens a reply for as long as it is kept, and for a day at most. Source: docs/decisions/policy.md. */
  function tokenEnd({ claimedAt, settlement }: PaymentRow): Date {
    const settledMs = settlement?.settledAt.getTime() ?? 0;
    return new Date(Math.min(claimedAt.getTime() + ports.keepRepliesMs, settledMs + tokenMs));
  }

  return {
    async report(paymentId) {
      const { row, isReplyKept } = await find(paymentId);
      const redeliveryUntil =
        row.state === 'settled' && row.delivery !== 'refunded' && isReplyKept
          ? new Date(row.claimedAt.getTime() + ports.keepRepliesMs)
          : undefined;
      return { ...row, delivered: row.delivery === 'completed', redeliveryUntil, open: await describeOpen(row) };
    },
    deliver: (paymentId, shown) =>
      deliver(paymentId, shown).catch((error: unknown) => {
        throw error instanceof ServiceError ? namePayment(error, paymentId) : error;
      }),
  };
}

const howToBuy =
  'No reply of this payment is kept. Send it with the request that it shall buy, and with SIGN-IN-WITH-X; it buys once.';
const howToProve = 'Sign the challenge in `extensions` with the wallet that paid, and send it as SIGN-IN-WITH-X.';

const tokenMs = 24 * 3_600_000;

export interface OpenPaymentStatusPorts extends Pick<
  PaymentStatusServicePorts,
  'assertPayer' | 'keepRepliesMs' | 'log'
> {
  readonly payments: Pick<Payments, 'ledger' | 'machine' | 'client'>;
  readonly secrets: Secrets;
}

/** Opens the payment status of a running service. */
export function openPaymentStatus(ports: OpenPaymentStatusPorts): PaymentStatusService {
  const { ledger, machine, client } = ports.payments;
  return createPaymentStatusService({
    ...ports,
    ledger,
    machine,
    finalityLagMs: async () => client?.times.finalityLagMs() ?? usualLagMs,
    tokens: createReplyTokens(ports.secrets),
  });
}
