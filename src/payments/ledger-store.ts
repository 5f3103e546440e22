import type { Knex } from 'knex';
import { concatBytes } from '../contract/rendered.js';
import type { Hex } from '../chain/eip3009.js';
import { gather } from '../db/gather.js';
import { runNamed, type NamedStatement } from '../db/run-named.js';
import { packBody, unpackBody } from './packed-body.js';
import { fromHex, keyValues, paymentName, readPaymentKey, readPaymentRow } from './payment-row.js';
import type { Claim, ClaimResult, Ledger, PaymentKey } from './ledger.js';

/** How far back open rows are looked for: no authorization can be settled that long after its claim. */
const openRowsDays = 7;
/** A stored body is touched at least this often while it is sold; retention must leave younger ones alone. */
const storedBodyMs = 12 * 3_600_000;

/** Keeps the ledger in PostgreSQL, or in the embedded one. Each transition is one statement. */
export function createLedgerStore(knex: Knex): Ledger {
  /** When this process last stored a body: it need not travel again with each claim, and retention spares it meanwhile. */
  const storedBodies = new Map<string, number>();
  const run = (statement: NamedStatement, values: readonly unknown[]) => runNamed(knex, statement, values);

  async function find(key: PaymentKey) {
    const { rows } = await run(statements.find, keyValues(key));
    return rows[0] === undefined ? undefined : readPaymentRow(rows[0]);
  }

  const claimTogether = gather({ run: claimAll, nameOf: paymentName, maxItems: 100 });
  const finishTogether = gather({ run: finishAll, nameOf: paymentName, maxItems: 200 });

  /** Which of the claims won their rows. */
  async function claimAll(claims: readonly Claim[]): Promise<readonly boolean[]> {
    const bodies = await packNewBodies(claims);
    const columns = columnsOf(
      claims.map((each) => [...keyValues(each), ...claimValues(each)]),
      claimWidth,
    );
    const { rows } = await run(statements.claim, [
      ...columns,
      [...bodies.keys()].map(fromBase64),
      [...bodies.values()],
    ]);
    const won = new Set(rows.map(nameOfRow));
    for (const each of claims) {
      const hash = toBase64(each.replyHash);
      if (won.has(paymentName(each)) && bodies.has(hash)) storedBodies.set(hash, each.claimedAt.getTime());
    }
    if (storedBodies.size > 10_000) storedBodies.clear();
    return claims.map((each) => won.has(paymentName(each)));
  }

  async function packNewBodies(claims: readonly Claim[]): Promise<ReadonlyMap<string, Buffer>> {
    const fresh = new Map<string, Claim>();
    for (const each of claims) {
      const hash = toBase64(each.replyHash);
      const storedAt = storedBodies.get(hash) ?? -Infinity;
      if (each.claimedAt.getTime() - storedAt >= storedBodyMs) fresh.set(hash, each);
    }
    const packed = [...fresh].map(async ([hash, each]) => [hash, await packBody(concatBytes(each.replyBody))] as const);
    return new Map(await Promise.all(packed));
  }

  /** Which of the claimed rows were still their finishers'. */
  async function finishAll(finishes: readonly Finish[]): Promise<readonly boolean[]> {
    const columns = columnsOf(
      finishes.map((each) => [...keyValues(each), each.owner, fromHex(each.transaction), each.leaseUntil]),
      finishWidth,
    );
    const { rows } = await run(statements.finish, columns);
    const finished = new Set(rows.map(nameOfRow));
    return finishes.map((each) => finished.has(paymentName(each)));
  }

  async function claim(claim: Claim): Promise<ClaimResult> {
    if (await claimTogether(claim)) return { kind: 'claimed' };
    const row = await find(claim);
    // No row of its own and none of another's: the feed's version did not hold.
    return row === undefined || row.state === 'released' ? { kind: 'feed_moved' } : { kind: 'known', row };
  }

  return {
    find,
    claim,
    finish: (key, owner, transaction, leaseUntil) => finishTogether({ ...key, owner, transaction, leaseUntil }),
    release: async (key, owner, reason) =>
      (await run(statements.release, [...keyValues(key), owner, reason])).rowCount === 1,
    endLease: async (key, owner, now) => {
      await run(statements.endLease, [...keyValues(key), owner, now]);
    },
    takeOver: async (key, owner, now, leaseUntil) =>
      (await run(statements.takeOver, [...keyValues(key), owner, now, leaseUntil])).rowCount === 1,
    takeRedelivery: async (key, owner, now, leaseUntil) =>
      (await run(statements.takeRedelivery, [...keyValues(key), owner, now, leaseUntil])).rowCount === 1,
    recordDeliveries: async (keys, delivery) => {
      await run(statements.recordDeliveries, [...columnsOf(keys.map(keyValues), 4), delivery]);
    },
    readReplyBody: async (hash) => {
      const { rows } = await run(statements.readReplyBody, [Buffer.from(hash)]);
      return rows[0] === undefined ? undefined : unpackBody(rows[0]['body'] as Buffer);
    },
    endForeignLeases: async (owner, now) => (await run(statements.endForeignLeases, [owner, now])).rowCount,
    discardBodies: async (before) => (await run(statements.discardBodies, [before])).rowCount,
    listOpen: async (now, limit) => {
      const since = new Date(now.getTime() - openRowsDays * 86_400_000);
      const { rows } = await run(statements.listOpen, [since, now, limit]);
      return rows.map(readPaymentRow);
    },
  };
}

interface Finish extends PaymentKey {
  readonly owner: string;
  readonly transaction: Hex;
  readonly leaseUntil: Date;
}

const claimWidth = 19;
const finishWidth = 7;

/** One array per column, as `unnest` takes them. */
function columnsOf(rows: readonly (readonly unknown[])[], width: number): readonly (readonly unknown[])[] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]));
}

function nameOfRow(row: Readonly<Record<string, unknown>>): string {
  return paymentName(readPaymentKey(row));
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64');

function claimValues(claim: Claim): readonly unknown[] {
  return [
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
    claim.feed.name,
    claim.feed.version,
  ];
}

const isKey = 'network = $1 AND asset = $2 AND payer = $3 AND nonce = $4';

const statements = {
  find: { name: 'payment_find', text: `SELECT * FROM payments WHERE ${isKey}` },
  // The feed's version is read inside the claim: nobody is sold a stale feed. A released row may be claimed anew.
  claim: {
    name: 'payment_claim',
    text: `
      WITH claim AS (
        SELECT input.* FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::bytea[], $7::numeric[],
          $8::bytea[], $9::numeric[], $10::numeric[], $11::bytea[], $12::timestamptz[], $13::text[], $14::timestamptz[],
          $15::bigint[], $16::bytea[], $17::text[], $18::text[], $19::bigint[])
          AS input (network, asset, payer, nonce, operation_id, binding, amount, pay_to, valid_after, valid_before, signature,
            claimed_at, lease_owner, lease_until, from_block, reply_hash, reply_headers, feed, feed_version)
        JOIN feed_versions ON feed_versions.feed = input.feed AND feed_versions.version = input.feed_version),
      body AS (
        INSERT INTO payment_bodies (hash, body, created_at)
        SELECT fresh.hash, fresh.body, (SELECT max(claimed_at) FROM claim)
        FROM unnest($20::bytea[], $21::bytea[]) AS fresh (hash, body)
        WHERE fresh.hash IN (SELECT reply_hash FROM claim)
        ORDER BY fresh.hash
        ON CONFLICT (hash) DO UPDATE SET created_at = excluded.created_at)
      INSERT INTO payments (network, asset, payer, nonce, state, operation_id, binding, amount, pay_to, valid_after,
        valid_before, signature, claimed_at, lease_owner, lease_until, from_block, reply_hash, reply_headers)
      SELECT network, asset, payer, nonce, 'claimed', operation_id, binding, amount, pay_to, valid_after, valid_before,
        signature, claimed_at, lease_owner, lease_until, from_block, reply_hash, reply_headers FROM claim
      ORDER BY network, asset, payer, nonce
      ON CONFLICT (network, asset, payer, nonce) DO UPDATE SET state = 'claimed', operation_id = excluded.operation_id,
        binding = excluded.binding, amount = excluded.amount, pay_to = excluded.pay_to, valid_after = excluded.valid_after,
        valid_before = excluded.valid_before, signature = excluded.signature, claimed_at = excluded.claimed_at,
        lease_owner = excluded.lease_owner, lease_until = excluded.lease_until, from_block = excluded.from_block,
        reply_hash = excluded.reply_hash, reply_headers = excluded.reply_headers, delivery = 'pending', release_reason = NULL
      WHERE payments.state = 'released'
      RETURNING network, asset, payer, nonce`,
  },
  finish: {
    name: 'payment_finish',
    text: `UPDATE payments SET state = 'settled', settle_transaction = done.settle_transaction, settled_at = now(),
        lease_until = done.lease_until
      FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::bytea[], $7::timestamptz[])
        AS done (network, asset, payer, nonce, lease_owner, settle_transaction, lease_until)
      WHERE payments.network = done.network AND payments.asset = done.asset AND payments.payer = done.payer
        AND payments.nonce = done.nonce AND payments.state = 'claimed' AND payments.lease_owner = done.lease_owner
      RETURNING payments.network, payments.asset, payments.payer, payments.nonce`,
  },
  release: {
    name: 'payment_release',
    text: `UPDATE payments SET state = 'released', release_reason = $6 WHERE ${isKey} AND state = 'claimed' AND lease_owner = $5`,
  },
  endLease: {
    name: 'payment_end_lease',
    text: `UPDATE payments SET lease_until = $6 WHERE ${isKey} AND state = 'claimed' AND lease_owner = $5`,
  },
  takeOver: {
    name: 'payment_take_over',
    text: `UPDATE payments SET lease_owner = $5, lease_until = $7 WHERE ${isKey} AND state = 'claimed' AND lease_until <= $6`,
  },
  takeRedelivery: {
    name: 'payment_take_redelivery',
    text: `UPDATE payments SET lease_owner = $5, lease_until = $7, delivery = 'pending' WHERE ${isKey} AND state = 'settled'
      AND (delivery = 'incomplete' OR (delivery = 'pending' AND lease_until <= $6))`,
  },
  // Also while the settlement is not finished here, as when the database was away. What has arrived stays arrived.
  recordDeliveries: {
    name: 'payment_record_deliveries',
    text: `UPDATE payments SET delivery = $5 FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[])
        AS delivered (network, asset, payer, nonce)
      WHERE payments.network = delivered.network AND payments.asset = delivered.asset AND payments.payer = delivered.payer
        AND payments.nonce = delivered.nonce AND payments.state <> 'released'
        AND ($5 = 'completed' OR payments.delivery = 'pending')`,
  },
  readReplyBody: { name: 'payment_read_body', text: 'SELECT body FROM payment_bodies WHERE hash = $1' },
  endForeignLeases: {
    name: 'payment_end_foreign_leases',
    text: 'UPDATE payments SET lease_until = $2 WHERE lease_owner <> $1 AND lease_until > $2',
  },
  discardBodies: {
    name: 'payment_discard_bodies',
    text: `DELETE FROM payment_bodies WHERE created_at < $1
      AND NOT EXISTS (SELECT 1 FROM payments WHERE payments.reply_hash = payment_bodies.hash AND payments.claimed_at >= $1)`,
  },
  listOpen: {
    name: 'payment_list_open',
    text: `SELECT * FROM payments WHERE claimed_at > $1 AND state = 'claimed' AND lease_until <= $2 ORDER BY claimed_at LIMIT $3`,
  },
} as const;
