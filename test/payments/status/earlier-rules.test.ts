import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import type { Report } from '../../../generated/types.gen.js';
import { publicPaymentId } from '../../../src/payments/ledger/payment-row.js';
import { findProjectFile } from '../../../src/project-file.js';
import { assertPaid } from '../answer.js';
import { challengeIn, signIn } from '../sign-in.js';
import { openShop, type Shop } from '../shop.js';

/** A report as `uw-1.0.0` sold it, byte for byte. */
const sold = readFileSync(findProjectFile('test/payments/status/report-of-uw-1.0.0.txt'), 'utf8');

describe('a report that was bought under uw-1.0.0', () => {
  let shop: Shop;
  before(async () => (shop = await openShop()));
  after(() => shop.close());

  it('is delivered again byte for byte, with the assumptions and thresholds that it was sold with', async () => {
    const [deal] = shop.app.feeds.deals.current().records;
    const path = `/api/deals/${deal?.id}/report`;
    const header = await shop.sign(path);
    assertPaid(await shop.pay(path, header));
    await shop.app.selling.deliveries.flush();
    const row = (await shop.rowOf(header)) ?? assert.fail();
    const { knex } = shop.app.database;
    const stored = { hash: createHash('sha256').update(sold).digest(), body: brotliCompressSync(sold) };
    await knex('payment_bodies').insert({ ...stored, created_at: row.claimedAt });
    await knex('payments').where({ reply_hash: row.replyHash }).update({ reply_hash: stored.hash });

    const response = `/api/payments/${publicPaymentId(row)}/response`;
    const proof = await signIn(challengeIn(await shop.pay(response, undefined)) ?? assert.fail());
    const again = await shop.pay(response, undefined, { headers: { 'SIGN-IN-WITH-X': proof } });
    assertPaid(again);
    assert.equal(again.text, sold);
    const { deal: record, underwriting } = JSON.parse(again.text) as Report;
    assert.equal(underwriting.assumption_set.version, 'uw-1.0.0');
    for (const { rule_version: version, thresholds } of Object.values(record.rationales))
      assert.ok(version.endsWith('-1.0.0') && Object.keys(thresholds).length > 0, version);
  });
});
