import type { Knex } from 'knex';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { fromHex } from '../../../src/payments/ledger/payment-row.js';

/** Gives a relayer's key to an owner, until the end of the test or for so many seconds from now. */
export async function holdKey(
  knex: Knex,
  key: { readonly chain: string; readonly relayer: Hex; readonly owner: string; readonly seconds?: number },
): Promise<void> {
  const { chain, relayer, owner, seconds } = key;
  const until = seconds === undefined ? 'infinity' : knex.raw("now() + ? * interval '1 second'", [seconds]);
  const row = { chain, relayer: fromHex(relayer), owner, lease_until: until };
  await knex('relayer_leases').insert(row).onConflict(['chain', 'relayer']).merge();
}
