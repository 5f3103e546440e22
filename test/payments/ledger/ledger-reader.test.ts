import assert from 'node:assert/strict';
import { createLedgerReader } from '../../../src/payments/ledger/ledger-reader.js';
import { createLedgerStore } from '../../../src/payments/ledger/ledger-store.js';
import { openTestDatabase } from '../../support/database.js';
import { buildClaim, claimedAt } from './build-claim.js';

describe('the export of the ledger', () => {
  it('has each payment once, also of one moment and of moments between two milliseconds', async () => {
    const { knex, close } = await openTestDatabase();
    await knex('feed_versions').insert({ feed: 'deals', version: 7, published_at: claimedAt });
    const ledger = createLedgerStore(knex);
    for (let count = 0; count < 6; count += 1) await ledger.claim(buildClaim());
    await knex.raw(`UPDATE payments SET claimed_at = claimed_at + interval '400 microseconds'
      WHERE payment_id IN (SELECT payment_id FROM payments LIMIT 3)`);
    const ids: string[] = [];
    for await (const page of createLedgerReader(knex).listPayments(new Date(0), new Date('2100-01-01'), 2))
      ids.push(...page.map(({ paymentId }) => paymentId));
    await close();
    assert.deepEqual([ids.length, new Set(ids).size], [6, 6]);
  });
});
