import type { IncomingTransfer } from '../chain/read-transfers.js';
import { fromAtomicUnits } from '../chain/token-amount.js';
import type { AuditReader, Balance } from './audit-reader.js';
import type { AuditStore } from './audit-store.js';
import type { ChainHistory, LedgerScope } from '../settlement/chain-history.js';
import type { PaymentRow } from '../ledger/ledger.js';
import { orphanIdOf } from '../ledger/payment-row.js';
import { recheckSettlements, type RecheckPorts } from './recheck-settlements.js';
import type { RefundsReader } from './refunds-reader.js';

/** Counts of this run, and how everything audited so far stands. Amounts in USD. */
export interface AuditReport {
  readonly throughBlock: number;
  readonly transfers: number;
  readonly payments: number;
  readonly orphans: number;
  /** Payments that the ledger called settled, and the chain did not. */
  readonly missing: number;
  readonly chainUsd: string;
  readonly ledgerUsd: string;
  readonly orphansUsd: string;
  /** 0.00 when the ledger equals the chain. */
  readonly differenceUsd: string;
  readonly refundsDue: number;
}

export interface AuditPorts extends RecheckPorts {
  readonly history: ChainHistory;
  readonly reader: AuditReader;
  readonly refunds: RefundsReader;
  readonly store: AuditStore;
  /** Called after each range of blocks; throws to stop. The ranges audited until then are kept. */
  readonly onProgress?: ((progress: { readonly block: number; readonly of: number }) => void) | undefined;
}

/** What one step holds in memory, and the part that is done again after an interruption. */
const stepMs = 86_400_000;
const rowsPerQuestion = 500;
/** Longer than a payment takes from its proof into the ledger. */
const overlapMs = 600_000;

/**
 * Holds the ledger against the token's transfers to payTo, transfer by transfer, in finalized blocks only, and goes on
 * where the last audit ended. Transfers that no settled payment explains are kept and told; settled payments that no
 * transfer proves are an alarm, and are booked as what the chain says of them.
 */
export async function auditLedger(ports: AuditPorts): Promise<AuditReport> {
  const { history, reader } = ports;
  const { scope } = history;
  const { number: finalized } = await history.finalizedBlock();
  const last = await findBalance(reader, scope);
  const start = last === undefined ? await findStart(ports, finalized) : last.throughBlock + 1n;
  const counts = { transfers: 0, payments: 0, orphans: 0, missing: 0 };
  if (last !== undefined) {
    const since = new Date(last.auditedAt.getTime() - overlapMs);
    counts.missing += await recheck(await reader.listBookedLate(scope, start, since), [], ports);
  }
  const payTos = [...new Set([...(await reader.listPayTos(scope)), history.payTo])];
  for (let fromBlock = start; fromBlock <= finalized;) {
    const end = await history.blockAt(new Date((await history.timeOf(fromBlock)).getTime() + stepMs));
    const toBlock = end <= finalized ? end - 1n : finalized;
    const onProgress = (block: bigint): void => ports.onProgress?.({ block: Number(block), of: Number(finalized) });
    const found = await auditRange({ payTos, fromBlock, toBlock, onProgress }, ports);
    for (const name of ['transfers', 'payments', 'orphans', 'missing'] as const) counts[name] += found[name];
    fromBlock = toBlock + 1n;
  }
  return conclude(counts, ports);
}

async function findStart({ reader, history }: AuditPorts, finalized: bigint): Promise<bigint> {
  const since = await reader.findFirstTime(history.scope);
  const first = since === undefined ? finalized : await history.blockAt(since);
  return first < finalized ? first : finalized;
}

async function auditRange(range: Parameters<ChainHistory['listTransfers']>[0], ports: AuditPorts) {
  const { history, reader, store, log, now } = ports;
  const { scope } = history;
  const { fromBlock, toBlock } = range;
  // What is booked from now on is looked at by the next audit.
  const auditedAt = now();
  const transfers = await history.listTransfers(range);
  const booked = await reader.listSettledIn(scope, fromBlock, toBlock);
  const missing = await recheck(booked, (await explain(transfers, ports)).explained, ports);
  // Asked again: a settlement may have been found elsewhere than the ledger had it.
  const { explained, unexplained } = await explain(transfers, ports);
  const orphans = await withTimes(unexplained, history);
  const toTime = await history.timeOf(toBlock);
  const sums = { transfers, explained, orphans, missing };
  await store.keepRange(scope, { fromBlock, toBlock, toTime, ...sums, auditedAt });
  for (const orphan of orphans) log.warn(describe(scope, orphan), 'a transfer to payTo that no payment explains');
  return { transfers: transfers.length, payments: explained.length, orphans: orphans.length, missing };
}

/** Which transfers are the settlements of payments, by authorization, amount and transaction. */
async function explain(transfers: readonly IncomingTransfer[], { reader, history }: AuditPorts) {
  const { network, asset } = history.scope;
  const places = new Set<string>();
  for (let start = 0; start < transfers.length; start += rowsPerQuestion) {
    const asked = transfers
      .slice(start, start + rowsPerQuestion)
      .flatMap(({ payer, nonce }) => (nonce === undefined ? [] : [{ network, asset, payer, nonce }]));
    for (const row of await reader.findByKeys(asked)) places.add(placeOf(row, row.settlement?.transaction));
  }
  const isExplained = (each: IncomingTransfer): boolean => places.has(placeOf(each, each.transaction));
  return { explained: transfers.filter(isExplained), unexplained: transfers.filter((each) => !isExplained(each)) };
}

/** How many of the booked payments are not on the chain. */
async function recheck(
  booked: readonly PaymentRow[],
  explained: readonly IncomingTransfer[],
  ports: AuditPorts,
): Promise<number> {
  const proven = new Set(explained.map((each) => placeOf(each, each.transaction)));
  const unproven = booked.filter((row) => !proven.has(placeOf(row, row.settlement?.transaction)));
  const { reorged, unknown } = await recheckSettlements(unproven, ports);
  return reorged + unknown;
}

async function conclude(
  counts: Pick<AuditReport, 'transfers' | 'payments' | 'orphans' | 'missing'>,
  { history, reader, refunds, log, now }: AuditPorts,
): Promise<AuditReport> {
  const balance = await findBalance(reader, history.scope);
  if (balance === undefined) throw new Error('An audit keeps at least one range');
  const { chain, ledger, orphans } = balance;
  const difference = chain - ledger - orphans;
  if (difference !== 0n)
    log.error(
      { network: balance.network, chain: `${chain}`, ledger: `${ledger}`, orphans: `${orphans}` },
      'the ledger does not equal the chain',
    );
  const due = (await refunds.listRefundsDue(now())).filter(({ reason }) => reason !== 'unattributed');
  if (due.length > 0) log.warn({ refundsDue: due.length }, 'buyers have to get money back');
  return {
    throughBlock: Number(balance.throughBlock),
    ...counts,
    chainUsd: fromAtomicUnits(chain),
    ledgerUsd: fromAtomicUnits(ledger),
    orphansUsd: fromAtomicUnits(orphans),
    differenceUsd: fromAtomicUnits(difference),
    refundsDue: due.length,
  };
}

async function findBalance(reader: AuditReader, scope: LedgerScope): Promise<Balance | undefined> {
  const balances = await reader.listBalances();
  return balances.find(
    ({ network, asset, instance }) => network === scope.network && asset === scope.asset && instance === scope.instance,
  );
}

async function withTimes(transfers: readonly IncomingTransfer[], history: ChainHistory) {
  const times = new Map<bigint, Date>();
  for (const { blockNumber } of transfers)
    if (!times.has(blockNumber)) times.set(blockNumber, await history.timeOf(blockNumber));
  return transfers.map((each) => ({ ...each, at: times.get(each.blockNumber) ?? new Date(0) }));
}

function describe({ network, asset }: LedgerScope, transfer: IncomingTransfer) {
  const { transaction, logIndex, payer, amount } = transfer;
  const paymentId = `0x${orphanIdOf({ network, asset, ...transfer }).toString('hex')}`;
  return { paymentId, transaction, logIndex, payer, amount: amount.toString() };
}

function placeOf(
  { payer, nonce, amount }: { readonly payer: string; readonly nonce: string | undefined; readonly amount: bigint },
  transaction: string | undefined,
): string {
  return [payer, nonce, amount, transaction].join();
}
