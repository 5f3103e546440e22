import type { Knex } from 'knex';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { toHex } from '../../../src/payments/ledger/payment-row.js';

/** A payment, or a hold, or both where they belong together. */
export interface Sale {
  readonly nonce: Hex;
  readonly state: string | null;
  readonly claimedAt: Date | null;
  readonly leadId: string | null;
  readonly heldUntil: Date | null;
}

/** All payments of since then, with the leads that they hold. */
export async function readSales(knex: Knex, since: Date): Promise<readonly Sale[]> {
  const { rows } = await knex.raw<{ rows: Record<string, unknown>[] }>(
    `
    SELECT coalesce(p.nonce, h.nonce) AS nonce, p.state, p.claimed_at, h.lead_id, h.held_until
    FROM payments AS p FULL JOIN lead_holds AS h USING (network, asset, payer, nonce)
    WHERE coalesce(p.claimed_at, h.held_at) >= ?
    ORDER BY p.claimed_at`,
    [since],
  );
  return rows.map((row) => ({
    nonce: toHex(row['nonce']),
    state: row['state'] as string | null,
    claimedAt: row['claimed_at'] as Date | null,
    leadId: row['lead_id'] as string | null,
    heldUntil: row['held_until'] as Date | null,
  }));
}

/**
 * What must never be so, at whatever moment one looks: a hold without its payment, a payment without its hold, two at
 * once.
 */
export function findFaults(sales: readonly Sale[]): string[] {
  const faults: string[] = [];
  const heldUntil = new Map<string, Date>();
  for (const { nonce, state, claimedAt, leadId, heldUntil: until } of sales) {
    if ((state === 'claimed' || state === 'settled') !== (leadId !== null))
      faults.push(`${nonce} is ${state}, and holds ${leadId}`);
    if (leadId === null || until === null || claimedAt === null) continue;
    const before = heldUntil.get(leadId);
    if (before !== undefined && before > claimedAt)
      faults.push(`${leadId} is held twice at ${claimedAt.toISOString()}`);
    heldUntil.set(leadId, until);
  }
  return faults;
}
