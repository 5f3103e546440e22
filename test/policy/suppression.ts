import type { Knex } from 'knex';
import { createSuppressionList, type SuppressionList } from '../../src/policy/suppression-list.js';
import { createSuppressionStore } from '../../src/policy/suppression-store.js';

/** The suppression list over a test's database. */
export function openSuppression(knex: Knex, secret = 'a secret of the tests'): SuppressionList {
  return createSuppressionList(createSuppressionStore(knex), secret);
}
