import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  extractReceiptFromResponse,
  isEIP712SignedReceipt,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureEIP712,
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
} from '@x402/extensions/offer-receipt';
import type { PaymentRequired } from '@x402/core/types';
import { buyer, receiptSigner } from '../../../src/demo/chain/accounts.js';
import { askPrice, buy } from '../../support/pay.js';
import { startTestApp } from '../../support/app.js';
import { createInstantSettler } from '../../support/instant-settler.js';
import { assertPaid } from '../answer.js';
import { authorizationIn, openShop, type Shop } from '../shop.js';

const path = '/api/deals/hot';

describe('a paid reply', () => {
  let shop: Shop;
  before(async () => {
    shop = await openShop();
  });
  afterEach(() => shop.mend());
  after(() => shop.close());

  /** The receipt as the official package takes it from a reply. */
  function receiptIn(headers: Headers) {
    const receipt = extractReceiptFromResponse(new Response(null, { headers }));
    assert.ok(receipt && isEIP712SignedReceipt(receipt));
    return receipt;
  }

  it('has a receipt that an operator can list again for its payer, byte for byte', async () => {
    const answer = await shop.pay(`${path}?limit=3`, await shop.sign(path));
    const lines: string[] = [];
    await shop.app.selling.ledgerReports.answer(
      { about: 'receipts', payer: buyer.address },
      (rows) => void lines.push(...rows.map(String)),
    );
    const listed = JSON.parse(lines.at(-1) ?? '') as { transaction: string; receipt: unknown };
    assert.equal(listed.transaction, answer.settlement?.transaction);
    assert.deepEqual(listed.receipt, receiptIn(answer.headers));
  });

  it('has a receipt that the published key signed, and that names payer, request and transaction', async () => {
    const answer = await shop.pay(`${path}?limit=2`, await shop.sign(path));
    assertPaid(answer);
    const { signer, payload } = await verifyReceiptSignatureEIP712(receiptIn(answer.headers));
    assert.equal(signer, receiptSigner.address);
    assert.deepEqual(
      [payload.resourceUrl, payload.payer, payload.transaction, payload.network],
      [`${shop.app.url}${path}?limit=2`, buyer.address.toLowerCase(), answer.settlement?.transaction, 'eip155:31337'],
    );
  });

  it('has a receipt for the very offer that the buyer was made', async () => {
    const required = (await askPrice(shop.app.url + path)) as unknown as PaymentRequired;
    const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(required));
    assert.ok(offer);
    const { headers } = await shop.pay(path, await shop.sign(path));
    assert.ok(verifyReceiptMatchesOffer(receiptIn(headers), offer, [buyer.address]));
    assert.ok(!verifyReceiptMatchesOffer(receiptIn(headers), offer, [receiptSigner.address]));
  });

  it('comes again with the same receipt, byte for byte, also a day later', async () => {
    const header = await shop.sign(path);
    const first = await shop.pay(path, header);
    assertPaid(first);
    await shop.app.selling.deliveries.flush();
    await forgetDelivery(header);
    shop.advance(86_400);
    const second = await shop.pay(path, header);
    assertPaid(second);
    for (const name of ['PAYMENT-RESPONSE', 'Repr-Digest', 'ETag'])
      assert.equal(second.headers.get(name), first.headers.get(name), name);
    assert.equal(second.text, first.text);
  });

  it('has the digest of the JSON as a client reads it, whatever the encoding on the wire', async () => {
    for (const target of ['/api/deals?limit=40', '/api/deals/hot?limit=1', '/api/deals/basic']) {
      for (const encoding of ['identity', 'br', 'gzip']) {
        const header = await shop.sign(target);
        const { text, headers } = await shop.pay(target, header, { headers: { 'Accept-Encoding': encoding } });
        const digest = createHash('sha256').update(text).digest('base64');
        assert.equal(headers.get('Repr-Digest'), `sha-256=:${digest}:`, `${target} ${encoding}`);
      }
    }
  });

  it('has the digest that names the stored body', async () => {
    const header = await shop.sign(path);
    const { headers } = await shop.pay(path, header);
    const row = await shop.rowOf(header);
    assert.ok(row);
    assert.equal(headers.get('Repr-Digest'), `sha-256=:${Buffer.from(row.replyHash).toString('base64')}:`);
  });

  /** As if the reply had never arrived. */
  async function forgetDelivery(header: string): Promise<void> {
    const nonce = Buffer.from(authorizationIn(header).nonce.slice(2), 'hex');
    await shop.app.database.knex('payments').where({ nonce }).update({ delivery: 'incomplete' });
  }
});

describe('a seller whose receipts fail', () => {
  it('sells all the same, without a receipt', async () => {
    const app = await startTestApp({
      settler: createInstantSettler(),
      issuer: (issuer) => ({
        ...issuer,
        issueReceipt: () => {
          throw new Error('no key today');
        },
      }),
    });
    try {
      const reply = await buy(app.url + path);
      assert.equal(reply.status, 200);
      assert.ok(((await reply.json()) as unknown[]).length > 0);
      assert.ok(reply.headers.has('PAYMENT-RESPONSE'));
      assert.equal(extractReceiptFromResponse(reply), undefined);
    } finally {
      await app.stop();
    }
  });
});
