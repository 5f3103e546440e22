import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { createHoldsReader } from '../../../src/payments/ledger/holds-reader.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { extendHolds } from '../../../src/payments/ledger/holds-store.js';
import { openTestDatabase } from '../../support/database.js';
import type { Database } from '../../../src/db/database.js';

const now = new Date();
const dayMs = 86_400_000;
const inDays = (days: number): Date => new Date(now.getTime() + days * dayMs);

describe('holds of leads whose record got another id', () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => database.knex('lead_holds').delete());
  after(() => database.close());

  const hold = (leadId: string, round: number, until: Date) =>
    database.knex('lead_holds').insert({
      lead_id: leadId,
      round,
      held_at: new Date(until.getTime() - 30 * dayMs),
      held_until: until,
      network: 'test',
      asset: randomBytes(20),
      payer: randomBytes(20),
      nonce: randomBytes(32),
    });
  const holdsOf = async (leadId: string) => {
    const rows = await database.knex('lead_holds').where({ lead_id: leadId }).orderBy('round');
    return rows.map((row: { round: number; held_until: Date }) => [row.round, row.held_until]);
  };
  const follow = (former: readonly string[], current: string) =>
    inTransaction(database.knex, (transaction) =>
      extendHolds(transaction, async (ids) =>
        ids.filter((id) => former.includes(id)).map((id) => ({ former: id, current })),
      ),
    );

  it('are all kept where two of them come to one lead, in the order in which they were sold', async () => {
    const [one, other, current] = [randomUUID(), randomUUID(), randomUUID()];
    await hold(one, 1, inDays(20));
    await hold(other, 1, inDays(10));
    await follow([one, other], current);
    assert.deepEqual(await holdsOf(current), [
      [1, inDays(10)],
      [2, inDays(20)],
    ]);
    assert.deepEqual(await holdsOf(one), [[1, inDays(20)]], 'the former id may be a record again');
    await follow([one, other], current);
    assert.equal((await holdsOf(current)).length, 2, 'once each');
  });

  it('hold the lead that they come to until the last of them is over', async () => {
    const current = randomUUID();
    await hold(current, 2, inDays(20));
    await hold(current, 1, inDays(10));
    const { leadIds } = await createHoldsReader(database.knex)();
    assert.deepEqual(leadIds, [current]);
  });

  it('stand behind what was held of the lead that they come to', async () => {
    const [former, current] = [randomUUID(), randomUUID()];
    await hold(current, 1, inDays(-5));
    await hold(former, 1, inDays(-40));
    await hold(former, 2, inDays(20));
    await follow([former], current);
    assert.deepEqual(await holdsOf(current), [
      [1, inDays(-5)],
      [2, inDays(20)],
    ]);
    assert.deepEqual(await holdsOf(former), [
      [1, inDays(-40)],
      [2, inDays(20)],
    ]);
  });

  it('are asked about only where they are in force, and nothing is asked where none is', async () => {
    await hold(randomUUID(), 1, now);
    await inTransaction(database.knex, (transaction) => extendHolds(transaction, () => assert.fail('asked')));
  });
});
