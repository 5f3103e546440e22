import type { Knex } from 'knex';

/** Whether a feed was ever published, here or elsewhere, if with no record at all. */
export async function isPublished({ knex }: { readonly knex: Knex }, feed: string): Promise<boolean> {
  const row = await knex('feed_versions').where({ feed }).whereNotNull('complete_as_of').first<object | undefined>();
  return row !== undefined;
}
