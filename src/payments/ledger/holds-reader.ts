import type { Knex } from 'knex';

/** What may not be sold to one buyer alone now, by the database's clock. */
export interface HeldFromSale {
  /** The leads that payments hold. One that several hold is held as long as any of them. */
  readonly leadIds: readonly string[];
  /**
   * A restored ledger may have sold any lead that was first seen before then to one buyer, for as long as that sale may
   * last; undefined where it has lost no such sale. Source: docs/decisions/payments.md.
   */
  readonly exclusiveFrom: Date | undefined;
}

/** The rebuilt sale of a lead to one buyer, and nobody knows of which. It has bought nothing since. */
export const isExclusivityUnknown = `rebuilt_at IS NOT NULL AND binding IS NULL AND operation_id = 'buyExclusiveLead'
  AND delivery <> 'refunded'`;

/** Creates the question what is held now. */
export function createHoldsReader(knex: Knex): () => Promise<HeldFromSale> {
  return async () => {
    const { rows } = await knex.raw<{ rows: { held: readonly string[]; exclusive_from: Date | null }[] }>(selectHeld);
    const [row] = rows;
    return { leadIds: row?.held ?? [], exclusiveFrom: row?.exclusive_from ?? undefined };
  };
}

/**
 * Each source is read daily: what was published in the lost time has been seen again two days later. A sale to one
 * buyer lasts 30 days.
 */
const selectHeld = `
  SELECT ARRAY(SELECT DISTINCT CAST(lead_id AS text) FROM lead_holds WHERE held_until > now()) AS held,
    interval '2 days' + greatest((SELECT max(restored_at) FROM ledger_restores),
      (SELECT max(rebuilt_at) FROM payments WHERE ${isExclusivityUnknown} AND settled_at > now() - interval '30 days'))
      AS exclusive_from`;
