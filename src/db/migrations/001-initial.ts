import type { Knex } from 'knex';
import { feedsTables } from './001-feeds.js';
import { paymentsTables } from './001-payments.js';
import { sourcesTables } from './001-sources.js';

/** Every table of 1.0.0. Before that release, edit the schema here. */
export const initialSchema = [sourcesTables, feedsTables, paymentsTables].join('\n');

export async function up(knex: Knex): Promise<void> {
  await knex.raw(initialSchema);
}
