import type { Hex } from '../chain/eip3009.js';
import { fromAtomicUnits } from '../chain/token-amount.js';
import { differenceIn, isEqual, type AuditReader, type Balance } from './audit-reader.js';
import type { AuditStore } from './audit-store.js';
import type { ChainHistory } from '../settlement/chain-history.js';
import type { LedgerReader, PaymentLine, ReportLine } from '../ledger/ledger-reader.js';
import type { ReceiptsReader } from './receipts-reader.js';
import { recordRefund } from './record-refund.js';
import type { PossibleRefund, RefundsReader } from './refunds-reader.js';

/** Days of a period, `YYYY-MM-DD` in UTC, both included; what is left out is open. */
interface Period {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What an operator asks. `hex` is a payment id, a transaction or a payer. */
export type LedgerQuestion =
  | (Period & { readonly about: 'report'; readonly by: 'day' | 'operation' | 'payer' })
  | (Period & { readonly about: 'export' })
  | (Period & { readonly about: 'receipts'; readonly payer: Hex })
  | { readonly about: 'payments'; readonly hex: Hex }
  | { readonly about: 'balance' }
  | { readonly about: 'refunds' }
  | { readonly about: 'refund'; readonly paymentId: Hex; readonly transaction: Hex };

/** Takes rows as they come; the next ones wait for it. */
export type OnRows = (rows: readonly (readonly string[])[]) => void | Promise<void>;

export interface AnswerPorts {
  readonly ledgerReader: LedgerReader;
  readonly refunds: RefundsReader;
  readonly receipts: ReceiptsReader;
  readonly reader: AuditReader;
  readonly store: AuditStore;
  /** Throws an OperatorError where there is no chain. */
  readonly history: () => ChainHistory;
  readonly now: () => Date;
}

const shownPayments = 50;

/**
 * Answers an operator's question with rows of text, the names of the columns first (receipts are a JSON text each), and
 * resolves to what is to be said beside them. Nothing of it is secret: no signature, no reply, no identifier of a
 * buyer's own. Amounts are in USD and in atomic units.
 */
export async function answerLedgerQuestion(
  question: LedgerQuestion,
  onRows: OnRows,
  ports: AnswerPorts,
): Promise<readonly string[]> {
  const { ledgerReader, refunds, now } = ports;
  switch (question.about) {
    case 'report': {
      const lines = await ledgerReader.report(question.by, ...boundsOf(question));
      await onRows([[question.by, ...reportColumns], ...lines.map(toReportRow)]);
      return [...totals(lines), ...(await describeState(ports))];
    }
    case 'export':
      await onRows([paymentColumns]);
      for await (const page of ledgerReader.listPayments(...boundsOf(question))) await onRows(page.map(toPaymentRow));
      return [];
    case 'receipts': {
      const [from, to] = boundsOf(question);
      for await (const receipt of ports.receipts.list(question.payer, from, to))
        await onRows([[JSON.stringify(receipt)]]);
      return [];
    }
    case 'payments': {
      const lines = await ledgerReader.findPayments(question.hex, shownPayments + 1);
      await onRows([paymentColumns, ...lines.slice(0, shownPayments).map(toPaymentRow)]);
      const orphans = await refunds.findOrphans(question.hex);
      if (lines.length + orphans.length === 0) return ['The ledger knows nothing of it.'];
      const more = lines.length > shownPayments ? ['Only the newest are shown: "ledger export" has them all.'] : [];
      return [...more, ...orphans.map(describeOrphan)];
    }
    case 'balance':
      return (await ports.reader.listBalances()).flatMap(describeBalance);
    case 'refunds': {
      const due = await refunds.listRefundsDue(now());
      await onRows([refundColumns, ...due.map(toRefundRow)]);
      return due.length === 0 ? ['Nothing is due.'] : refundAdvice;
    }
    case 'refund': {
      const { paymentId, payer, amount } = await recordRefund(question.paymentId, question.transaction, {
        ...ports,
        history: ports.history(),
      });
      return [`Recorded: ${fromAtomicUnits(amount)} USD went back to ${payer} for the payment ${paymentId}.`];
    }
  }
}

const dayMs = 86_400_000;

/** The moments that a period begins and is over. */
function boundsOf({ from = '1970-01-01', to = '9998-12-31' }: Period): [Date, Date] {
  return [new Date(`${from}T00:00:00Z`), new Date(Date.parse(`${to}T00:00:00Z`) + dayMs)];
}

const reportColumns = ['network', 'settled', 'usd', 'atomic', 'open', 'released', 'lost_usd', 'refunded_usd'];

function toReportRow(line: ReportLine): string[] {
  const { key, network, settled, settledAmount, open, released, lostAmount, refundedAmount } = line;
  const [usd, lost, refunded] = [settledAmount, lostAmount, refundedAmount].map(fromAtomicUnits);
  return [key, network, `${settled}`, usd, `${settledAmount}`, `${open}`, `${released}`, lost, refunded].map(String);
}

/** One sentence for each network: dollars of a test network are no dollars. */
function totals(lines: readonly ReportLine[]): string[] {
  return [...new Set(lines.map(({ network }) => network))].map((network) => {
    const own = lines.filter((line) => line.network === network);
    const amount = own.reduce((sum, { settledAmount }) => sum + settledAmount, 0n);
    const payments = own.reduce((sum, { settled }) => sum + settled, 0);
    return `${network}: ${payments} payments settled, ${inBoth(amount)}.`;
  });
}

/** Whether the ledger equals the chain, and what is due. */
async function describeState({ reader, refunds, now }: AnswerPorts): Promise<string[]> {
  const due = (await refunds.listRefundsDue(now())).filter(({ reason }) => reason !== 'unattributed').length;
  return [
    ...(await reader.listBalances()).flatMap(describeBalance),
    ...(due === 0 ? [] : [`${due} refunds are due: see "ledger refunds".`]),
  ];
}

/** A verdict, then a line for each kind of transfer. */
function describeBalance(balance: Balance): string[] {
  const { network, instance, throughBlock, throughTime, sales, rebuilt, lostCount, orphanCount, foreignCount } =
    balance;
  const where = `${network}${instance === '' ? '' : ` (local chain ${instance.slice(0, 8)})`}`;
  const verdict = isEqual(balance)
    ? 'the ledger equals the chain'
    : `THE LEDGER DIFFERS FROM THE CHAIN by ${inBoth(differenceIn(balance))}`;
  const hint = lostCount === 0 ? '' : '; "ledger rebuild" writes them';
  return [
    `${where}: audited through block ${throughBlock} (${throughTime.toISOString()}; later ones are not counted yet), ${verdict}.`,
    `  sales: ${sales}, ${inBoth(balance.ledger)}${rebuilt === 0 ? '' : `; ${rebuilt} of them rebuilt`}`,
    `  lost sales: ${lostCount}, ${inBoth(balance.lost)}${hint}`,
    `  orphans: ${orphanCount}, ${inBoth(balance.orphans)}; they bought nothing`,
    ...(foreignCount === 0 ? [] : [`  ${foreignCount} orphans are payments that strangers sent: is PAY_TO shared?`]),
  ];
}

const paymentColumns = [
  ...['payment_id', 'network', 'operation', 'payer', 'pay_to', 'usd', 'atomic', 'state', 'delivery', 'claimed_at'],
  ...['settled_at', 'transaction', 'block', 'release_reason', 'reorged_at', 'rebuilt_at', 'refund_transaction'],
];

function toPaymentRow(line: PaymentLine): string[] {
  return [
    line.paymentId,
    line.network,
    line.operationId,
    line.payer,
    line.payTo,
    fromAtomicUnits(line.amount),
    `${line.amount}`,
    line.state,
    line.delivery,
    line.claimedAt.toISOString(),
    line.settledAt?.toISOString() ?? '',
    line.transaction ?? '',
    `${line.blockNumber ?? ''}`,
    line.releaseReason ?? '',
    line.reorgedAt?.toISOString() ?? '',
    line.rebuiltAt?.toISOString() ?? '',
    line.refundTransaction ?? '',
  ];
}

const refundColumns = ['payment_id', 'network', 'payer', 'usd', 'atomic', 'since', 'reason'];
const refundAdvice = [
  'Send each payer the amount in the same token, then: ledger refund <payment id> --transaction <hash>',
  'unattributed: a plain transfer that names no payment; give it back if its sender asks.',
  'exclusivity_unknown: bought a lead before a restore; older leads are not sold to one buyer until 30 days after it.',
];

function toRefundRow({ paymentId, network, payer, amount, since, reason }: PossibleRefund): string[] {
  return [paymentId, network, payer, fromAtomicUnits(amount), `${amount}`, since.toISOString(), reason];
}

function describeOrphan({ paymentId, payer, amount, unmatchedTransfer }: PossibleRefund): string {
  return `The transfer of ${inBoth(amount)} from ${payer} in ${unmatchedTransfer?.transaction} (${paymentId}) bought nothing.`;
}

function inBoth(amount: bigint): string {
  return `${fromAtomicUnits(amount)} USD (${amount} atomic units)`;
}
