import type { Knex } from 'knex';

/** Whether the licence of a configured source has ended after one moment and at or before another. */
export async function hasLicenceEnded(knex: Knex, after: Date, upTo: Date): Promise<boolean> {
  const ended = await knex('sources')
    .where({ configured: true })
    .where('expires_at', '>', after)
    .where('expires_at', '<=', upTo)
    .first('name');
  return ended !== undefined;
}
