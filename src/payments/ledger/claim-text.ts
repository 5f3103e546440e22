/**
 * The statement that claims payments. The feed's version is read inside the claim: nobody is sold a stale feed. A
 * released row may be claimed anew. Where replies show leads, no claim wins while another payment holds one of its
 * leads; two that hold one lead in the same moment meet at its key, which stops the statement of the later one.
 */
export function claimText(showsLeads: boolean): string {
  return `
      WITH ${showsLeads ? heldElsewhere : ''} claim AS (
        SELECT input.* FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::bytea[], $7::numeric[],
          $8::bytea[], $9::numeric[], $10::numeric[], $11::bytea[], $12::timestamptz[], $13::text[], $14::timestamptz[],
          $15::bigint[], $16::bytea[], $17::text[], $18::bytea[], $19::bytea[], $20::text[], $21::text[], $22::bigint[], $23::text[])
          ${showsLeads ? 'WITH ORDINALITY' : ''}
          AS input (network, asset, payer, nonce, operation_id, binding, amount, pay_to, valid_after, valid_before, signature,
            claimed_at, lease_owner, lease_until, from_block, reply_hash, reply_headers, payment_id, client_id_hash, chain_instance,
            feed, feed_version, resource${showsLeads ? ', position' : ''})
        JOIN feed_versions ON feed_versions.feed = input.feed AND feed_versions.version = input.feed_version
        WHERE NOT EXISTS (SELECT 1 FROM payments AS other
          WHERE other.payer = input.payer AND other.client_id_hash = input.client_id_hash
            AND (other.network, other.asset, other.nonce) <> (input.network, input.asset, input.nonce))
          ${showsLeads ? 'AND NOT EXISTS (SELECT 1 FROM held_elsewhere WHERE held_elsewhere.position = input.position)' : ''}),
      body AS (
        INSERT INTO payment_bodies (hash, body, created_at)
        SELECT fresh.hash, fresh.body, (SELECT max(claimed_at) FROM claim)
        FROM unnest($24::bytea[], $25::bytea[]) AS fresh (hash, body)
        WHERE fresh.hash IN (SELECT reply_hash FROM claim)
        ORDER BY fresh.hash
        ON CONFLICT (hash) DO UPDATE SET created_at = excluded.created_at)
      ${showsLeads ? `, won AS (${insertClaims}), ${holdLeads} SELECT * FROM won` : insertClaims}`;
}

const insertClaims = `
      INSERT INTO payments (network, asset, payer, nonce, state, operation_id, binding, amount, pay_to, valid_after,
        valid_before, signature, claimed_at, lease_owner, lease_until, from_block, reply_hash, reply_headers,
        payment_id, client_id_hash, chain_instance, resource)
      SELECT network, asset, payer, nonce, 'claimed', operation_id, binding, amount, pay_to, valid_after, valid_before,
        signature, claimed_at, lease_owner, lease_until, from_block, reply_hash, reply_headers,
        payment_id, client_id_hash, chain_instance, resource FROM claim
      ORDER BY network, asset, payer, nonce
      ON CONFLICT (network, asset, payer, nonce) DO UPDATE SET state = 'claimed', operation_id = excluded.operation_id,
        binding = excluded.binding, amount = excluded.amount, pay_to = excluded.pay_to, valid_after = excluded.valid_after,
        valid_before = excluded.valid_before, signature = excluded.signature, claimed_at = excluded.claimed_at,
        lease_owner = excluded.lease_owner, lease_until = excluded.lease_until, from_block = excluded.from_block,
        reply_hash = excluded.reply_hash, reply_headers = excluded.reply_headers, delivery = 'pending', release_reason = NULL,
        client_id_hash = excluded.client_id_hash, chain_instance = excluded.chain_instance,
        resource = excluded.resource
      WHERE payments.state = 'released'
      RETURNING network, asset, payer, nonce`;

/** $26 the claim's place among the claims, from 1; $27 its leads; $29 when it is made. */
const heldElsewhere = `
      held_elsewhere AS (
        SELECT DISTINCT shown.position FROM unnest($26::bigint[], $27::uuid[], $29::timestamptz[])
          AS shown (position, lead_id, claimed_at)
        JOIN lead_holds ON lead_holds.lead_id = shown.lead_id AND lead_holds.held_until > shown.claimed_at),`;

/** $28 until when a lead is exclusive, null where it is not. */
const holdLeads = `
      held AS (
        INSERT INTO lead_holds (lead_id, round, held_at, held_until, network, asset, payer, nonce)
        SELECT shown.lead_id, 1 + coalesce((SELECT max(earlier.round) FROM lead_holds AS earlier
            WHERE earlier.lead_id = shown.lead_id), 0), claim.claimed_at, shown.held_until, claim.network, claim.asset,
          claim.payer, claim.nonce
        FROM unnest($26::bigint[], $27::uuid[], $28::timestamptz[]) AS shown (position, lead_id, held_until)
        JOIN claim ON claim.position = shown.position
        JOIN won ON (won.network, won.asset, won.payer, won.nonce) = (claim.network, claim.asset, claim.payer, claim.nonce)
        WHERE shown.held_until IS NOT NULL
        -- Two statements that hold the same leads take them in one order.
        ORDER BY shown.lead_id)`;
