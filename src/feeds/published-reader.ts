import type { Knex } from 'knex';

/** Whether a feed was ever published, here or elsewhere. */
export async function isPublished({ knex }: { readonly knex: Knex }, feed: string): Promise<boolean> {
  const row = await knex('feed_versions').where({ feed }).first<{ readonly version: string } | undefined>('version');
  return Number(row?.version ?? 0) > 0;
}
