import assert from 'node:assert/strict';
import type { PaymentStatus } from '../../../generated/types.gen.js';
import { rebuildLedger } from '../../../src/payments/audit/rebuild-ledger.js';
import { publicPaymentId } from '../../../src/payments/ledger/payment-row.js';
import { assertPaid, assertRefused } from '../answer.js';
import { openShop, type Shop } from '../shop.js';
import { assertAskedToSignIn, payWithProof, signIn } from '../sign-in.js';
import { createLosses, path, priceUnits } from './losses.js';

const dayMs = 86_400_000;

describe('a ledger that has lost payments', () => {
  let shop: Shop;

  before(async () => {
    shop = await openShop();
  });
  beforeEach(async () => {
    const { knex } = shop.app.database;
    const [sold] = await knex('payments').where({ state: 'settled' }).sum<{ sum: string | null }[]>({ sum: 'amount' });
    shop.expectUnsold(BigInt(sold?.sum ?? 0));
    // The day before is audited, and its ledger is closed at nothing.
    await audit();
    await knex('ledger_audits').update({ transfers: 0, chain_amount: 0, payments: 0, ledger_amount: 0, missing: 0 });
    await empty('orphan_transfers', 'payments');
    await knex('settlers')
      .whereNot({ sender: Buffer.from(shop.chain.relayer.address.slice(2), 'hex') })
      .del();
  });
  afterEach(() => shop.assertConserved());
  after(() => shop.close());

  const {
    finalize,
    audit,
    rebuild,
    empty,
    buy,
    lose,
    buyAndLose,
    buySentElsewhere,
    receive,
    receiveSigned,
    openPorts,
    ask,
  } = createLosses(() => shop);

  const sumsIn = ({
    lostSales,
    lostSalesUsd,
    orphans,
    orphansUsd,
    differenceUsd,
    rebuilt,
  }: Awaited<ReturnType<typeof audit>>) => {
    return { lostSales, lostSalesUsd, orphans, orphansUsd, differenceUsd, rebuilt };
  };
  const equal = {
    lostSales: 0,
    lostSalesUsd: '0.00',
    orphans: 0,
    orphansUsd: '0.00',
    differenceUsd: '0.00',
    rebuilt: 0,
  };

  it('differs from the chain by its lost sales: what our relayer sent, and no plain transfer or stranger', async () => {
    await buy();
    await buyAndLose();
    await receive(5n);
    await receiveSigned();
    shop.expectUnsold(priceUnits);
    const report = await audit();
    assert.deepEqual(sumsIn(report), {
      ...equal,
      ...{ lostSales: 1, lostSalesUsd: '0.02', orphans: 2, orphansUsd: '0.020005', differenceUsd: '0.02' },
    });
    assert.deepEqual([report.chainUsd, report.ledgerUsd, report.foreign], ['0.060005', '0.02', 1]);
    const { notes } = await ask({ about: 'balance' });
    assert.match(notes, /THE LEDGER DIFFERS FROM THE CHAIN by 0\.02 USD/);
    assert.match(
      notes,
      /\n {2}sales: 1, 0\.02 USD.*\n {2}lost sales: 1, 0\.02 USD.*"ledger rebuild".*\n {2}orphans: 2, /,
    );
    assert.match(notes, /1 orphans are payments that strangers sent: is PAY_TO shared\?$/);
    assert.deepEqual(
      (await ask({ about: 'refunds' })).rows.map((row) => row.at(-1)),
      ['unattributed'],
    );
    await rebuild();
  });

  it('never equals the chain while a sale is lost, even where another error hides it', async () => {
    await buyAndLose();
    await audit();
    const { knex } = shop.app.database;
    await knex('ledger_audits').where({ transfers: 1 }).update({ chain_amount: 0 });
    const { differenceUsd, lostSales } = await audit();
    assert.deepEqual({ differenceUsd, lostSales }, { differenceUsd: '0.00', lostSales: 1 });
    assert.match((await ask({ about: 'balance' })).notes, /THE LEDGER DIFFERS FROM THE CHAIN by 0\.00 USD/);
    await knex('ledger_audits')
      .where({ transfers: 1 })
      .update({ chain_amount: `${priceUnits}` });
    assert.equal((await rebuild()).differenceUsd, '0.00');
  });

  it('gets a settled row for each lost sale, with what the chain shows of it and no more', async () => {
    const header = await buy('/api/deals');
    const before = await shop.rowOf(header);
    assert.ok(before?.settlement);
    await lose(header);
    const { written, writtenUsd, ...report } = await rebuild();
    assert.deepEqual({ written, writtenUsd }, { written: 1, writtenUsd: '0.05' });
    assert.deepEqual(sumsIn(report), { ...equal, rebuilt: 1 });
    const row = await shop.rowOf(header);
    const { timestamp } = await shop.chain.client.getBlock({ blockNumber: before.settlement.blockNumber });
    const time = new Date(Number(timestamp) * 1000);
    for (const name of [
      'network',
      'asset',
      'payer',
      'nonce',
      'amount',
      'payTo',
      'operationId',
      'chainInstance',
    ] as const)
      assert.equal(row?.[name], before[name], name);
    assert.deepEqual(row?.settlement, { ...before.settlement, settledAt: time });
    assert.deepEqual(
      [row?.state, row?.claimedAt, row?.binding, row?.resource, row?.clientIdHash],
      ['settled', time, undefined, '', undefined],
    );
    const { rows } = await ask({ about: 'refunds' });
    assert.deepEqual(rows, [], 'what it bought may have arrived');
    const receipts: string[] = [];
    const question = { about: 'receipts', payer: before.payer } as const;
    await shop.app.selling.ledgerReports.answer(question, (some) => void receipts.push(...some.flat()));
    assert.deepEqual(
      receipts.map((line) => Object.keys(JSON.parse(line) as object).includes('receipt')),
      [false],
      'no receipt is signed for what is not known',
    );
    assert.match((await ask({ about: 'balance' })).notes, /equals the chain\.\n {2}sales: 1, .*; 1 of them rebuilt\n/);
  });

  it('is written once: a second run finds nothing', async () => {
    await buyAndLose();
    await buyAndLose();
    assert.equal((await rebuild()).written, 2);
    const { written, differenceUsd } = await rebuild();
    assert.deepEqual({ written, differenceUsd }, { written: 0, differenceUsd: '0.00' });
  });

  it('gets what an audit has found already', async () => {
    await buyAndLose();
    assert.equal((await audit()).lostSales, 1);
    const { written, transfers, differenceUsd } = await rebuild();
    assert.deepEqual({ written, transfers, differenceUsd }, { written: 1, transfers: 0, differenceUsd: '0.00' });
  });

  it('is whole in each row when the rebuilding is killed half-way, and goes on from there', async () => {
    const headers = [await buyAndLose(), await buyAndLose(), await buyAndLose()];
    await finalize();
    const ports = await openPorts();
    const kill = (progress: Readonly<Record<string, number>>): void => {
      if (progress['written'] === 2) throw new Error('killed');
    };
    await assert.rejects(rebuildLedger({ ...ports, rowsPerStatement: 1, onProgress: kill }), /killed/);
    const rows = await Promise.all(headers.map((header) => shop.rowOf(header)));
    assert.deepEqual(
      rows.map((row) => row?.settlement?.transaction !== undefined),
      [true, true, false],
    );
    const { written, rebuilt, differenceUsd } = await rebuildLedger({ ...ports, rowsPerStatement: 1 });
    assert.deepEqual({ written, rebuilt, differenceUsd }, { written: 1, rebuilt: 3, differenceUsd: '0.00' });
  });

  it('loses no time to blocks whose reading is cut off', async () => {
    await buyAndLose();
    await finalize();
    const ports = await openPorts();
    const kill = (): void => {
      throw new Error('killed');
    };
    await assert.rejects(rebuildLedger({ ...ports, onProgress: kill }), /killed/);
    assert.equal((await rebuild()).written, 1);
  });

  it('is looked for in audited blocks from a day on, where that is asked', async () => {
    await shop.chain.warp(20);
    const since = new Date(Number((await shop.chain.client.getBlock()).timestamp) * 1000);
    const header = await buy();
    await audit();
    await lose(header);
    assert.deepEqual([(await rebuild()).written, (await audit()).differenceUsd], [0, '0.02']);
    const later = new Date(Date.now() + dayMs);
    assert.equal((await rebuild(later)).written, 0);
    const { written, differenceUsd } = await rebuild(since);
    assert.deepEqual({ written, differenceUsd }, { written: 1, differenceUsd: '0.00' });
  });

  it('knows the accounts of a facilitator by the payments that they have settled', async () => {
    await buySentElsewhere();
    await lose(await buySentElsewhere());
    const { lostSales, foreign } = await audit();
    assert.deepEqual({ lostSales, foreign }, { lostSales: 1, foreign: 0 });
    assert.equal((await rebuild()).written, 1);
  });

  it('owes a refund, and has lost no sale, where a released payment was sent late', async () => {
    await buySentElsewhere();
    const header = await shop.sign(path);
    shop.faults.settler.settle = async () => ({ outcome: 'failed', reason: 'insufficient_funds', detail: 'no money' });
    assertRefused(await shop.pay(path, header), 402, 'settlement_failed');
    shop.mend();
    await shop.chain.submitElsewhere(shop.authorizationOf(header));
    shop.expectUnsold(priceUnits);
    const { lostSales, orphans, foreign, differenceUsd } = await audit();
    assert.deepEqual(
      { lostSales, orphans, foreign, differenceUsd },
      { lostSales: 0, orphans: 1, foreign: 0, differenceUsd: '0.00' },
    );
    assert.equal((await rebuild()).written, 0);
  });

  it('buys once for its payer, who signs in with a payment that was rebuilt, and nothing for a copy', async () => {
    const header = await buyAndLose();
    const other = await buyAndLose();
    await rebuild();
    assertPaid(await payWithProof(shop, path, header));
    assertRefused(await shop.pay(path, header), 402, 'payment_already_used');
    const row = await shop.rowOf(header);
    assert.deepEqual([row?.state, row?.operationId], ['settled', 'listHotDeals']);
    shop.advance(600);
    assertPaid(await payWithProof(shop, path, other));
    const { lostSales, rebuilt, differenceUsd } = await audit();
    assert.deepEqual({ lostSales, rebuilt, differenceUsd }, { lostSales: 0, rebuilt: 2, differenceUsd: '0.00' });
    assert.equal((await rebuild()).written, 0);
  });

  it('are never called unsettled while the node is away, and buy again once it is back', async () => {
    const header = await buyAndLose();
    await rebuild();
    shop.faults.settler.verify = async () => ({ verdict: 'unavailable', by: 'chain', detail: 'away' });
    shop.faults.evidence = {
      find: () => Promise.reject(new Error('away')),
      isUsed: () => Promise.reject(new Error('away')),
    };
    const proof = await signIn(assertAskedToSignIn(await shop.pay(path, header)));
    const answer = await shop.pay(path, header, { headers: { 'SIGN-IN-WITH-X': proof } });
    assertRefused(answer, 503, 'settlement_unknown');
    assert.equal(answer.problem?.payment, 'unknown');
    shop.mend();
    assertPaid(await payWithProof(shop, path, header));
  });

  it('tells of a rebuilt payment that it is settled and that no reply is kept, and sells nothing to a copy', async () => {
    const header = await buyAndLose();
    await rebuild();
    const row = await shop.rowOf(header);
    assert.ok(row);
    const { text } = await shop.pay(`/api/payments/${publicPaymentId(row)}`, undefined);
    const { state, operation, billed, delivered, absent } = JSON.parse(text) as PaymentStatus;
    assert.deepEqual(
      { state, operation, billed, delivered },
      { state: 'settled', operation: null, billed: true, delivered: false },
    );
    assert.deepEqual(absent, {
      operation: { reason: 'ambiguous_match' },
      redelivery_until: { reason: 'not_applicable' },
    });
    assertAskedToSignIn(await shop.pay(path, header));
    assertRefused(await shop.pay('/api/deals', header), 402, 'payment_wrong_resource');
    assert.equal((await shop.rowOf(header))?.binding, undefined);
  });

  it('is rebuilt for 30 days where it is empty, and further back where that is asked', async () => {
    await buyAndLose();
    shop.expectUnsold(priceUnits);
    const ports = { ...(await openPorts()), now: () => new Date(Date.now() + 31 * dayMs) };
    await empty('ledger_audits', 'orphan_transfers', 'settlers');
    await shop.chain.warp((31 * dayMs) / 1000);
    await finalize();
    const { written, differenceUsd, orphans } = await rebuildLedger(ports);
    assert.deepEqual({ written, differenceUsd, orphans }, { written: 0, differenceUsd: '0.00', orphans: 0 });
    await empty('ledger_audits');
    const since = await rebuildLedger(ports, new Date(Date.now() - dayMs));
    assert.ok(since.written > 0);
    assert.equal(since.differenceUsd, '0.00');
    await empty('payments');
  });
});
