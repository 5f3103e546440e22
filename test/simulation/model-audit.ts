import type { AuditedRange, UnexplainedTransfer } from '../../src/payments/audit/audit-store.js';
import type { RebuildPorts } from '../../src/payments/audit/rebuild-ledger.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { reorgMs, type PaymentKey } from '../../src/payments/ledger/ledger.js';
import { paymentName } from '../../src/payments/ledger/payment-row.js';
import type { LedgerScope } from '../../src/payments/settlement/chain-history.js';
import type { StoredRow } from './model-ledger.js';
import { databaseLine, type Wire } from './wire.js';
import type { World } from './world.js';

/** The tables of the audit. */
export interface AuditTables {
  readonly ranges: Map<bigint, AuditedRange>;
  /** By transaction and place. */
  readonly orphans: Map<string, UnexplainedTransfer>;
  readonly settlers: Set<Hex>;
  /** When the ledger was found to be restored, until it is rebuilt. */
  readonly restores: Date[];
}

export function createAuditTables(): AuditTables {
  return { ranges: new Map(), orphans: new Map(), settlers: new Set(), restores: [] };
}

/** What an audit reads and writes. */
export type ModelAudit = Pick<RebuildPorts, 'reader' | 'store' | 'refunds'>;

/** The audit's reader and store behind an instance's database connection: each statement is atomic. */
export function createModelAudit({ audits, tables }: World, wire: Wire, scope: LedgerScope): ModelAudit {
  const { ranges, orphans, settlers } = audits;
  const run = <T>(what: string, effect: () => T) => wire.call(`audit: ${what}`, databaseLine, effect);
  const rows = () => [...tables.payments.values()];
  const rowOf = (transfer: UnexplainedTransfer) => tables.payments.get(paymentName(keyOf(transfer, scope)));
  const isExplained = (each: UnexplainedTransfer) => rowOf(each)?.settlement?.transaction === each.transaction;
  const isUnclaimed = (each: UnexplainedTransfer) => each.nonce !== undefined && rowOf(each) === undefined;
  const isLost = (each: UnexplainedTransfer) => isUnclaimed(each) && settlers.has(each.sender);
  const settled = (holds: (block: bigint) => boolean) =>
    rows().filter(({ state, settlement }) => state === 'settled' && settlement && holds(settlement.blockNumber));

  function keepFound({ settlers: found, unexplained }: Pick<AuditedRange, 'settlers' | 'unexplained'>): void {
    for (const each of found) settlers.add(each);
    for (const each of unexplained) {
      const place = `${each.transaction} ${each.logIndex}`;
      if (!orphans.has(place)) orphans.set(place, each);
    }
  }

  function readBalance() {
    const all = [...ranges.values()].sort((one, other) => Number(one.fromBlock - other.fromBlock));
    const [first, last] = [all[0], all.at(-1)];
    if (first === undefined || last === undefined) return [];
    const isIn = (block: bigint) => block >= first.fromBlock && block <= last.toBlock;
    const sales = settled(isIn);
    const unexplained = [...orphans.values()].filter((each) => isIn(each.blockNumber) && !isExplained(each));
    const lost = unexplained.filter(isLost);
    const others = unexplained.filter((each) => !isLost(each));
    const { network, asset, instance } = scope;
    return [
      {
        ...{ network, asset, instance },
        throughBlock: last.toBlock,
        throughTime: last.toTime,
        auditedAt: new Date(Math.max(...all.map(({ auditedAt }) => auditedAt.getTime()))),
        chain: sumOf(all.flatMap(({ transfers }) => transfers)),
        ledger: sumOf(sales),
        orphans: sumOf(others),
        orphanCount: others.length,
        lost: sumOf(lost),
        lostCount: lost.length,
        foreignCount: others.filter(isUnclaimed).length,
        sales: sales.length,
        rebuilt: sales.filter(({ binding }) => binding === undefined).length,
      },
    ];
  }

  const reader: ModelAudit['reader'] = {
    listBalances: () => run('balances', readBalance),
    findFirstTime: () =>
      run('first time', () => {
        const times = rows().map(({ searchFrom }) => searchFrom.getTime());
        return times.length === 0 ? undefined : new Date(Math.min(...times));
      }),
    listPayTos: () => run('payees', () => [...new Set(rows().map(({ payTo }) => payTo))]),
    findByKeys: (keys) =>
      run('keys', () => keys.flatMap((key) => tables.payments.get(paymentName(key)) ?? []).map(toRow)),
    listSettledIn: (_, from, to) => run('settled', () => settled((block) => block >= from && block <= to).map(toRow)),
    listBookedLate: (_, before, since) =>
      run('booked late', () =>
        settled((block) => block < before)
          .filter(({ settlement }) => settlement && settlement.settledAt > since)
          .map(toRow),
      ),
  };
  const store: Partial<ModelAudit['store']> = {
    keepRange: (_, range) =>
      run('keep range', () => {
        if (!ranges.has(range.fromBlock)) ranges.set(range.fromBlock, range);
        keepFound(range);
      }),
    keepAgain: (_, found) => run('keep again', () => keepFound(found)),
    rebuildSome: (_, operations, limit) =>
      run('rebuild', () => {
        const lost = [...orphans.values()].filter(isLost).slice(0, limit);
        for (const each of lost) tables.put(rebuildRow(each, scope, operations.get(each.amount) ?? ''));
        return lost.map(({ amount }) => amount);
      }),
  };
  const refunds = { listRefundsDue: async () => [], findOrphans: async () => [] };
  return { reader, store: store as ModelAudit['store'], refunds };
}

/** The row of a lost sale. */
export function rebuildRow(transfer: UnexplainedTransfer, scope: LedgerScope, operationId: string): StoredRow {
  const { amount, payTo, at, transaction, blockNumber } = transfer;
  return {
    ...keyOf(transfer, scope),
    ...{ state: 'settled', operationId, resource: '', binding: undefined, amount, payTo },
    ...{ validAfter: 0n, validBefore: 0n, signature: '0x', claimedAt: at, leaseOwner: '', leaseUntil: at },
    searchFrom: new Date(at.getTime() - reorgMs),
    ...{ clientIdHash: undefined, chainInstance: scope.instance, reorgedAt: undefined, failure: undefined },
    settlement: { transaction, blockNumber, settledAt: at },
    ...{ delivery: 'pending', replyHash: new Uint8Array(), replyHeaders: {} },
  };
}

function keyOf({ payer, nonce = '0x' }: UnexplainedTransfer, { network, asset }: LedgerScope): PaymentKey {
  return { network, asset, payer, nonce };
}

function toRow({ leaseUntil: _, ...row }: StoredRow) {
  return { ...row, isLeased: false };
}

function sumOf(all: readonly { readonly amount: bigint }[]): bigint {
  return all.reduce((sum, { amount }) => sum + amount, 0n);
}

/** Everything before this block is audited, and closed at nothing. */
export function closeBefore(
  { ranges, settlers }: AuditTables,
  block: bigint,
  at: Date,
  relayers: readonly Hex[],
): void {
  const nothing = { transfers: [], explained: [], unexplained: [], settlers: [], missing: 0 };
  ranges.set(0n, { ...nothing, fromBlock: 0n, toBlock: block, toTime: at, auditedAt: at });
  for (const each of relayers) settlers.add(each);
}
