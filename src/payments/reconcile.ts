import type { Log } from '../log.js';
import type { Ledger, PaymentRow } from './ledger.js';
import type { ChainEvidence, Evidence } from './resolve-open-payment.js';

export interface ReconcileReport {
  readonly open: number;
  readonly settled: number;
  readonly released: number;
  /** Left as they are: nothing is proven yet. */
  readonly waiting: number;
}

export interface ReconcilePorts {
  readonly ledger: Ledger;
  readonly evidence: Evidence;
  readonly owner: string;
  readonly now: () => Date;
  readonly log: Log;
}

const rowsPerRun = 500;

/**
 * Brings claimed payments whose lease has run out to their end, by the chain's evidence alone: settled where a transfer
 * is proven (its reply waits for its buyer), released where none can come any more. It sends nothing: a payment that is
 * still open is settled when its buyer comes back, or expires.
 */
export async function reconcilePayments(ports: ReconcilePorts): Promise<ReconcileReport> {
  const rows = await ports.ledger.listOpen(ports.now(), rowsPerRun);
  const counts = { settled: 0, released: 0, waiting: 0 };
  for (const row of rows) counts[await reconcileOne(row, ports)]++;
  return { open: rows.length, ...counts };
}

async function reconcileOne(row: PaymentRow, ports: ReconcilePorts): Promise<'settled' | 'released' | 'waiting'> {
  const { ledger, owner, now } = ports;
  const found = await findEvidence(row, ports);
  if (found.verdict === 'open' || found.verdict === 'unknown') return 'waiting';
  const at = now();
  // Taken for no time at all: once it is finished the buyer may have the reply at once.
  if (!(await ledger.takeOver(row, owner, at, at))) return 'waiting';
  if (found.verdict === 'settled')
    return (await ledger.finish(row, owner, { ...found, settledAt: at }, at)) ? 'settled' : 'waiting';
  return (await ledger.release(row, owner, found.verdict)) ? 'released' : 'waiting';
}

async function findEvidence(row: PaymentRow, { evidence, log }: ReconcilePorts): Promise<ChainEvidence> {
  try {
    return await evidence.find(row);
  } catch (error) {
    log.warn({ err: error, nonce: row.nonce }, 'the chain could not be asked about an open payment');
    return { verdict: 'unknown' };
  }
}
