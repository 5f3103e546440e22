import type { Log } from '../../log.js';
import type { ChainHistory, LedgerScope } from '../settlement/chain-history.js';
import type { Ledger, PaymentRow } from '../ledger/ledger.js';
import { paymentIdOf } from '../ledger/payment-row.js';
import type { Evidence } from '../settlement/resolve-open-payment.js';

export interface RecheckPorts {
  readonly ledger: Ledger;
  readonly evidence: Evidence;
  readonly owner: string;
  readonly now: () => Date;
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

/** Longer than a block can take to become final. */
const recentMs = 6 * 3_600_000;
const rowsPerRun = 20_000;
/** After a reorg a transfer may stand in an older block than before. */
const reorgBlocks = 200n;

/**
 * Looks again at the settled payments whose blocks can still be undone: one look at the recent transfers, and a
 * question about each payment that is not among them.
 */
export async function recheckRecent(history: ChainHistory, ports: RecheckPorts): Promise<RecheckReport> {
  const finalized = await history.finalizedBlock();
  const since = new Date(ports.now().getTime() - recentMs);
  const rows = (await ports.ledger.listSettled(since, finalized, rowsPerRun)).filter((row) =>
    isInScope(row, history.scope),
  );
  if (rows.length === 0) return { moved: 0, reorged: 0, unknown: 0 };
  // Read after the rows, so that what they were settled by is among them.
  const payTos = [...new Set(rows.map(({ payTo }) => payTo))];
  const range = { payTos, fromBlock: finalized + 1n, toBlock: await history.latestBlock() };
  const seen = new Set((await history.listTransfers(range)).map(placeOf));
  const unseen = rows.filter(({ payer, nonce, amount, settlement }) => {
    return !settlement || !seen.has(placeOf({ payer, nonce, amount, ...settlement }));
  });
  return recheckSettlements(unseen, ports);
}

/**
 * Asks the chain about settled payments whose transfer was not found where the ledger has it. One that stands elsewhere
 * now is noted; one that has vanished is booked as open again, to be sent again or released by reconciliation.
 */
export async function recheckSettlements(rows: readonly PaymentRow[], ports: RecheckPorts): Promise<RecheckReport> {
  const { ledger, evidence, owner, now, log } = ports;
  const counts = { moved: 0, reorged: 0, unknown: 0 };
  if (rows.length === 0) return counts;
  const found = await evidence.findMany(
    rows.map((row) => ({ ...row, fromBlock: row.fromBlock > reorgBlocks ? row.fromBlock - reorgBlocks : 0n })),
  );
  for (const [index, row] of rows.entries()) {
    const shown = found[index] ?? { verdict: 'unknown' };
    const about = { paymentId: `0x${paymentIdOf(row).toString('hex')}`, amount: row.amount.toString(), ...shown };
    if (shown.verdict === 'unknown' || shown.verdict === 'gone') {
      counts.unknown += 1;
      log.warn(about, 'the transfer of a settled payment is not found, and nothing is proven');
    } else if (shown.verdict !== 'settled') {
      if (!(await ledger.bookReorg(row, owner, now()))) continue;
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
