import type { Hex } from '../chain/eip3009.js';
import { OperatorError } from '../../errors.js';
import { fromAtomicUnits } from '../chain/token-amount.js';
import type { AuditStore } from './audit-store.js';
import type { ChainHistory } from '../settlement/chain-history.js';
import type { PossibleRefund, RefundsReader } from './refunds-reader.js';

export interface RefundPorts {
  readonly history: ChainHistory;
  readonly refunds: RefundsReader;
  readonly store: AuditStore;
  readonly now: () => Date;
}

/**
 * Records that a payment was given back, once the chain shows that the transaction paid its payer exactly that amount,
 * and that no other refund counts on the same transfer. Throws an OperatorError that says what is wrong.
 */
export async function recordRefund(paymentId: Hex, transaction: Hex, ports: RefundPorts): Promise<PossibleRefund> {
  const { history, refunds, store, now } = ports;
  const [due] = await refunds.listRefundsDue(now(), paymentId);
  if (due === undefined)
    throw new OperatorError(
      `Nothing is due for the payment ${paymentId}. "ledger refunds" lists what is, "ledger show" how a payment stands.`,
    );
  if (due.network !== history.scope.network || due.asset !== history.scope.asset)
    throw new OperatorError(
      `The payment was made on ${due.network}, and this server looks at ${history.scope.network}.`,
    );
  const payouts = await history.listPayouts(transaction);
  if (payouts === undefined)
    throw new OperatorError(
      `There is no successful transaction ${transaction} on ${due.network}. If it was sent just now, try again when it is mined.`,
    );
  const fitting = payouts.filter(({ from, to, amount }) => to === due.payer && from !== to && amount === due.amount);
  if (fitting.length === 0)
    throw new OperatorError(
      `The transaction ${transaction} does not pay exactly ${fromAtomicUnits(due.amount)} USD to ${due.payer}.`,
    );
  for (const payout of fitting) if (await store.recordRefund(due, transaction, payout, now())) return due;
  throw new OperatorError(`The transaction ${transaction} is recorded already, as the refund of another payment.`);
}
