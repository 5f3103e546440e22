import type { Knex } from 'knex';
import { concatBytes } from '../contract/rendered.js';
import { runNamed, type NamedStatement } from '../db/run-named.js';
import { packBody, unpackBody } from './packed-body.js';
import { fromHex, keyValues, readPaymentRow } from './payment-row.js';
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

  async function claim(claim: Claim): Promise<ClaimResult> {
    const hash = Buffer.from(claim.replyHash);
    const storedAt = storedBodies.get(hash.toString('base64')) ?? -Infinity;
    const isStored = claim.claimedAt.getTime() - storedAt < storedBodyMs;
    const body = isStored ? null : await packBody(concatBytes(claim.replyBody));
    const { rows } = await run(statements.claim, [...keyValues(claim), ...claimValues(claim, hash), body]);
    const result = rows[0];
    if (result === undefined || Number(result['version']) !== claim.feed.version) return { kind: 'feed_moved' };
    if (result['claimed'] === true) {
      if (storedBodies.size > 10_000) storedBodies.clear();
      if (!isStored) storedBodies.set(hash.toString('base64'), claim.claimedAt.getTime());
      return { kind: 'claimed' };
    }
    const row = await find(claim);
    return row === undefined ? { kind: 'feed_moved' } : { kind: 'known', row };
  }

  return {
    find,
    claim,
    finish: async (key, owner, transaction, leaseUntil) =>
      (await run(statements.finish, [...keyValues(key), owner, fromHex(transaction), leaseUntil])).rowCount === 1,
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
      const columns = keys.map(keyValues);
      const arrays = [0, 1, 2, 3].map((index) => columns.map((values) => values[index]));
      await run(statements.recordDeliveries, [...arrays, delivery]);
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

function claimValues(claim: Claim, hash: Buffer): readonly unknown[] {
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
    hash,
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
      WITH feed AS (SELECT version FROM feed_versions WHERE feed = $18),
      body AS (
        INSERT INTO payment_bodies (hash, body, created_at)
        SELECT $16, $20::bytea, $12 FROM feed WHERE version = $19 AND $20::bytea IS NOT NULL
        ON CONFLICT (hash) DO UPDATE SET created_at = excluded.created_at),
      claimed AS (
        INSERT INTO payments (network, asset, payer, nonce, state, operation_id, binding, amount, pay_to, valid_after,
          valid_before, signature, claimed_at, lease_owner, lease_until, from_block, reply_hash, reply_headers)
        SELECT $1, $2, $3, $4, 'claimed', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17
        FROM feed WHERE version = $19
        ON CONFLICT (network, asset, payer, nonce) DO UPDATE SET state = 'claimed', operation_id = excluded.operation_id,
          binding = excluded.binding, claimed_at = excluded.claimed_at, lease_owner = excluded.lease_owner,
          lease_until = excluded.lease_until, from_block = excluded.from_block, reply_hash = excluded.reply_hash,
          reply_headers = excluded.reply_headers, delivery = 'pending', release_reason = NULL
        WHERE payments.state = 'released'
        RETURNING 1)
      SELECT feed.version, EXISTS (SELECT 1 FROM claimed) AS claimed FROM feed`,
  },
  finish: {
    name: 'payment_finish',
    text: `UPDATE payments SET state = 'settled', settle_transaction = $6, settled_at = now(), lease_until = $7
      WHERE ${isKey} AND state = 'claimed' AND lease_owner = $5`,
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
  recordDeliveries: {
    name: 'payment_record_deliveries',
    text: `UPDATE payments SET delivery = $5 FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[])
        AS delivered (network, asset, payer, nonce)
      WHERE payments.network = delivered.network AND payments.asset = delivered.asset AND payments.payer = delivered.payer
        AND payments.nonce = delivered.nonce AND payments.state = 'settled'`,
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
