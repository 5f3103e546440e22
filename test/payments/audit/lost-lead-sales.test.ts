import assert from 'node:assert/strict';
import type { ExclusiveLead } from '../../../generated/types.gen.js';
import { assertPaid, assertRefused } from '../answer.js';
import { openShop, type Shop } from '../shop.js';
import { payWithProof } from '../sign-in.js';
import { createLosses } from './losses.js';

const path = '/api/leads/exclusive';
const dayMs = 86_400_000;

describe('the sale of a lead to one buyer that a restored ledger has lost', () => {
  let shop: Shop;
  let header: string;
  let leadId: string;

  before(async () => {
    shop = await openShop();
    header = await shop.sign(path);
    const answer = await shop.pay(path, header);
    assertPaid(answer);
    leadId = leadIn(answer.text);
    await lose(header);
    await knex('lead_holds').del();
    shop.advance(2);
  });
  after(() => shop.close());

  const { audit, finalize, lose, ask } = createLosses(() => shop);
  const knex = (table: string) => shop.app.database.knex(table);
  const leadIn = (text: string): string => (JSON.parse(text) as ExclusiveLead).lead.id;

  async function assertNoneIsSold(): Promise<void> {
    shop.advance(2);
    assertRefused(await shop.pay(path, await shop.sign(path)), 404, 'no_exclusive_lead_available');
    const { text } = await shop.pay('/api/leads?limit=50', await shop.sign('/api/leads'));
    assert.ok(text.includes(leadId), 'it stays in the ordinary feed');
  }

  it('ends the sale of older leads to one buyer until the ledger is rebuilt', async () => {
    await knex('ledger_restores').insert({ restored_at: new Date() });
    assert.equal(await shop.app.selling.isBehind(), true);
    await assertNoneIsSold();
    assertRefused(await payWithProof(shop, path, header), 404, 'no_exclusive_lead_available');
  });

  it('is a refund that is due once it is rebuilt: which lead it was, nobody knows', async () => {
    await audit();
    await finalize();
    assert.equal((await shop.app.selling.rebuild()).written, 1);
    await knex('ledger_restores').del();
    assert.deepEqual(
      (await ask({ about: 'refunds' })).rows.map((row) => row.at(-1)),
      ['exclusivity_unknown'],
    );
    await assertNoneIsSold();
  });

  it('leaves out no lead that was seen two days after it, nor any once 30 days are over', async () => {
    const seen = { rebuilt_at: new Date(Date.now() - 3 * dayMs) };
    const rebuilt = await knex('payments').whereNotNull('rebuilt_at').first('rebuilt_at', 'settled_at');
    await knex('payments').whereNotNull('rebuilt_at').update(seen);
    shop.advance(2);
    assertPaid(await shop.pay(path, await shop.sign(path)));
    await knex('payments')
      .whereNotNull('rebuilt_at')
      .update({ ...rebuilt, settled_at: new Date(Date.now() - 31 * dayMs) });
    shop.advance(2);
    assertPaid(await shop.pay(path, await shop.sign(path)));
    await knex('payments').whereNotNull('rebuilt_at').update(rebuilt);
    await knex('lead_holds').del();
    await assertNoneIsSold();
  });

  it('is over when the money went back: older leads are sold again, and nothing to its payer', async () => {
    await knex('payments').whereNotNull('rebuilt_at').update({ delivery: 'refunded' });
    shop.advance(2);
    assert.deepEqual((await ask({ about: 'refunds' })).rows, []);
    assertRefused(await shop.pay(path, header), 402, 'payment_already_used');
    assertPaid(await shop.pay(path, await shop.sign(path)));
  });
});
