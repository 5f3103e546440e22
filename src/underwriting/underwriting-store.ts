import type { Knex } from 'knex';
import type { UnderwrittenAll } from './underwriting-reader.js';

/** Notes that all listings on offer were underwritten, in place of the note before. */
export async function noteUnderwritten(knex: Knex, { assumptions, at }: UnderwrittenAll): Promise<void> {
  await knex('underwritten').insert({ assumptions, at }).onConflict('single').merge();
}
