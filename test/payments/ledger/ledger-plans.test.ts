import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import type { Database } from '../../../src/db/database.js';
import { statements } from '../../../src/payments/ledger/ledger-statements.js';
import { openTestDatabase } from '../../support/database.js';

const key = `'n', '\\x01', '\\x02', '\\x03'`;
const keys = `ARRAY['n'], ARRAY['\\x01'::bytea], ARRAY['\\x02'::bytea], ARRAY['\\x03'::bytea]`;
const now = 'ARRAY[now()]';
const bytes = `ARRAY['\\x04'::bytea]`;
const [text, number] = [`ARRAY['t']`, 'ARRAY[1]'];
const claim = [
  ...[keys, text, bytes, number, bytes, number, number, bytes, text, now, bytes, text, bytes, bytes, text],
  ...[text, number, 'ARRAY[false]', 'ARRAY[NULL::bigint]', text, number, number, number, bytes, bytes],
].join(', ');

/** Each statement that is asked while somebody waits, with what it is given. */
const asked: readonly [keyof typeof statements, string][] = [
  ['find', key],
  ['findClientId', `${key}, '\\x05'`],
  ['finish', `${keys}, ARRAY['o'], ARRAY['\\x04'::bytea], ARRAY[1], ARRAY[60000], ARRAY[NULL]::bigint[]`],
  ['recordDeliveries', `${keys}, 'completed'`],
  ['takeOver', `${key}, 'o', 60000`],
  ['release', `${key}, 'o', 'expired', NULL, false`],
  ['findFailures', `'\\x02', 2`],
  ['listInFlight', `'n', '\\x01', '\\x02', 1`],
  ['claim', claim],
];

const indexes: Partial<Record<keyof typeof statements, string>> = {
  findClientId: 'payments_client_id',
  findFailures: 'payments_failed',
  listInFlight: 'payments_payer',
  claim: 'payments_payer',
};

describe('a statement of the ledger that was first asked when nobody had paid yet', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  for (const [name, values] of asked) {
    it(`reads no more than its own payment when there are thousands, all of one payer: ${name}`, async () => {
      // What a connection has planned is known to that connection.
      const plan = await database.knex.transaction(async (trx) => {
        await run(trx, `PREPARE asked AS ${statements[name].text}`);
        // After five times the database may keep a plan for good.
        for (let time = 0; time < 8; time++) await run(trx, `EXECUTE asked(${values})`);
        await run(trx, insertPayments);
        const { rows } = await run(trx, `EXPLAIN EXECUTE asked(${values})`);
        await run(trx, 'DEALLOCATE asked');
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      const index = indexes[name] ?? 'payments_pkey';
      assert.match(plan, new RegExp(`(using|on) ${index}( |$)`, 'm'));
      assert.doesNotMatch(plan, /Seq Scan on payments/);
      // By its key without the nonce a statement would read all that the payer has ever paid.
      assert.doesNotMatch(plan, /Index Cond: (?!.*nonce).*network = /);
    });
  }
});

/** Not through knex, which would take question marks and colons for its own. */
function run(trx: Knex, sql: string): Promise<{ rows: Record<string, string>[] }> {
  return trx.raw(sql.replaceAll('?', '\\?')) as unknown as Promise<{ rows: Record<string, string>[] }>;
}

const insertPayments = `
  INSERT INTO payments (network, asset, payer, nonce, state, operation_id, binding, amount, pay_to, valid_after, valid_before,
    signature, claimed_at, lease_owner, lease_until, search_from, settle_transaction, settled_at, delivery, reply_hash,
    reply_headers, payment_id, is_newcomer)
  SELECT 'n', '\\x01', '\\x02', decode(lpad(to_hex(number), 64, '0'), 'hex'), 'settled', 'listDeals', '\\x01', 1, '\\x01', 0, 1,
    '\\x01', now(), 'o', now(), now(), '\\x04', now(), 'completed', '\\x06', '{}', decode(lpad(to_hex(number), 64, '0'), 'hex'), false
  FROM generate_series(1, 5000) AS number`;
