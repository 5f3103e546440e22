import assert from 'node:assert/strict';
import { assertPaid, assertRefused } from '../answer.js';
import { authorizationIn, openShop, type Shop } from '../shop.js';
import { payWithProof } from '../sign-in.js';
import type { Database } from '../../../src/db/database.js';
import { openTestDatabase } from '../../support/database.js';

const path = '/api/deals/hot';
const lost = { outcome: 'unknown', detail: 'the answer was lost' } as const;

describe('reconciliation', () => {
  let shop: Shop;
  let next: Shop | undefined;
  let database: Database;
  let header: string;

  before(async () => {
    database = await openTestDatabase();
    shop = await openShop({ database });
  });
  beforeEach(async () => {
    header = await shop.sign(path);
  });
  afterEach(() => shop.mend());
  after(async () => {
    await shop.close();
    await next?.app.stop();
    await database.close();
  });

  /** A payment whose outcome nobody knows; `sent`: it is on the chain. */
  async function leaveOpen(sent: boolean, signed = header): Promise<void> {
    shop.faults.settler.settle = async (authorization, attempt) => {
      if (sent) await shop.real.settler.settle(authorization, attempt);
      return lost;
    };
    assertRefused(await shop.pay(path, signed), 503, 'settlement_unknown');
    shop.mend();
  }

  const reconcile = () => shop.app.selling.reconcile();
  const stateOf = async (signed = header) => (await shop.rowOf(signed))?.state;

  it('settles what the chain shows as paid, with its transaction, and the buyer then has the stored reply', async () => {
    await leaveOpen(true);
    assert.deepEqual(await reconcile(), { open: 1, settled: 1, released: 0, waiting: 0, reorged: 0 });
    const row = await shop.rowOf(header);
    assert.equal(row?.state, 'settled');
    assert.match(row.settlement?.transaction ?? '', /^0x[0-9a-f]{64}$/);
    const answer = await shop.pay(path, header);
    assertPaid(answer);
    assert.equal(answer.settlement?.transaction, row.settlement?.transaction);
    assertRefused(await shop.pay(path, header), 402, 'payment_already_used');
    assert.equal(await shop.settlementsOf(header), 1);
  });

  it('waits while an authorization may still be used, and sends nothing itself', async () => {
    await leaveOpen(false);
    assert.deepEqual(await reconcile(), { open: 1, settled: 0, released: 0, waiting: 1, reorged: 0 });
    assert.equal(await stateOf(), 'claimed');
    assert.equal(await shop.settlementsOf(header), 0);
    assertPaid(await shop.pay(path, header));
  });

  it('waits while the chain cannot be asked, and asks about all open payments at once', async () => {
    await leaveOpen(true);
    const other = await shop.sign(path);
    await leaveOpen(true, other);
    shop.faults.evidence.findMany = () => Promise.reject(new Error('the node is down'));
    assert.deepEqual(await reconcile(), { open: 2, settled: 0, released: 0, waiting: 2, reorged: 0 });
    let questions = 0;
    shop.faults.evidence.findMany = async (asked) => {
      questions += 1;
      return shop.real.evidence.findMany(asked);
    };
    assert.deepEqual(await reconcile(), { open: 2, settled: 2, released: 0, waiting: 0, reorged: 0 });
    assert.equal(questions, 1);
  });

  it('leaves a payment alone whose lease is not over, and one that a buyer has taken over meanwhile', async () => {
    await leaveOpen(true);
    const row = await shop.rowOf(header);
    assert.ok(row);
    shop.faults.evidence.findMany = async (questions) => {
      assert.ok(await shop.real.ledger.takeOver(row, 'a buyer', 60_000));
      return shop.real.evidence.findMany(questions);
    };
    assert.deepEqual(await reconcile(), { open: 1, settled: 0, released: 0, waiting: 1, reorged: 0 });
    shop.mend();
    assert.deepEqual(await reconcile(), { open: 0, settled: 0, released: 0, waiting: 0, reorged: 0 });
    await shop.passLeases();
    assert.deepEqual(await reconcile(), { open: 1, settled: 1, released: 0, waiting: 0, reorged: 0 });
  });

  it('releases what its payer has cancelled, and what paid somebody else', async () => {
    await leaveOpen(false);
    await shop.chain.cancelElsewhere(authorizationIn(header).nonce);
    const diverted = await shop.sign(path);
    await leaveOpen(false, diverted);
    const { nonce } = authorizationIn(diverted);
    const to = '0x00000000000000000000000000000000000e15e0';
    await shop.chain.submitElsewhere(await shop.chain.signAuthorization({ nonce, to }));
    assert.deepEqual(await reconcile(), { open: 2, settled: 0, released: 2, waiting: 0, reorged: 0 });
    assert.deepEqual([await stateOf(), await stateOf(diverted)], ['released', 'released']);
  });

  it('settles and releases at the start of the service, before anybody is served', async () => {
    await leaveOpen(true);
    next = await openShop({ database, dataDirectory: shop.app.directory });
    assert.equal(await stateOf(), 'settled');
  });

  it('releases what was claimed on a local chain that has been wiped, and can prove nothing of it', async () => {
    await leaveOpen(true);
    await shop.app.database.knex('payments').where({ state: 'claimed' }).update({ chain_instance: 'wiped' });
    assert.deepEqual(await reconcile(), { open: 1, settled: 0, released: 1, waiting: 0, reorged: 0 });
    assertPaid(await payWithProof(shop, path, header));
  });

  it('releases what has expired unused, once a finalized block says so', async () => {
    await leaveOpen(false);
    // The service's clock alone proves nothing.
    shop.advance(900);
    assert.deepEqual(await reconcile(), { open: 1, settled: 0, released: 0, waiting: 1, reorged: 0 });
    await shop.chain.warp(300);
    assert.deepEqual(await reconcile(), { open: 1, settled: 0, released: 1, waiting: 0, reorged: 0 });
    assert.equal(await stateOf(), 'released');
    assertRefused(await shop.pay(path, header), 402, 'payment_expired');
    assert.equal(await shop.settlementsOf(header), 0);
  });
});
