import type { Knex } from 'knex';
import { gather } from '../../db/sql/gather.js';
import { runNamed } from '../../db/sql/run-named.js';
import { columnsOf, createClaimStore, namesOf } from './claim-store.js';
import { fromHex, keyValues, paymentName, readPaymentKey, readPaymentRow } from './payment-row.js';
import { statements } from './ledger-statements.js';
import { createReplyBodies, type Run } from './reply-bodies.js';
import { openMs, type Ledger, type PaymentKey, type PaymentRow, type Settlement } from './ledger.js';

/**
 * Keeps the ledger in PostgreSQL, or in the embedded one. Each transition is one statement.
 *
 * @param failedGasPerHour what failed transfers may burn before newcomers and payers with code have to wait
 */
export function createLedgerStore(knex: Knex, failedGasPerHour = 1_000_000n): Ledger {
  const run: Run = (statement, values) => runNamed(knex, statement, values);
  const replyBodies = createReplyBodies(run);

  async function find(key: PaymentKey) {
    const { rows } = await run(statements.find, keyValues(key));
    return rows[0] === undefined ? undefined : readPaymentRow(rows[0]);
  }

  const finishTogether = gather({ run: finishAll, namesOf, maxItems: 200 });

  /** Which of the claimed rows were still their finishers'. */
  async function finishAll(finishes: readonly Finish[]): Promise<readonly boolean[]> {
    const values = finishes.map(({ owner, transaction, blockNumber, settledAt, leaseUntil, ...key }) => {
      return [...keyValues(key), owner, fromHex(transaction), blockNumber.toString(), settledAt, leaseUntil];
    });
    const { rows } = await runNamed(knex, statements.finish, columnsOf(values, finishWidth));
    const finished = new Set(rows.map((row) => paymentName(readPaymentKey(row))));
    return finishes.map((each) => finished.has(paymentName(each)));
  }

  const claims = createClaimStore(knex, find, failedGasPerHour);

  return {
    find,
    findById: async (paymentId) => {
      const { rows } = await run(statements.findById, [Buffer.from(paymentId)]);
      return rows[0] && { row: readPaymentRow(rows[0]), isReplyKept: rows[0]['reply_kept'] === true };
    },
    claim: claims.claim,
    listInFlight: claims.listInFlight,
    isClientIdTaken: claims.isClientIdTaken,
    finish: (key, owner, settlement, leaseUntil) => finishTogether({ ...key, owner, ...settlement, leaseUntil }),
    release: async (key, owner, reason, failure) => {
      const burned = [failure?.failedAt ?? null, failure?.gas.toString() ?? null, failure?.burnedShared ?? false];
      return (await run(statements.release, [...keyValues(key), owner, reason, ...burned])).rowCount === 1;
    },
    endLease: async (key, owner, now) => void (await run(statements.endLease, [...keyValues(key), owner, now])),
    takeOver: async (key, owner, now, leaseUntil) =>
      (await run(statements.takeOver, [...keyValues(key), owner, now, leaseUntil])).rowCount === 1,
    takeRedelivery: async (key, owner, now, leaseUntil) =>
      (await run(statements.takeRedelivery, [...keyValues(key), owner, now, leaseUntil])).rowCount === 1,
    recordDeliveries: async (keys, delivery) => {
      await run(statements.recordDeliveries, [...columnsOf(keys.map(keyValues), 4), delivery]);
    },
    readReplyBody: replyBodies.read,
    endForeignLeases: async (owner, now) => (await run(statements.endForeignLeases, [owner, now])).rowCount,
    discardBodies: async (before) => {
      claims.forgetBodies();
      const { rowCount } = await run(statements.discardBodies, [before]);
      return rowCount + (await replyBodies.emptySuppressed());
    },
    ...reconciliation(run),
  };
}

function reconciliation(run: Run): Pick<Ledger, 'listOpen' | 'listSettled' | 'bookReorg' | 'moveSettlement'> {
  return {
    listOpen: async (now, limit) => {
      const since = new Date(now.getTime() - openMs);
      const { rows } = await run(statements.listOpen, [since, now, limit]);
      return rows.map(readPaymentRow);
    },
    listSettled: async (claimedSince, afterBlock, lateMs, limit) => {
      const { rows } = await run(statements.listSettled, [claimedSince, afterBlock.toString(), lateMs, limit]);
      return rows.map(readPaymentRow);
    },
    bookReorg: async (row, owner, now) =>
      (await run(statements.bookReorg, [...settlementValues(row), owner, now])).rowCount === 1,
    moveSettlement: async (row, { transaction, blockNumber }) => {
      const values = [...settlementValues(row), fromHex(transaction), blockNumber.toString()];
      return (await run(statements.moveSettlement, values)).rowCount === 1;
    },
  };
}

/** A row's key and the settlement that it holds: whoever changes that one must not change a later one. */
function settlementValues(row: PaymentRow): readonly unknown[] {
  if (row.settlement === undefined) throw new Error('Only a settled payment has a settlement to change');
  return [...keyValues(row), fromHex(row.settlement.transaction)];
}

interface Finish extends PaymentKey, Settlement {
  readonly owner: string;
  readonly leaseUntil: Date;
}

const finishWidth = 9;
