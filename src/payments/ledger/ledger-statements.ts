import { ago, claimText, isInFlight } from './claim-text.js';
import { failuresCountMs, gasMs, leaseMs, openMs } from './ledger.js';

const isKey = 'network = $1 AND asset = $2 AND payer = $3 AND nonce = $4';

/** What was sold before a suppression is sent for a day after it. Source: docs/decisions/policy.md. */
const isLongSuppressed = `suppressed_at <= now() - interval '24 hours'`;

/** Whether a lease lasts is told with each row: no clock but the database's decides it. */
const row = 'payments.*, lease_until > now() AS is_leased';

/** After so many milliseconds, by the database's clock. */
const after = (ms: string): string => `now() + ${ms}::float * interval '1 millisecond'`;
const leaseEnd = after(`${leaseMs}`);

/** Every statement of the ledger, named, so that each connection parses it once. */
export const statements = {
  find: { name: 'payment_find', text: `SELECT ${row} FROM payments WHERE ${isKey}` },
  findById: {
    name: 'payment_find_by_id',
    text: `SELECT ${row}, now() AS read_at, EXISTS (SELECT 1 FROM payment_bodies WHERE hash = payments.reply_hash) AS reply_kept
      FROM payments WHERE payment_id = $1`,
  },
  claim: { name: 'payment_claim', text: claimText(false) },
  claimLeads: { name: 'payment_claim_leads', text: claimText(true) },
  finish: {
    name: 'payment_finish',
    text: `UPDATE payments SET state = 'settled', settle_transaction = done.settle_transaction,
        settle_block = done.settle_block, settled_at = now(), fee_gwei = done.fee_gwei,
        lease_until = ${after('done.lease_ms')}
      FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::bytea[], $7::bigint[], $8::float[],
          $9::bigint[]) AS done (network, asset, payer, nonce, lease_owner, settle_transaction, settle_block, lease_ms, fee_gwei)
      WHERE payments.network = done.network AND payments.asset = done.asset AND payments.payer = done.payer
        AND payments.nonce = done.nonce AND payments.state = 'claimed' AND payments.lease_owner = done.lease_owner
      RETURNING payments.network, payments.asset, payments.payer, payments.nonce`,
  },
  // A lead that the payment held is back in the pool.
  release: {
    name: 'payment_release',
    text: `WITH released AS (
        UPDATE payments SET state = 'released', release_reason = $6, client_id_hash = NULL,
          failed_at = CASE WHEN $7::bigint IS NULL THEN failed_at ELSE now() END,
          failed_gas = coalesce(failed_gas + $7, $7, failed_gas), burned_shared = burned_shared OR $8
        WHERE ${isKey} AND state = 'claimed' AND lease_owner = $5 RETURNING network, asset, payer, nonce),
      freed AS (DELETE FROM lead_holds USING released
        WHERE (lead_holds.network, lead_holds.asset, lead_holds.payer, lead_holds.nonce)
          = (released.network, released.asset, released.payer, released.nonce))
      SELECT 1 FROM released`,
  },
  findFailures: {
    name: 'payment_find_failures',
    text: `SELECT failed_at FROM payments WHERE payer = $1 AND failed_at > ${ago(failuresCountMs)} ORDER BY failed_at DESC LIMIT $2`,
  },
  sumBurned: {
    name: 'payment_sum_burned',
    text: `SELECT (SELECT coalesce(sum(failed_gas), 0) FROM payments WHERE failed_at > ${ago(gasMs)}) AS burned,
      (SELECT coalesce(sum(payer_gas), 0) FROM payments
        WHERE payer_gas IS NOT NULL AND state = 'claimed' AND claimed_at > ${ago(gasMs)}) AS flying`,
  },
  listInFlight: {
    name: 'payment_list_in_flight',
    text: `SELECT flying.nonce, flying.amount, flying.state = 'claimed' AS is_open
      FROM (SELECT $1::text AS network, $2::bytea AS asset, $3::bytea AS payer, $4::bigint AS seen_block)
        AS input JOIN payments AS flying ON ${isInFlight}`,
  },
  findClientId: {
    name: 'payment_find_client_id',
    text: `SELECT 1 FROM payments WHERE payer = $3 AND client_id_hash = $5
      AND (network, asset, nonce) <> ($1, $2, $4)`,
  },
  endLease: {
    name: 'payment_end_lease',
    text: `UPDATE payments SET lease_until = now() WHERE ${isKey} AND state = 'claimed' AND lease_owner = $5`,
  },
  takeOver: {
    name: 'payment_take_over',
    text: `UPDATE payments SET lease_owner = $5, lease_until = ${after('$6')}
      WHERE ${isKey} AND state = 'claimed' AND lease_until <= now()`,
  },
  takeRedelivery: {
    name: 'payment_take_redelivery',
    text: `UPDATE payments SET lease_owner = $5, lease_until = ${leaseEnd}, delivery = 'pending' WHERE ${isKey} AND state = 'settled'
      AND (delivery = 'incomplete' OR (delivery = 'pending' AND lease_until <= now()))`,
  },
  // Also while the settlement is not finished here, as when the database was away. What has arrived stays arrived.
  recordDeliveries: {
    name: 'payment_record_deliveries',
    text: `UPDATE payments SET delivery = $5 FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[])
        AS delivered (network, asset, payer, nonce)
      WHERE payments.network = delivered.network AND payments.asset = delivered.asset AND payments.payer = delivered.payer
        AND payments.nonce = delivered.nonce AND payments.state <> 'released'
        AND (payments.delivery = 'pending' OR $5 = 'completed' AND payments.delivery <> 'refunded')`,
  },
  readReplyBody: {
    name: 'payment_read_body',
    text: `SELECT body, EXISTS (SELECT 1 FROM suppressed_records WHERE ${isLongSuppressed}) AS may_be_suppressed
      FROM payment_bodies WHERE hash = $1`,
  },
  findSuppressed: {
    name: 'payment_find_suppressed',
    text: `SELECT 1 FROM suppressed_records WHERE id = ANY($1::uuid[]) AND ${isLongSuppressed} LIMIT 1`,
  },
  emptyBody: { name: 'payment_empty_body', text: 'UPDATE payment_bodies SET body = NULL WHERE hash = $1' },
  // Nothing shows a record long after its suppression.
  listOldBodies: {
    name: 'payment_list_old_bodies',
    text: `SELECT hash FROM payment_bodies WHERE hash > $1 AND body IS NOT NULL AND created_at <= (
        SELECT max(suppressed_at) + interval '1 hour' FROM suppressed_records WHERE ${isLongSuppressed})
      ORDER BY hash LIMIT 1000`,
  },
  endForeignLeases: {
    name: 'payment_end_foreign_leases',
    text: 'UPDATE payments SET lease_until = now() WHERE lease_owner <> $1 AND lease_until > now()',
  },
  discardBodies: {
    name: 'payment_discard_bodies',
    text: `DELETE FROM payment_bodies WHERE created_at < ${after('-$1')}
      AND NOT EXISTS (SELECT 1 FROM payments WHERE payments.reply_hash = payment_bodies.hash
        AND (payments.claimed_at >= ${after('-$1')} OR payments.state = 'claimed'
          OR (payments.state = 'settled' AND payments.delivery NOT IN ('completed', 'refunded'))))`,
  },
  listOpen: {
    name: 'payment_list_open',
    text: `SELECT ${row} FROM payments WHERE claimed_at > ${ago(openMs)} AND state = 'claimed' AND lease_until <= now()
      ORDER BY claimed_at LIMIT $1`,
  },
  listSettled: {
    name: 'payment_list_settled',
    text: `SELECT ${row} FROM payments WHERE claimed_at >= $1 AND state = 'settled'
        AND (settle_block > $2 OR settled_at > ${after('-$3')})
      ORDER BY claimed_at LIMIT $4`,
  },
  bookReorg: {
    name: 'payment_book_reorg',
    text: `UPDATE payments SET state = 'claimed', lease_owner = $6, lease_until = now(), reorged_at = now(),
        reorged_transaction = settle_transaction, settle_transaction = NULL, settle_block = NULL, settled_at = NULL
      WHERE ${isKey} AND state = 'settled' AND settle_transaction = $5`,
  },
  moveSettlement: {
    name: 'payment_move_settlement',
    text: `UPDATE payments SET settle_transaction = $6, settle_block = $7
      WHERE ${isKey} AND state = 'settled' AND settle_transaction = $5`,
  },
} as const;
