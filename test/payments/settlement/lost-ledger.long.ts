import assert from 'node:assert/strict';
import { deep } from '../../support/depth.js';
import { encodePayment } from '../../support/pay.js';
import { newAccount } from '../../support/wallets.js';
import { assertPaid, assertRefused, type Answer } from '../answer.js';
import { openShop, payloadIn, type Shop } from '../shop.js';
import { assertAskedToSignIn, payWithProof, signIn } from '../sign-in.js';
import { withId } from '../with-id.js';

const path = '/api/deals/hot';
const sales = deep(30, 12);
/** So many of their buyers come back only after the window. */
const late = deep(8, 4);

interface Sale {
  readonly header: string;
  readonly answer: Answer;
  readonly transaction: string | undefined;
}

describe('sales that a restored ledger has lost', () => {
  let shop: Shop;
  let bought: Sale[];

  before(async () => {
    shop = await openShop({ environment: { UNPAID_CALLS_PER_MINUTE: '10000', UNBILLED_CALLS_PER_MINUTE: '10000' } });
    bought = [];
    for (let each = 0; each < sales; each++) {
      const header = withId(await shop.sign(path), `a-secret-of-buyer-${each}`);
      const answer = await shop.pay(path, header);
      assertPaid(answer);
      bought.push({ header, answer, transaction: answer.settlement?.transaction });
    }
    await shop.app.database.knex('payments').del();
  });
  afterEach(() => shop.mend());
  after(() => shop.close());

  const countRows = async () => (await shop.app.database.knex('payments')).length;

  /** What whoever reads the chain can send: the authorization and its signature. */
  function replayOf(header: string): string {
    const { x402Version, accepted, payload } = payloadIn(header);
    return encodePayment({ x402Version, accepted, payload });
  }

  /** 0 bytes for the calldata, for the right request as for a wrong one, with a stranger's proof or none. */
  async function assertNothingForStrangers(headers: readonly string[]): Promise<void> {
    const before = [shop.handlerRuns(), await countRows()];
    for (const replay of headers.map(replayOf)) {
      const challenge = assertAskedToSignIn(await shop.pay(path, replay));
      const proven = { headers: { 'SIGN-IN-WITH-X': await signIn(challenge, { signer: newAccount() }) } };
      for (const each of [path, `${path}?limit=1`]) assertAskedToSignIn(await shop.pay(each, replay, proven));
    }
    assert.deepEqual([shop.handlerRuns(), await countRows()], before);
  }

  /** Its payer's proof gets the reply once; then it is as if the ledger had never lost it. */
  async function assertSoldOnce({ header, answer, transaction }: Sale): Promise<void> {
    const again = await payWithProof(shop, path, header);
    assertPaid(again);
    assert.deepEqual([again.text, again.settlement?.transaction], [answer.text, transaction]);
    assertRefused(await shop.pay(path, replayOf(header)), 402, 'payment_already_used');
    assertRefused(await shop.pay(`${path}?limit=1`, replayOf(header)), 402, 'payment_already_used');
    assertPaid(await shop.pay(path, header));
  }

  it('give 0 bytes to strangers with their calldata', () =>
    assertNothingForStrangers(bought.map(({ header }) => header)));

  it('give each payer with a proof the reply, once', async () => {
    for (const sale of bought.slice(late)) await assertSoldOnce(sale);
  });

  it('do so after their windows as well', async () => {
    shop.advance(600);
    await assertNothingForStrangers(bought.slice(0, late).map(({ header }) => header));
    for (const sale of bought.slice(0, late)) await assertSoldOnce(sale);
  });

  it('are all in the ledger afterwards, settled by their transactions, and the ledger equals the chain', async () => {
    for (const { header, transaction } of bought) {
      const row = await shop.rowOf(header);
      assert.deepEqual([row?.state, row?.settlement?.transaction], ['settled', transaction]);
    }
    assert.equal(await countRows(), sales);
    await shop.chain.mineBlocks(3);
    assert.equal((await shop.app.selling.ledgerReports.audit()).differenceUsd, '0.00');
  });
});
