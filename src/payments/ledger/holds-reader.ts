import type { Knex } from 'knex';

/** A lead that a payment holds, and until when it is nobody else's. */
export interface LeadHold {
  readonly leadId: string;
  readonly until: Date;
}

/**
 * Creates the question which leads are held at a moment. One that several payments hold is held as long as any of them.
 */
export function createHoldsReader(knex: Knex): (now: Date) => Promise<readonly LeadHold[]> {
  return async (now) => {
    const rows = await knex('lead_holds')
      .where('held_until', '>', now)
      .groupBy('lead_id')
      .select<{ lead_id: string; held_until: Date }[]>('lead_id', knex.raw('max(held_until) as held_until'));
    return rows.map(({ lead_id: leadId, held_until: until }) => ({ leadId, until }));
  };
}
