import type { Log } from '../../log.js';
import type { ChainHistory } from './chain-history.js';
import { leaseMs, type Ledger, type PaymentRow } from '../ledger/ledger.js';
import { publicPaymentId } from '../ledger/payment-row.js';
import { recheckRecent } from '../audit/recheck-settlements.js';
import { authorizationIn, type ChainEvidence, type Evidence } from './resolve-open-payment.js';
import { takenOver, type Settler } from './settler.js';

export interface ReconcileReport {
  readonly open: number;
  readonly settled: number;
  readonly released: number;
  /** Left as they are: nothing is proven yet. */
  readonly waiting: number;
  /** Settled payments that the chain has undone; they are among the open ones. */
  readonly reorged: number;
}

export interface ReconcilePorts {
  readonly ledger: Ledger;
  readonly evidence: Evidence;
  readonly owner: string;
  readonly now: () => Date;
  readonly log: Log;
  /** With it, settlements that can still be undone are looked at again first. */
  readonly history?: ChainHistory | undefined;
  /** With it, what the chain has undone is sent again. */
  readonly settler?: Pick<Settler, 'settle'>;
  /** Called after each hundred payments. */
  readonly onProgress?: ((progress: { readonly looked: number; readonly open: number }) => void) | undefined;
}

const rowsPerRun = 5_000;
const rowsPerQuestion = 100;

type End = 'settled' | 'released' | 'waiting';

/**
 * Brings claimed payments whose lease has run out to their end, by the chain's evidence alone: settled where a transfer
 * is proven (its reply waits for its buyer), released where none can come any more. A payment that is still open is
 * left to its buyer, who settles it by coming back, or to its expiry; only what the chain has undone is sent again,
 * since its buyer has no reason to come back.
 */
export async function reconcilePayments(ports: ReconcilePorts): Promise<ReconcileReport> {
  const { ledger, log, history } = ports;
  const reorged = history === undefined ? 0 : await countReorged(history, ports);
  const rows = await ledger.listOpen(rowsPerRun);
  const counts: Record<End, number> = { settled: 0, released: 0, waiting: 0 };
  for (let start = 0; start < rows.length; start += rowsPerQuestion) {
    const some = rows.slice(start, start + rowsPerQuestion);
    const found = await ports.evidence.findMany(some).catch((error: unknown) => {
      log.warn({ err: error, payments: some.length }, 'the chain could not be asked about open payments');
      return [];
    });
    const ends = await Promise.all(
      some.map((row, index) => reconcileOne(row, found[index] ?? { verdict: 'unknown' }, ports)),
    );
    for (const end of ends) counts[end] += 1;
    ports.onProgress?.({ looked: start + some.length, open: rows.length });
  }
  return { open: rows.length, ...counts, reorged };
}

async function countReorged(history: ChainHistory, ports: ReconcilePorts): Promise<number> {
  try {
    return (await recheckRecent(history, ports)).reorged;
  } catch (error) {
    ports.log.warn({ err: error }, 'the chain could not be asked whether settled payments still stand');
    return 0;
  }
}

async function reconcileOne(row: PaymentRow, found: ChainEvidence, ports: ReconcilePorts): Promise<End> {
  const { ledger, owner, log, settler } = ports;
  if (found.verdict === 'unknown') return 'waiting';
  if (found.verdict === 'open')
    return row.reorgedAt !== undefined && settler !== undefined ? settleAgain(row, settler, ports) : 'waiting';
  // Taken for no time at all: once it is finished the buyer may have the reply at once.
  if (!(await ledger.takeOver(row, owner, 0))) return 'waiting';
  if (found.verdict === 'settled') return (await ledger.finish(row, owner, found, 0)) ? 'settled' : 'waiting';
  if (!(await ledger.release(row, owner, found.verdict))) return 'waiting';
  if (row.reorgedAt !== undefined && row.delivery === 'completed')
    log.error(
      { payer: row.payer, nonce: row.nonce, amount: row.amount.toString() },
      'what was delivered stays unpaid: the chain has undone its payment, and it cannot be sent again',
    );
  return 'released';
}

/** Whatever goes wrong, the payment stays open: only evidence ends what was settled once. */
async function settleAgain(
  row: PaymentRow,
  settler: Pick<Settler, 'settle'>,
  { ledger, owner, now, log }: ReconcilePorts,
): Promise<End> {
  if (row.validBefore * 1000n <= BigInt(now().getTime())) return 'waiting';
  if (!(await ledger.takeOver(row, owner, leaseMs))) return 'waiting';
  const attempt = takenOver({ ...row, leaseOwner: owner });
  const outcome = await settler.settle(authorizationIn(row), attempt).catch((error: unknown) => {
    log.warn(
      { err: error, paymentId: publicPaymentId(row) },
      'a payment that the chain has undone could not be sent again',
    );
    return { outcome: 'unknown' as const };
  });
  if (outcome.outcome === 'settled') return (await ledger.finish(row, owner, outcome, 0)) ? 'settled' : 'waiting';
  await ledger.endLease(row, owner);
  return 'waiting';
}
