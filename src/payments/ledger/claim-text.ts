import {
  failuresAllowed,
  failuresCountMs,
  gasMs,
  inFlightMs,
  knownPayerMs,
  leaseMs,
  newcomerMs,
  newcomersAllowed,
  newcomersCountMs,
  youngMs,
} from './ledger.js';

/**
 * The statement that claims payments. The feed's version is read inside the claim: nobody is sold a stale feed. A
 * released row may be claimed anew, unless its transfer failed on the chain; a rebuilt row once. What failed transfers
 * burn is bounded, for each payer and in all, and what is in flight counts against its payer's balance
 * (docs/decisions/payments.md). Where replies show leads, no claim wins while another payment holds one of its leads;
 * two that hold one lead in the same moment meet at its key, which stops the later statement. No claim wins without the
 * body of its reply.
 */
export function claimText(showsLeads: boolean): string {
  return `
      WITH ${showsLeads ? heldElsewhere : ''} claim AS (
        SELECT input.*, standing.is_newcomer, NOT standing.is_newcomer AND standing.is_calm AS may_share FROM (SELECT *,
            sum(CASE WHEN is_paid THEN 0 ELSE amount END) OVER (PARTITION BY network, asset, payer ORDER BY position) AS wanted,
            sum(CASE WHEN is_paid THEN 0 ELSE payer_gas END) OVER (ORDER BY position) AS gas_wanted
          FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::bytea[], $7::numeric[],
            $8::bytea[], $9::numeric[], $10::numeric[], $11::bytea[], $12::text[], $13::timestamptz[], $14::bytea[],
            $15::text[], $16::bytea[], $17::bytea[], $18::text[], $19::text[], $20::bigint[], $21::boolean[], $22::bigint[],
            $23::text[], $24::numeric[], $25::bigint[], $26::bigint[]) WITH ORDINALITY
          AS asked (network, asset, payer, nonce, operation_id, binding, amount, pay_to, valid_after, valid_before, signature,
            lease_owner, search_from, reply_hash, reply_headers, payment_id, client_id_hash, chain_instance,
            feed, feed_version, is_paid, payer_gas, resource, balance, seen_block, gas_budget, position)) AS input
        JOIN feed_versions ON feed_versions.feed = input.feed AND feed_versions.version = input.feed_version
        ${standing}
        WHERE NOT EXISTS (SELECT 1 FROM payments AS other
          WHERE other.payer = input.payer AND other.client_id_hash = input.client_id_hash
            AND (other.network, other.asset, other.nonce) <> (input.network, input.asset, input.nonce))
          AND (input.is_paid OR ${isWithinBudget} AND ${isCovered})
          AND (input.reply_hash = ANY ($27::bytea[]) OR EXISTS (
            SELECT 1 FROM payment_bodies AS kept WHERE kept.hash = input.reply_hash))
          ${showsLeads ? 'AND NOT EXISTS (SELECT 1 FROM held_elsewhere WHERE held_elsewhere.position = input.position)' : ''}),
      body AS (
        INSERT INTO payment_bodies (hash, body, created_at)
        SELECT fresh.hash, fresh.body, now() FROM unnest($27::bytea[], $28::bytea[]) AS fresh (hash, body)
        WHERE fresh.hash IN (SELECT reply_hash FROM claim)
        ORDER BY fresh.hash
        ON CONFLICT (hash) DO UPDATE SET created_at = excluded.created_at,
          body = coalesce(payment_bodies.body, excluded.body))
      , won AS (${insertClaims})${showsLeads ? `, ${holdLeads}` : ''}
      SELECT won.*, claim.may_share FROM won JOIN claim USING (network, asset, payer, nonce)`;
}

/**
 * Spelled so that no index serves it: the index of payers and times is meant, and the one of keys would read all that
 * the payer has ever paid.
 */
const isSameToken = (table: string): string =>
  `${table}.network IS NOT DISTINCT FROM input.network AND ${table}.asset IS NOT DISTINCT FROM input.asset`;

/** By the database's clock. */
export const ago = (ms: number): string => `now() - interval '${ms} milliseconds'`;

/** As programs read it: they page by it. */
const claimedNow = `date_trunc('milliseconds', now())`;

/** What is known of a payer, and what failed transfers have burned. */
const standing = `
        CROSS JOIN LATERAL (SELECT
          NOT EXISTS (SELECT 1 FROM payments AS known
            WHERE known.payer = input.payer AND known.claimed_at < ${ago(newcomerMs)}
              AND ${isSameToken('known')}
              AND known.state = 'settled' AND known.settled_at > ${ago(knownPayerMs)}
              AND known.settled_at < ${ago(newcomerMs)}) AS is_newcomer,
          (SELECT count(*) FROM payments AS failed
            WHERE failed.payer = input.payer AND failed.failed_at > ${ago(failuresCountMs)}) AS failures,
          burned.gas AS burned, burned.is_calm
          FROM (SELECT coalesce(sum(failed.failed_gas), 0) AS gas, coalesce(bool_and(NOT failed.burned_shared), true) AS is_calm
            FROM payments AS failed WHERE failed.failed_at > ${ago(gasMs)}) AS burned) AS standing`;

/**
 * Of payers with code what is in flight counts as burned; a minute grants some newcomers without code in any case. The
 * claims before one in the same statement count as well, whatever comes of them.
 */
const isWithinBudget = `CASE WHEN input.payer_gas IS NULL
            THEN standing.failures < ${failuresAllowed.withoutCode}
              AND (NOT standing.is_newcomer OR standing.burned <= input.gas_budget OR ${newcomersAllowed} - input.position >= (
                SELECT count(*) FROM (SELECT 1 FROM payments AS fresh
                  WHERE fresh.is_newcomer AND fresh.claimed_at > ${ago(newcomersCountMs)}
                  ORDER BY fresh.claimed_at DESC LIMIT ${newcomersAllowed}) AS newest))
            ELSE standing.failures < ${failuresAllowed.withCode}
              AND standing.burned + input.gas_wanted <= input.gas_budget - (
                SELECT coalesce(sum(flying.payer_gas), 0) FROM payments AS flying
                WHERE flying.payer_gas IS NOT NULL AND flying.state = 'claimed'
                  AND flying.claimed_at > ${ago(gasMs)})
            END`;

/** The claim of a payer whose transfer is proven on the chain. */
const isPaidClaim = `EXISTS (SELECT 1 FROM claim AS paid WHERE paid.is_paid AND (paid.network, paid.asset, paid.payer, paid.nonce)
          = (payments.network, payments.asset, payments.payer, payments.nonce))`;

/** A rebuilt row is sold once, unless its money went back: a claim that wins gives it a binding. */
const isRebuiltUnsold = `payments.state = 'settled' AND payments.binding IS NULL AND payments.delivery <> 'refunded'
        AND ${isPaidClaim}`;

/**
 * The payments of the claim `input` that may not be missing yet from what its payer was seen to hold. None that is in
 * flight is older than the longest window.
 */
export const isInFlight = `flying.payer = input.payer AND flying.claimed_at > ${ago(inFlightMs)}
          AND ${isSameToken('flying')}
          AND (flying.state = 'settled' AND flying.settle_block > input.seen_block
            OR flying.state = 'claimed' AND (flying.lease_until > now()
              OR flying.claimed_at > ${ago(youngMs)}))`;

/** By the payer's funds: also all that it has in flight, and its claims before this one in the same statement. */
const isCovered = `(input.balance IS NULL OR input.wanted <= input.balance - (
            SELECT coalesce(sum(flying.amount), 0) FROM payments AS flying WHERE ${isInFlight}))`;

const insertClaims = `
      INSERT INTO payments (network, asset, payer, nonce, state, operation_id, binding, amount, pay_to, valid_after,
        valid_before, signature, claimed_at, lease_owner, lease_until, search_from, reply_hash, reply_headers,
        payment_id, client_id_hash, chain_instance, is_newcomer, payer_gas, resource)
      SELECT network, asset, payer, nonce, 'claimed', operation_id, binding, amount, pay_to, valid_after, valid_before,
        signature, ${claimedNow}, lease_owner, now() + interval '${leaseMs} milliseconds', search_from, reply_hash,
        reply_headers, payment_id, client_id_hash, chain_instance, is_newcomer, payer_gas, resource FROM claim
      ORDER BY network, asset, payer, nonce
      ON CONFLICT (network, asset, payer, nonce) DO UPDATE SET state = 'claimed', operation_id = excluded.operation_id,
        binding = excluded.binding, amount = excluded.amount, pay_to = excluded.pay_to, valid_after = excluded.valid_after,
        valid_before = excluded.valid_before, signature = excluded.signature, claimed_at = excluded.claimed_at,
        lease_owner = excluded.lease_owner, lease_until = excluded.lease_until, search_from = excluded.search_from,
        reply_hash = excluded.reply_hash, reply_headers = excluded.reply_headers, delivery = 'pending', release_reason = NULL,
        client_id_hash = excluded.client_id_hash, chain_instance = excluded.chain_instance,
        is_newcomer = excluded.is_newcomer, payer_gas = excluded.payer_gas, resource = excluded.resource,
        settle_transaction = NULL, settle_block = NULL, settled_at = NULL
      WHERE payments.state = 'released' AND (payments.failed_at IS NULL OR ${isPaidClaim}) OR ${isRebuiltUnsold}
      RETURNING network, asset, payer, nonce, claimed_at`;

/** $29 the claim's place among the claims, from 1; $30 its leads. */
const heldElsewhere = `
      held_elsewhere AS (
        SELECT DISTINCT shown.position FROM unnest($29::bigint[], $30::uuid[]) AS shown (position, lead_id)
        JOIN lead_holds ON lead_holds.lead_id = shown.lead_id AND lead_holds.held_until > now()),`;

/** $31 until when a lead is exclusive, null where it is not. */
const holdLeads = `
      held AS (
        INSERT INTO lead_holds (lead_id, round, held_at, held_until, network, asset, payer, nonce)
        SELECT shown.lead_id, 1 + coalesce((SELECT max(earlier.round) FROM lead_holds AS earlier
            WHERE earlier.lead_id = shown.lead_id), 0), now(), shown.held_until, claim.network, claim.asset, claim.payer,
          claim.nonce
        FROM unnest($29::bigint[], $30::uuid[], $31::timestamptz[]) AS shown (position, lead_id, held_until)
        JOIN claim ON claim.position = shown.position
        JOIN won ON (won.network, won.asset, won.payer, won.nonce) = (claim.network, claim.asset, claim.payer, claim.nonce)
        WHERE shown.held_until IS NOT NULL
        -- Two statements that hold the same leads take them in one order.
        ORDER BY shown.lead_id)`;
