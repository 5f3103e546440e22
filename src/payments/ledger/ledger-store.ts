import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Knex } from 'knex';
import { concatBytes } from '../../contract/rendered.js';
import { gather } from '../../db/sql/gather.js';
import { hasCode } from '../../db/sql/has-code.js';
import { runNamed, type NamedStatement } from '../../db/sql/run-named.js';
import { fromHex, keyValues, paymentIdOf, paymentName, readPaymentKey, readPaymentRow } from './payment-row.js';
import { statements } from './ledger-statements.js';
import type { Claim, ClaimResult, Ledger, PaymentKey, PaymentRow, Settlement } from './ledger.js';

/** How far back open rows are looked for: no authorization can be settled that long after its claim. */
const openRowsDays = 7;
/** A stored body is touched at least this often while it is sold; retention must leave younger ones alone. */
const storedBodyMs = 12 * 3_600_000;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Keeps the ledger in PostgreSQL, or in the embedded one. Each transition is one statement. */
export function createLedgerStore(knex: Knex): Ledger {
  /** When this process last stored each body: it is not sent again with each claim, and retention spares it. */
  const storedBodies = new Map<string, number>();
  const run: Run = (statement, values) => runNamed(knex, statement, values);

  async function find(key: PaymentKey) {
    const { rows } = await run(statements.find, keyValues(key));
    return rows[0] === undefined ? undefined : readPaymentRow(rows[0]);
  }

  const claimTogether = gather({ run: claimAll, namesOf, maxItems: 100 });
  const finishTogether = gather({ run: finishAll, namesOf, maxItems: 200 });

  /**
   * Which of the claims won their rows. Another instance may take an identifier or a lead in the same moment: then the
   * unique index stops the whole statement, and each claim goes alone.
   */
  async function claimAll(claims: readonly Claim[]): Promise<readonly boolean[]> {
    const bodies = await packNewBodies(claims);
    const hashes = [...bodies.keys()].map((hash) => Buffer.from(hash, 'base64'));
    const values = [...columnsOf(claims.map(claimValues), claimWidth), hashes, [...bodies.values()]];
    const leads = claims.flatMap((claim, index) =>
      (claim.leads ?? []).map((each) => [index + 1, each.leadId, each.exclusiveUntil ?? null, claim.claimedAt]),
    );
    let won: ReadonlySet<string>;
    try {
      const { rows } = await (claims.some((each) => each.leads !== undefined)
        ? runNamed(knex, statements.claimLeads, [...values, ...columnsOf(leads, 4)])
        : runNamed(knex, statements.claim, values));
      won = new Set(rows.map((row) => paymentName(readPaymentKey(row))));
    } catch (error) {
      if (!hasCode(error, uniqueViolation)) throw error;
      if (claims.length === 1) return [false];
      const results: boolean[] = [];
      for (const each of claims) results.push(...(await claimAll([each])));
      return results;
    }
    for (const each of claims) {
      const hash = Buffer.from(each.replyHash).toString('base64');
      if (won.has(paymentName(each)) && bodies.has(hash)) storedBodies.set(hash, each.claimedAt.getTime());
    }
    if (storedBodies.size > 10_000) storedBodies.clear();
    return claims.map((each) => won.has(paymentName(each)));
  }

  /** The bodies that are not stored yet, compressed off the main thread, by their hash. */
  async function packNewBodies(claims: readonly Claim[]): Promise<ReadonlyMap<string, Buffer>> {
    const fresh = new Map<string, Claim>();
    for (const each of claims) {
      const hash = Buffer.from(each.replyHash).toString('base64');
      const storedAt = storedBodies.get(hash) ?? -Infinity;
      if (each.claimedAt.getTime() - storedAt >= storedBodyMs) fresh.set(hash, each);
    }
    const packed = [...fresh].map(async ([hash, { replyBody }]) => {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: replyBody.byteLength };
      return [hash, await compress(concatBytes(replyBody), { params })] as const;
    });
    return new Map(await Promise.all(packed));
  }

  /** Which of the claimed rows were still their finishers'. */
  async function finishAll(finishes: readonly Finish[]): Promise<readonly boolean[]> {
    const values = finishes.map(({ owner, transaction, blockNumber, settledAt, leaseUntil, ...key }) => {
      return [...keyValues(key), owner, fromHex(transaction), blockNumber.toString(), settledAt, leaseUntil];
    });
    const { rows } = await runNamed(knex, statements.finish, columnsOf(values, finishWidth));
    const finished = new Set(rows.map((row) => paymentName(readPaymentKey(row))));
    return finishes.map((each) => finished.has(paymentName(each)));
  }

  async function claim(claim: Claim): Promise<ClaimResult> {
    if (await claimTogether(claim)) return { kind: 'claimed' };
    const row = await find(claim);
    if (row !== undefined && row.state !== 'released') return { kind: 'known', row };
    // No row of its own and none of another's: the feed's version did not hold, or a lead was held.
    return (await isClientIdTaken({ ...claim, key: claim })) ? { kind: 'id_conflict' } : { kind: 'stale' };
  }

  const isClientIdTaken: Ledger['isClientIdTaken'] = async ({ key, clientIdHash }) => {
    if (clientIdHash === undefined) return false;
    const { rows } = await run(statements.findClientId, [...keyValues(key), Buffer.from(clientIdHash)]);
    return rows.length > 0;
  };

  return {
    find,
    findById: async (paymentId) => {
      const { rows } = await run(statements.findById, [Buffer.from(paymentId)]);
      return rows[0] && { row: readPaymentRow(rows[0]), isReplyKept: rows[0]['reply_kept'] === true };
    },
    claim,
    isClientIdTaken,
    finish: (key, owner, settlement, leaseUntil) => finishTogether({ ...key, owner, ...settlement, leaseUntil }),
    release: async (key, owner, reason) =>
      (await run(statements.release, [...keyValues(key), owner, reason])).rowCount === 1,
    endLease: async (key, owner, now) => void (await run(statements.endLease, [...keyValues(key), owner, now])),
    takeOver: async (key, owner, now, leaseUntil) =>
      (await run(statements.takeOver, [...keyValues(key), owner, now, leaseUntil])).rowCount === 1,
    takeRedelivery: async (key, owner, now, leaseUntil) =>
      (await run(statements.takeRedelivery, [...keyValues(key), owner, now, leaseUntil])).rowCount === 1,
    recordDeliveries: async (keys, delivery) => {
      await run(statements.recordDeliveries, [...columnsOf(keys.map(keyValues), 4), delivery]);
    },
    readReplyBody: async (hash) => {
      const { rows } = await run(statements.readReplyBody, [Buffer.from(hash)]);
      return rows[0] === undefined ? undefined : decompress(rows[0]['body'] as Buffer);
    },
    endForeignLeases: async (owner, now) => (await run(statements.endForeignLeases, [owner, now])).rowCount,
    discardBodies: async (before) => {
      // By a clock that was ahead, what was stored just now is old.
      storedBodies.clear();
      return (await run(statements.discardBodies, [before])).rowCount;
    },
    ...reconciliation(run),
  };
}

type Run = (statement: NamedStatement, values: readonly unknown[]) => ReturnType<typeof runNamed>;

function reconciliation(run: Run): Pick<Ledger, 'listOpen' | 'listSettled' | 'bookReorg' | 'moveSettlement'> {
  return {
    listOpen: async (now, limit) => {
      const since = new Date(now.getTime() - openRowsDays * 86_400_000);
      const { rows } = await run(statements.listOpen, [since, now, limit]);
      return rows.map(readPaymentRow);
    },
    listSettled: async (claimedSince, afterBlock, limit) => {
      const { rows } = await run(statements.listSettled, [claimedSince, afterBlock.toString(), limit]);
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

const claimWidth = 23;
const finishWidth = 9;
const uniqueViolation = '23505';

/** One array per column, as `unnest` takes them. */
function columnsOf(rows: readonly (readonly unknown[])[], width: number): readonly (readonly unknown[])[] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]));
}

/**
 * Claims with the same authorization, the same identifier of one payer, or the same held lead never share a statement;
 * nor do finishes of the same authorization.
 */
function namesOf(item: PaymentKey & Partial<Pick<Claim, 'clientIdHash' | 'leads'>>): readonly string[] {
  const { payer, clientIdHash, leads = [] } = item;
  const held = leads.flatMap(({ leadId, exclusiveUntil }) => (exclusiveUntil === undefined ? [] : [`lead ${leadId}`]));
  const own = clientIdHash === undefined ? [] : [`${payer}/${Buffer.from(clientIdHash).toString('base64')}`];
  return [paymentName(item), ...own, ...held];
}

function claimValues(claim: Claim): readonly unknown[] {
  return [
    ...keyValues(claim),
    claim.operationId,
    Buffer.from(claim.binding),
    claim.amount.toString(),
    fromHex(claim.payTo),
    claim.validAfter.toString(),
    claim.validBefore.toString(),
    fromHex(claim.signature),
    claim.claimedAt,
    claim.leaseOwner,
    claim.leaseUntil,
    claim.fromBlock.toString(),
    Buffer.from(claim.replyHash),
    JSON.stringify(claim.replyHeaders),
    paymentIdOf(claim),
    claim.clientIdHash === undefined ? null : Buffer.from(claim.clientIdHash),
    claim.chainInstance,
    claim.feed.name,
    claim.feed.version,
    claim.resource,
  ];
}
