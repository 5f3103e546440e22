import assert from 'node:assert/strict';
import { pino } from 'pino';
import { auditLedger, type AuditPorts } from '../../../src/payments/audit/audit-ledger.js';
import type { AuditedRange } from '../../../src/payments/audit/audit-store.js';
import { recheckRecent, recheckSettlements } from '../../../src/payments/audit/recheck-settlements.js';
import type { Ledger, PaymentKey, PaymentRow } from '../../../src/payments/ledger/ledger.js';
import { createChainEvidence } from '../../../src/payments/settlement/chain-evidence.js';
import { createChainHistory } from '../../../src/payments/settlement/chain-history.js';
import { cadences, createLongChain, type LongChain, type Payment } from '../chain/long-chain.js';
import { buildClaim } from '../ledger/build-claim.js';

const minute = 60_000;
const day = 1_440 * minute;
const silent = pino({ level: 'silent' });

/** The settled row of a payment that was verified a moment before it was made. */
function rowOf(chain: LongChain, payment: Payment, agoMs: number, changes: Partial<PaymentRow> = {}): PaymentRow {
  const at = new Date(chain.headMs - agoMs);
  const { payer, nonce, amount, transaction, block: blockNumber } = payment;
  return {
    ...buildClaim({ payer, nonce, amount, payTo: chain.payTo, network: chain.network.id, chainInstance: '' }),
    asset: chain.network.asset.toLowerCase() as PaymentRow['asset'],
    validBefore: BigInt(Math.floor(at.getTime() / 1000)) + 300n,
    claimedAt: at,
    isLeased: false,
    searchFrom: new Date(at.getTime() - 30 * minute),
    state: 'settled',
    settlement: { transaction, blockNumber, settledAt: at },
    reorgedAt: undefined,
    failure: undefined,
    delivery: 'completed',
    ...changes,
  };
}

/** What the chain and a ledger with these settled rows say to a recheck; `moved` and `reorged` hold what it books. */
function openChecks(chain: LongChain, rows: readonly PaymentRow[]) {
  const client = chain.connect();
  const [moved, reorged]: [PaymentRow[], PaymentRow[]] = [[], []];
  const ledger = {
    listSettled: async (since: Date, afterBlock: bigint, lateMs: number) =>
      rows.filter(({ claimedAt, settlement }) => {
        const { blockNumber = 0n, settledAt = new Date(0) } = settlement ?? {};
        return claimedAt >= since && (blockNumber > afterBlock || settledAt.getTime() > chain.headMs - lateMs);
      }),
    moveSettlement: async (row: PaymentRow) => moved.push(row) > 0,
    bookReorg: async (row: PaymentRow) => reorged.push(row) > 0,
  } as unknown as Ledger;
  const history = createChainHistory(client, chain);
  const evidence = createChainEvidence(client, chain.network);
  const ports = { ledger, evidence, owner: 'owner', now: () => new Date(chain.headMs), log: silent };
  return { history, ports, moved, reorged };
}

for (const blockMs of cadences)
  describe(`the settlements that can be undone, on a chain with a block each ${blockMs} ms`, () => {
    for (const lagMinutes of [1, 20, 600])
      for (const count of [3, 40])
        it(`are all looked at again, ${count} of ${lagMinutes} minutes, where finality takes as long`, async () => {
          const chain = createLongChain({ blockMs, finalityMs: lagMinutes * minute });
          const ages = Array.from({ length: count }, (_, index) => (lagMinutes * minute * (index + 0.5)) / count);
          const rows = ages.map((agoMs) => rowOf(chain, chain.pay(agoMs), agoMs));
          const final = rowOf(chain, chain.pay((lagMinutes + 1) * minute), (lagMinutes + 1) * minute);
          const gone = {
            transaction: `0x${'77'.repeat(32)}`,
            blockNumber: rows.at(-1)!.settlement!.blockNumber,
          } as const;
          const undone = {
            ...rows.at(-1)!,
            nonce: `0x${'77'.repeat(32)}`,
            settlement: { ...gone, settledAt: new Date(0) },
          } as const;
          const { history, ports, moved, reorged } = openChecks(chain, [...rows, final, undone]);
          const report = await recheckRecent(history, ports);
          assert.deepEqual(report, { moved: 0, reorged: 1, unknown: 0 });
          assert.deepEqual([moved, reorged], [[], [undone]]);
        });

    for (const count of [1, 40])
      it(`are looked at for some minutes, ${count} of them, also where their blocks are final by then`, async () => {
        const chain = createLongChain({ blockMs, finalityMs: minute });
        const ages = Array.from({ length: count }, (_, index) => 3 * minute + (minute * index) / count);
        const rows = ages.map((agoMs, by) => rowOf(chain, chain.pay(agoMs, { by }), agoMs));
        const [row] = rows;
        assert.ok(row);
        const undone = { ...row, nonce: `0x${'78'.repeat(32)}` } as const;
        const { history, ports, reorged } = openChecks(chain, [...rows, undone]);
        assert.deepEqual(await recheckRecent(history, ports), { moved: 0, reorged: 1, unknown: 0 });
        assert.deepEqual(reorged, [undone]);
      });

    for (const minutes of [4, 10, 25])
      it(`are found ${minutes} minutes before the place that they had`, async () => {
        const chain = createLongChain({ blockMs });
        const payment = chain.pay(60 * minute);
        const row = rowOf(chain, { ...payment, block: payment.block + 1n }, (60 - minutes) * minute);
        const { ports, moved } = openChecks(chain, []);
        assert.deepEqual(await recheckSettlements([row], ports), { moved: 1, reorged: 0, unknown: 0 });
        assert.deepEqual(moved, [row]);
      });

    it('are in doubt, and not undone, where they are further before it', async () => {
      const chain = createLongChain({ blockMs });
      const row = rowOf(chain, chain.pay(60 * minute), 10 * minute);
      const { ports } = openChecks(chain, []);
      assert.deepEqual(await recheckSettlements([row], ports), { moved: 0, reorged: 0, unknown: 1 });
    });

    it('cost 10 calls a minute at most', async () => {
      for (const count of [1, 8, 9, 500]) {
        const chain = createLongChain({ blockMs });
        const ages = Array.from({ length: count }, (_, index) => (20 * minute * index) / count);
        const rows = ages.map((agoMs, by) => rowOf(chain, chain.pay(agoMs, { by }), agoMs));
        const { history, ports } = openChecks(chain, rows);
        chain.countCalls();
        assert.deepEqual(await recheckRecent(history, ports), { moved: 0, reorged: 0, unknown: 0 });
        const calls = chain.countCalls();
        assert.ok(calls <= 10, `${calls} calls for ${count}`);
      }
    });

    it('take 3 calls at most for 100 open payments and part of a search', async () => {
      const chain = createLongChain({ blockMs });
      const rows = Array.from({ length: 100 }, (_, index) => {
        const agoMs = (index * day) / 100;
        return rowOf(chain, chain.pay(agoMs), agoMs);
      });
      const { ports } = openChecks(chain, []);
      chain.countCalls();
      const found = await ports.evidence.findMany(rows);
      assert.ok(found.every(({ verdict }) => verdict === 'settled'));
      const parts = Math.ceil(day / blockMs / 2_000) + 1;
      const calls = chain.countCalls();
      assert.ok(calls <= 3 * parts, `${calls} calls for ${parts} parts`);
    });
  });

/** An audit whose ledger has these rows; `ranges` are the steps that it keeps. */
function openAudit(chain: LongChain, firstTime: Date, rows: readonly PaymentRow[] = []) {
  const { history, ports } = openChecks(chain, []);
  const ranges: AuditedRange[] = [];
  const asked = { lateSince: undefined as Date | undefined };
  const reader = {
    listBalances: async () => {
      const last = ranges.at(-1);
      if (last === undefined) return [];
      const sums = { chain: 0n, ledger: 0n, orphans: 0n, orphanCount: 0, lost: 0n, lostCount: 0, foreignCount: 0 };
      const { toBlock: throughBlock, toTime: throughTime, auditedAt } = last;
      return [{ ...history.scope, throughBlock, throughTime, auditedAt, ...sums }];
    },
    findFirstTime: async () => firstTime,
    listPayTos: async () => [],
    findByKeys: async (keys: readonly PaymentKey[]) =>
      rows.filter((row) => keys.some(({ nonce }) => nonce === row.nonce)),
    listSettledIn: async () => [],
    listBookedLate: async (_scope: unknown, _block: bigint, since: Date) => {
      asked.lateSince = since;
      return [];
    },
  };
  const store = { keepRange: async (_scope: unknown, range: AuditedRange) => void ranges.push(range) };
  const refunds = { listRefundsDue: async () => [] };
  const all = { ...ports, history, reader, refunds, store, relayers: [] } as unknown as AuditPorts;
  return { run: () => auditLedger(all), ranges, asked };
}

for (const blockMs of cadences)
  describe(`the audit on a chain with a block each ${blockMs} ms`, () => {
    it('goes by days from the first payment on, and leaves out no transfer', async () => {
      const chain = createLongChain({ blockMs, days: 4 });
      const ages = [25, 4 * 60, 10 * 60, 30 * 60, 50 * 60, 55 * 60].map((minutes) => minutes * minute);
      const payments = ages.map((agoMs) => chain.pay(agoMs));
      const { run, ranges, asked } = openAudit(chain, new Date(chain.headMs - 56 * 60 * minute));
      await run();
      const seen = ranges.flatMap(({ transfers }) => transfers.map(({ transaction }) => transaction));
      assert.deepEqual(seen.sort(), payments.map(({ transaction }) => transaction).sort());
      assert.equal(ranges.length, 3);
      const days = ranges.map(({ fromBlock, toBlock }) => (Number(toBlock - fromBlock + 1n) * blockMs) / day);
      assert.ok(days.every((each) => each <= 1.0001) && (days[0] ?? 0) > 0.999, `${days} days`);
      await run();
      assert.deepEqual(asked.lateSince, new Date(chain.headMs - 10 * minute));
    });

    it('takes 600 calls at most for a day', async () => {
      const chain = createLongChain({ blockMs, finalityMs: 0 });
      for (let agoMs = 0; agoMs < day; agoMs += 5 * minute) chain.pay(agoMs, { by: agoMs });
      const { run, ranges } = openAudit(chain, new Date(chain.headMs - day + 1_000));
      chain.countCalls();
      await run();
      const calls = chain.countCalls() - ranges.flatMap(({ unexplained }) => unexplained).length;
      assert.ok(calls <= 600, `${calls} calls`);
    });

    it('takes 600 calls at most for a day of sales, and asks of 20 of them who has sent them', async () => {
      const chain = createLongChain({ blockMs, finalityMs: 0 });
      const ages = Array.from({ length: 288 }, (_, index) => (index * day) / 288);
      const rows = ages.map((agoMs, by) => rowOf(chain, chain.pay(agoMs, { by }), agoMs));
      const { run, ranges } = openAudit(chain, new Date(chain.headMs - day + 1_000), rows);
      chain.countCalls();
      await run();
      const calls = chain.countCalls();
      assert.ok(calls <= 600, `${calls} calls`);
      assert.deepEqual(
        ranges.map(({ settlers }) => settlers),
        [[chain.relayer]],
      );
      assert.ok(ranges.every(({ explained }) => explained.length > 280));
    });
  });
