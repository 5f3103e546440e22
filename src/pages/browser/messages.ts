import { PurchaseError } from '../../client/payments/purchase-error.js';
import { WalletError } from './wallets.js';

/** What a person reads when nothing was delivered, and what can be done. */
export interface Message {
  readonly text: string;
  /** The state of the money, as far as it is known. */
  readonly isOpen: boolean;
  /** The button that goes on; undefined where nothing would change. */
  readonly again: string | undefined;
  /** What may be copied. */
  readonly copy?: string | undefined;
}

const safe = 'Nothing was charged.';
const againAfter: Readonly<Partial<Record<WalletError['kind'], string>>> = {
  cannot_keep: 'Pay anyway',
  declined: 'Buy again',
  wrong_chain: 'Switch',
};

/** The words of a failure. They begin with what became of the money where that is in doubt. */
export function messageOf(error: unknown): Message {
  const cause =
    error instanceof PurchaseError && error.reason === 'not_signed' ? (error.context.cause ?? error) : error;
  if (cause instanceof WalletError)
    return { text: cause.message, isOpen: false, again: againAfter[cause.kind] ?? 'Try again', copy: cause.copy };
  if (!(cause instanceof PurchaseError)) {
    const said = cause instanceof Error ? cause.message : 'The wallet refused.';
    return { text: `${said} ${safe}`, isOpen: false, again: 'Try again' };
  }
  const { reason, context } = cause;
  if (context.payment === 'unknown')
    return {
      text: 'Not known yet whether you paid. You will not pay twice: going on presents the same payment again.',
      isOpen: true,
      again: 'Go on with the same payment',
    };
  if (context.payment === 'settled')
    return { text: `Paid, but not delivered: ${cause.message}`, isOpen: true, again: 'Get it, free' };
  switch (reason) {
    case 'no_records_match':
    case 'no_match':
    case 'no_events':
    case 'outside_coverage':
    case 'no_exclusive_lead_available':
      return { text: `Nothing matches now. ${safe}`, isOpen: false, again: undefined };
    case 'budget_exceeded':
    case 'price_above_limit':
      return { text: cause.message, isOpen: false, again: 'Change the caps' };
    case 'not_approved':
      return { text: `You declined. ${safe}`, isOpen: false, again: 'Buy again' };
    default: {
      const faults = context.faults?.map(({ parameter, detail }) => `${parameter}: ${detail}`).join('; ');
      const told = faults ? `Correct the filters: ${faults}.` : cause.message;
      return { text: /charged|paid|billed/i.test(told) ? told : `${told} ${safe}`, isOpen: false, again: 'Try again' };
    }
  }
}
