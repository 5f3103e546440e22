import type { IncomingTransfer } from '../chain/read-transfers.js';
import { fromAtomicUnits } from '../chain/token-amount.js';
import type { Hex } from '../chain/eip3009.js';
import { differenceIn, isEqual, type AuditReader, type Balance } from './audit-reader.js';
import type { AuditStore, UnexplainedTransfer } from './audit-store.js';
import type { ChainHistory, LedgerScope } from '../settlement/chain-history.js';
import type { PaymentRow } from '../ledger/ledger.js';
import { recheckSettlements, type RecheckPorts } from './recheck-settlements.js';
import type { RefundsReader } from './refunds-reader.js';

/** Counts of this run. */
export interface AuditCounts {
  readonly transfers: number;
  /** Transfers that settled payments explain. */
  readonly payments: number;
  /** Payments that the ledger called settled, and the chain did not. */
  readonly missing: number;
}

/** Counts of this run, and how everything audited so far stands, as `Balance` has it. Amounts in USD. */
export interface AuditReport extends AuditCounts {
  readonly throughBlock: number;
  readonly chainUsd: string;
  readonly ledgerUsd: string;
  readonly lostSales: number;
  readonly lostSalesUsd: string;
  readonly orphans: number;
  readonly orphansUsd: string;
  /** Orphans that were signed for this service, perhaps, and sent by a stranger. */
  readonly foreign: number;
  /** How many payments of the ledger were written from the chain alone. */
  readonly rebuilt: number;
  /** 0.00, with no lost sale, when the ledger equals the chain. */
  readonly differenceUsd: string;
  readonly refundsDue: number;
}

export interface AuditPorts extends RecheckPorts {
  readonly now: () => Date;
  readonly history: ChainHistory;
  readonly reader: AuditReader;
  readonly refunds: RefundsReader;
  readonly store: AuditStore;
  /** The accounts that settle for this process, in lower case. */
  readonly relayers: readonly Hex[];
  /** Called after each range of blocks; throws to stop. The ranges audited until then are kept. */
  readonly onProgress?: ((progress: { readonly block: number; readonly of: number }) => void) | undefined;
}

/** What one step holds in memory, and the part that is done again after an interruption. */
const stepMs = 86_400_000;
const rowsPerQuestion = 500;
/** Longer than a payment takes from its proof into the ledger. */
const overlapMs = 600_000;
/** The payments of a step whose senders are looked up: in time, all accounts of a facilitator. */
const sampledPayments = 20;

/**
 * Holds the ledger against the token's transfers to payTo, transfer by transfer, in finalized blocks only, and goes on
 * where the last audit ended. Transfers that no settled payment explains are kept, with whoever sent them; settled
 * payments that no transfer proves are an alarm, and are booked as what the chain says of them.
 */
export async function auditLedger(ports: AuditPorts): Promise<AuditReport> {
  return conclude(await readOn(ports), ports);
}

/**
 * Reads from the end of the last audit on, and keeps each step.
 *
 * @param firstTime where nothing was audited before: the time to begin at, if no payment is older
 */
export async function readOn(ports: AuditPorts, firstTime?: Date): Promise<AuditCounts> {
  const { history, reader } = ports;
  const { scope } = history;
  const { number: finalized } = await history.finalizedBlock();
  const last = await findBalance(reader, scope);
  const start = last === undefined ? await findStart(ports, finalized, firstTime) : last.throughBlock + 1n;
  const counts = { transfers: 0, payments: 0, missing: 0 };
  if (last !== undefined) {
    const since = new Date(last.auditedAt.getTime() - overlapMs);
    counts.missing += await recheck(await reader.listBookedLate(scope, start, since), [], ports);
  }
  for await (const range of stepsOf(start, finalized, ports)) {
    const found = await auditRange(range, ports);
    for (const name of ['transfers', 'payments', 'missing'] as const) counts[name] += found[name];
  }
  return counts;
}

/** Looks again for what the ledger does not explain in blocks from that time on which were audited before. */
export async function readAgain(ports: AuditPorts, since: Date): Promise<void> {
  const { history, store, now } = ports;
  const last = await findBalance(ports.reader, history.scope);
  if (last === undefined) return;
  for await (const range of stepsOf(await history.blockAt(since), last.throughBlock, ports)) {
    const { unexplained } = await explain(await history.listTransfers(range), ports);
    const found = { unexplained: await describeSent(unexplained, history), settlers: ports.relayers };
    await store.keepAgain(history.scope, { ...found, auditedAt: now() });
  }
}

type Range = Parameters<ChainHistory['listTransfers']>[0];

/** These blocks, both ends included, in steps of a day. */
async function* stepsOf(start: bigint, last: bigint, { history, reader, onProgress }: AuditPorts) {
  const payTos = [...new Set([...(await reader.listPayTos(history.scope)), history.payTo])];
  const tell = (block: bigint): void => onProgress?.({ block: Number(block), of: Number(last) });
  for (let fromBlock = start; fromBlock <= last;) {
    const end = await history.blockAt(new Date((await history.timeOf(fromBlock)).getTime() + stepMs));
    const toBlock = end <= last ? end - 1n : last;
    yield { payTos, fromBlock, toBlock, onProgress: tell } satisfies Range;
    fromBlock = toBlock + 1n;
  }
}

async function findStart({ reader, history }: AuditPorts, finalized: bigint, firstTime?: Date): Promise<bigint> {
  const times = [await reader.findFirstTime(history.scope), firstTime].flatMap((time) => time?.getTime() ?? []);
  const first = times.length === 0 ? finalized : await history.blockAt(new Date(Math.min(...times)));
  return first < finalized ? first : finalized;
}

async function auditRange(range: Range, ports: AuditPorts) {
  const { history, reader, store, now } = ports;
  const { scope } = history;
  const { fromBlock, toBlock } = range;
  // What is booked from now on is looked at by the next audit.
  const auditedAt = now();
  const transfers = await history.listTransfers(range);
  const booked = await reader.listSettledIn(scope, fromBlock, toBlock);
  const missing = await recheck(booked, (await explain(transfers, ports)).explained, ports);
  // Asked again: a settlement may have been found elsewhere than the ledger had it.
  const { explained, unexplained } = await explain(transfers, ports);
  const toTime = await history.timeOf(toBlock);
  const found = {
    unexplained: await describeSent(unexplained, history),
    settlers: [...ports.relayers, ...(await listSenders(explained, history))],
  };
  await store.keepRange(scope, { fromBlock, toBlock, toTime, transfers, explained, missing, ...found, auditedAt });
  return { transfers: transfers.length, payments: explained.length, missing };
}

/** Who has sent some of these settlements, taken at equal distances. */
async function listSenders(explained: readonly IncomingTransfer[], history: ChainHistory): Promise<readonly Hex[]> {
  const every = Math.ceil(explained.length / sampledPayments);
  const sample = explained.filter((_, index) => index % every === 0);
  return [...new Set((await describeSent(sample, history)).map(({ sender }) => sender))];
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

/** How everything stands. Logs what is wrong: a line for each kind, never one for each transfer. */
export async function conclude(
  counts: AuditCounts,
  { history, reader, refunds, log, now }: AuditPorts,
): Promise<AuditReport> {
  const balance = await findBalance(reader, history.scope);
  if (balance === undefined) throw new Error('An audit keeps at least one range');
  const { network, chain, ledger, lost, lostCount: lostSales, orphans, orphanCount, foreignCount, rebuilt } = balance;
  const difference = differenceIn(balance);
  if (!isEqual(balance))
    log.error(
      { network, chain: `${chain}`, ledger: `${ledger}`, orphans: `${orphans}`, lost: `${lost}`, lostSales },
      'the ledger does not equal the chain',
    );
  if (foreignCount > 0) log.warn({ network, transfers: foreignCount }, 'strangers send payments to payTo');
  const due = (await refunds.listRefundsDue(now())).filter(({ reason }) => reason !== 'unattributed');
  if (due.length > 0) log.warn({ refundsDue: due.length }, 'buyers have to get money back');
  return {
    throughBlock: Number(balance.throughBlock),
    ...counts,
    chainUsd: fromAtomicUnits(chain),
    ledgerUsd: fromAtomicUnits(ledger),
    lostSales,
    lostSalesUsd: fromAtomicUnits(lost),
    orphans: orphanCount,
    orphansUsd: fromAtomicUnits(orphans),
    foreign: foreignCount,
    rebuilt,
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

/** When each transfer was made, and who sent its transaction; one call for each block. */
async function describeSent(
  transfers: readonly IncomingTransfer[],
  history: ChainHistory,
): Promise<UnexplainedTransfer[]> {
  const described: UnexplainedTransfer[] = [];
  let block: (Awaited<ReturnType<ChainHistory['readBlock']>> & { readonly number: bigint }) | undefined;
  for (const transfer of transfers) {
    const { blockNumber: number, transaction } = transfer;
    if (block?.number !== number) block = { ...(await history.readBlock(number)), number };
    const sender = block.senders.get(transaction);
    if (sender === undefined) throw new Error('The answer is another block');
    described.push({ ...transfer, at: block.time, sender });
  }
  return described;
}

function placeOf(
  { payer, nonce, amount }: { readonly payer: string; readonly nonce: string | undefined; readonly amount: bigint },
  transaction: string | undefined,
): string {
  return [payer, nonce, amount, transaction].join();
}
