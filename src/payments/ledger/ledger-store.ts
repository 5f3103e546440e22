import type { Knex } from 'knex';
import { gather } from '../../db/sql/gather.js';
import { runNamed } from '../../db/sql/run-named.js';
import { columnsOf, createClaimStore, namesOf } from './claim-store.js';
import { fromHex, keyValues, paymentName, readPaymentKey, readPaymentRow } from './payment-row.js';
import { statements } from './ledger-statements.js';
import { createReplyBodies, type Run } from './reply-bodies.js';
import type { Ledger, PaymentKey, PaymentRow, SettledAt } from './ledger.js';

/**
 * Keeps the ledger in PostgreSQL, or in the embedded one. Each transition is one statement.
 *
 * @param failedGasPerHour what failed transfers may burn before newcomers and payers with code have to wait
 * @param elapsedMs milliseconds of a monotonic clock
 */
export function createLedgerStore(
  knex: Knex,
  failedGasPerHour = 1_000_000n,
  elapsedMs: () => number = performance.now.bind(performance),
): Ledger {
  const run: Run = (statement, values) => runNamed(knex, statement, values);
  const replyBodies = createReplyBodies(run);

  async function find(key: PaymentKey) {
    const { rows } = await run(statements.find, keyValues(key));
    return rows[0] === undefined ? undefined : readPaymentRow(rows[0]);
  }

  const finishTogether = gather({ run: finishAll, namesOf, maxItems: 200 });

  /** Which of the claimed rows were still their finishers'. */
  async function finishAll(finishes: readonly Finish[]): Promise<readonly boolean[]> {
    const values = finishes.map(({ owner, transaction, blockNumber, leaseForMs, feeGwei, ...key }) => {
      return [
        ...keyValues(key),
        owner,
        fromHex(transaction),
        blockNumber.toString(),
        leaseForMs,
        feeGwei?.toString() ?? null,
      ];
    });
    const { rows } = await runNamed(knex, statements.finish, columnsOf(values, finishWidth));
    const finished = new Set(rows.map((row) => paymentName(readPaymentKey(row))));
    return finishes.map((each) => finished.has(paymentName(each)));
  }

  const claims = createClaimStore(knex, find, failedGasPerHour, elapsedMs);

  return {
    find,
    findById: async (paymentId) => {
      const { rows } = await run(statements.findById, [Buffer.from(paymentId)]);
      const [row] = rows;
      if (row === undefined) return undefined;
      return { row: readPaymentRow(row), isReplyKept: row['reply_kept'] === true, readAt: row['read_at'] as Date };
    },
    claim: claims.claim,
    listInFlight: claims.listInFlight,
    isClientIdTaken: claims.isClientIdTaken,
    finish: (key, owner, at, leaseForMs) => finishTogether({ ...key, owner, ...at, leaseForMs }),
    release: async (key, owner, reason, failure) => {
      const burned = [failure?.gas.toString() ?? null, failure?.burnedShared ?? false];
      return (await run(statements.release, [...keyValues(key), owner, reason, ...burned])).rowCount === 1;
    },
    endLease: async (key, owner) => void (await run(statements.endLease, [...keyValues(key), owner])),
    takeOver: async (key, owner, leaseForMs) =>
      (await run(statements.takeOver, [...keyValues(key), owner, leaseForMs])).rowCount === 1,
    takeRedelivery: async (key, owner) =>
      (await run(statements.takeRedelivery, [...keyValues(key), owner])).rowCount === 1,
    recordDeliveries: async (keys, delivery) => {
      await run(statements.recordDeliveries, [...columnsOf(keys.map(keyValues), 4), delivery]);
    },
    readReplyBody: replyBodies.read,
    endForeignLeases: async (owner) => (await run(statements.endForeignLeases, [owner])).rowCount,
    discardBodies: async (ageMs) => {
      claims.forgetBodies();
      const { rowCount } = await run(statements.discardBodies, [ageMs]);
      return rowCount + (await replyBodies.emptySuppressed());
    },
    ...reconciliation(run),
  };
}

function reconciliation(run: Run): Pick<Ledger, 'listOpen' | 'listSettled' | 'bookReorg' | 'moveSettlement'> {
  return {
    listOpen: async (limit) => (await run(statements.listOpen, [limit])).rows.map(readPaymentRow),
    listSettled: async (claimedSince, afterBlock, lateMs, limit) => {
      const { rows } = await run(statements.listSettled, [claimedSince, afterBlock.toString(), lateMs, limit]);
      return rows.map(readPaymentRow);
    },
    bookReorg: async (row, owner) =>
      (await run(statements.bookReorg, [...settlementValues(row), owner])).rowCount === 1,
    moveSettlement: async (row, { transaction, blockNumber }) => {
      const values = [...settlementValues(row), fromHex(transaction), blockNumber.toString()];
      return (await run(statements.moveSettlement, values)).rowCount === 1;
    },
  };
}

/** A row's key and its settlement: the statement must not change a row with a later settlement. */
function settlementValues(row: PaymentRow): readonly unknown[] {
  if (row.settlement === undefined) throw new Error('Only a settled payment has a settlement to change');
  return [...keyValues(row), fromHex(row.settlement.transaction)];
}

interface Finish extends PaymentKey, SettledAt {
  readonly owner: string;
  readonly leaseForMs: number;
}

const finishWidth = 9;
