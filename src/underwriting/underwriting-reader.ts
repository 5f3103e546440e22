import type { Knex } from 'knex';

/** When all listings on offer were last underwritten, and on which assumptions (`nameOfAssumptions`). */
export interface UnderwrittenAll {
  readonly assumptions: string;
  readonly at: Date;
}

/** Undefined before the first time. Some listings may have been underwritten since. */
export async function readUnderwritten(knex: Knex): Promise<UnderwrittenAll | undefined> {
  return knex<UnderwrittenAll>('underwritten').first('assumptions', 'at');
}
