import type { Log } from '../../log.js';
import type { Hex } from '../chain/eip3009.js';
import type { ChainHistory, LedgerScope } from '../settlement/chain-history.js';
import type { Ledger, PaymentRow } from '../ledger/ledger.js';
import { paymentIdOf } from '../ledger/payment-row.js';
import type { Evidence } from '../settlement/resolve-open-payment.js';

export interface RecheckPorts {
  readonly ledger: Ledger;
  readonly evidence: Evidence;
  readonly owner: string;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

/**
 * reorged: their transfer is not on the chain any more. unknown: the chain could not tell; they are left as they are.
 */
export interface RecheckReport {
  readonly moved: number;
  readonly reorged: number;
  readonly unknown: number;
}

/** A payment is claimed so long before its block, or less; with room for clocks that disagree. */
const claimedBeforeMs = 2 * 3_600_000;
/** A look a minute may fail or be late, and the block of a settlement be final by the next one. */
export const lateMs = 300_000;
const rowsPerRun = 20_000;
/** The receipts of so many transactions cost less than reading the blocks between. */
const fewTransactions = 8;

/**
 * Looks again at the settled payments whose blocks can still be undone, or could be a few minutes ago: at the receipts
 * of their transactions where those are few, else at the transfers from the oldest of their blocks on; and asks about
 * each payment that is not where it was.
 */
export async function recheckRecent(history: ChainHistory, ports: RecheckPorts): Promise<RecheckReport> {
  const finalized = await history.finalizedBlock();
  const since = new Date(finalized.time.getTime() - claimedBeforeMs);
  const rows = (await ports.ledger.listSettled(since, finalized.number, lateMs, rowsPerRun)).filter((row) =>
    isInScope(row, history.scope),
  );
  if (rows.length === 0) return { moved: 0, reorged: 0, unknown: 0 };
  const transactions = new Set(rows.flatMap(({ settlement }) => settlement?.transaction ?? []));
  const isInPlace =
    transactions.size <= fewTransactions
      ? await readReceipts([...transactions], history)
      : await readRecent(rows, history);
  return recheckSettlements(
    rows.filter((row) => !isInPlace(row)),
    ports,
  );
}

type IsInPlace = (row: PaymentRow) => boolean;

async function readReceipts(transactions: readonly Hex[], history: ChainHistory): Promise<IsInPlace> {
  const proofs = new Map<Hex, Awaited<ReturnType<ChainHistory['readProofs']>>>();
  for (const transaction of transactions) proofs.set(transaction, await history.readProofs(transaction));
  return ({ settlement, payer, nonce, amount, payTo }) => {
    const proof = settlement && proofs.get(settlement.transaction)?.({ from: payer, nonce, value: amount }, payTo);
    return proof?.outcome === 'settled' && proof.blockNumber === settlement?.blockNumber;
  };
}

/** Read after the rows, so that what they were settled by is among the transfers. */
async function readRecent(rows: readonly PaymentRow[], history: ChainHistory): Promise<IsInPlace> {
  const places = rows.flatMap(({ settlement }) => settlement?.blockNumber ?? []);
  const fromBlock = places.reduce((first, place) => (place < first ? place : first));
  const payTos = [...new Set(rows.map(({ payTo }) => payTo))];
  const toBlock = await history.latestBlock();
  const seen = new Set((await history.listTransfers({ payTos, fromBlock, toBlock })).map(placeOf));
  return ({ settlement, ...row }) => settlement !== undefined && seen.has(placeOf({ ...row, ...settlement }));
}

/**
 * Asks the chain about settled payments whose transfer was not found where the ledger has it. One that stands elsewhere
 * now is noted; one that has vanished is booked as open again, to be sent again or released by reconciliation.
 */
export async function recheckSettlements(rows: readonly PaymentRow[], ports: RecheckPorts): Promise<RecheckReport> {
  const { ledger, evidence, owner, log } = ports;
  const counts = { moved: 0, reorged: 0, unknown: 0 };
  if (rows.length === 0) return counts;
  const found = await evidence.findMany(rows);
  for (const [index, row] of rows.entries()) {
    const shown = found[index] ?? { verdict: 'unknown' };
    const about = { paymentId: `0x${paymentIdOf(row).toString('hex')}`, amount: row.amount.toString(), ...shown };
    if (shown.verdict === 'unknown' || shown.verdict === 'gone') {
      counts.unknown += 1;
      log.warn(about, 'the transfer of a settled payment is not found, and nothing is proven');
    } else if (shown.verdict !== 'settled') {
      if (!(await ledger.bookReorg(row, owner))) continue;
      counts.reorged += 1;
      log.error({ ...about, transaction: row.settlement?.transaction }, 'the chain has undone a settled payment');
    } else if (isElsewhere(row, shown)) {
      if (await ledger.moveSettlement(row, shown)) counts.moved += 1;
    }
  }
  return counts;
}

/** Whether the payment was made on this chain and in this history of it. */
export function isInScope(row: PaymentRow, { network, asset, instance }: LedgerScope): boolean {
  return row.network === network && row.asset === asset && row.chainInstance === instance;
}

type Place = { readonly transaction: string; readonly blockNumber: bigint };

function isElsewhere({ settlement }: PaymentRow, { transaction, blockNumber }: Place): boolean {
  return settlement?.transaction !== transaction || settlement.blockNumber !== blockNumber;
}

function placeOf(of: Place & { payer: string; nonce: string | undefined; amount: bigint }): string {
  return [of.payer, of.nonce, of.amount, of.transaction, of.blockNumber].join();
}
