import assert from 'node:assert/strict';
import { encodeFunctionData, erc20Abi } from 'viem';
import type { Hex } from '../../../src/payments/chain/eip3009.js';
import { OperatorError } from '../../../src/errors.js';
import { paymentIdOf } from '../../../src/payments/ledger/payment-row.js';
import type { LedgerQuestion } from '../../../src/payments/audit/answer-ledger-question.js';
import { assertPaid, assertRefused } from '../answer.js';
import { authorizationIn, openShop, type Shop } from '../shop.js';
import { payWithProof } from '../sign-in.js';

const path = '/api/deals/hot';
const priceUnits = 20_000n;
const lost = { outcome: 'unknown', detail: 'the answer was lost' } as const;
const days = 86_400;

describe('the ledger reports of a busy day', () => {
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
    for (const table of ['payments', 'orphan_transfers', 'refunds']) await knex(table).del();
  });
  afterEach(() => shop.assertConserved());
  after(() => shop.close());

  const audit = async () => {
    // What is to be audited has to be final.
    await shop.chain.mineBlocks(3);
    return shop.app.selling.ledgerReports.audit();
  };

  async function ask(question: LedgerQuestion) {
    const rows: (readonly string[])[] = [];
    const notes = await shop.app.selling.ledgerReports.answer(question, (some) => void rows.push(...some));
    const [names = [], ...lines] = rows;
    return { notes, lines: lines.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]]))) };
  }

  async function buy(): Promise<string> {
    const header = await shop.sign(path);
    assertPaid(await shop.pay(path, header));
    return header;
  }

  /** Bought, and settled by a transaction of somebody else's, so that undoing it leaves our relayer as it was. */
  async function buySentElsewhere(): Promise<string> {
    shop.faults.settler.settle = async (authorization) => {
      const transaction = await shop.chain.submitElsewhere(authorization);
      const { blockNumber } = await shop.chain.client.getTransactionReceipt({ hash: transaction });
      return { outcome: 'settled', transaction, blockNumber };
    };
    const header = await buy();
    shop.mend();
    return header;
  }

  /** A plain transfer of the token by the buyer, or by whoever else has some. */
  async function transfer(to: Hex, value: bigint, from: Hex = shop.chain.buyer.address): Promise<Hex> {
    return shop.chain.send(
      from,
      shop.chain.token,
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] }),
    );
  }

  const receive = async (value: bigint): Promise<Hex> => {
    shop.expectUnsold(value);
    return transfer(shop.chain.payTo.address, value);
  };

  const idOf = async (header: string): Promise<Hex> => {
    const row = await shop.rowOf(header);
    assert.ok(row);
    return `0x${paymentIdOf(row).toString('hex')}`;
  };

  /** An authorization whose claim was let go, and which somebody sent all the same. */
  async function payLate(): Promise<{ header: string; transaction: Hex }> {
    const header = await shop.sign(path);
    shop.faults.settler.settle = async () => ({ outcome: 'failed', reason: 'insufficient_funds', detail: 'no money' });
    assertRefused(await shop.pay(path, header), 402, 'settlement_failed');
    shop.mend();
    return { header, transaction: await shop.chain.submitElsewhere(shop.authorizationOf(header)) };
  }

  it('equal the chain to the atomic unit: bought, sent by others, cancelled, and paid for nothing', async () => {
    await buy();
    const front = await shop.sign(path);
    shop.faults.settler.settle = async (authorization, attempt) => {
      await shop.chain.submitElsewhere(authorization);
      return shop.real.settler.settle(authorization, attempt);
    };
    assertPaid(await shop.pay(path, front));
    shop.faults.settler.settle = async () => lost;
    const cancelled = await shop.sign(path);
    assertRefused(await shop.pay(path, cancelled), 503, 'settlement_unknown');
    await shop.chain.cancelElsewhere(authorizationIn(cancelled).nonce);
    shop.mend();
    await shop.app.selling.reconcile();
    await receive(1_234_567n);
    const report = await audit();
    const { throughBlock, ...sums } = report;
    assert.ok(throughBlock > 0);
    assert.deepEqual(sums, {
      transfers: 3,
      payments: 2,
      missing: 0,
      chainUsd: '1.274567',
      ledgerUsd: '0.04',
      lostSales: 0,
      lostSalesUsd: '0.00',
      orphans: 1,
      orphansUsd: '1.234567',
      foreign: 0,
      rebuilt: 0,
      differenceUsd: '0.00',
      refundsDue: 0,
    });
    const { notes } = await ask({ about: 'report', by: 'day' });
    assert.match(notes.join('\n'), /2 payments settled, 0\.04 USD \(40000 atomic units\)\./);
    assert.match(notes.join('\n'), /the ledger equals the chain\.\n {2}sales: 2, 0\.04 USD \(40000 atomic units\)\n/);
    const { lines } = await ask({ about: 'refunds' });
    assert.deepEqual(
      lines.map(({ reason, atomic }) => [reason, atomic]),
      [['unattributed', '1234567']],
    );
  });

  it('go on where the last audit ended, and count nothing twice', async () => {
    await buy();
    assert.equal((await audit()).transfers, 1);
    await buy();
    await receive(5n);
    assert.deepEqual((({ transfers, payments, orphans }) => ({ transfers, payments, orphans }))(await audit()), {
      transfers: 2,
      payments: 1,
      orphans: 1,
    });
    const { transfers, chainUsd, differenceUsd } = await audit();
    assert.deepEqual(
      { transfers, chainUsd, differenceUsd },
      { transfers: 0, chainUsd: '0.040005', differenceUsd: '0.00' },
    );
  });

  it('book a payment that the chain has undone, send it again, and stay right', async () => {
    const before = await shop.chain.ask('evm_snapshot');
    const header = await buySentElsewhere();
    const block = (await shop.rowOf(header))?.settlement?.blockNumber;
    await shop.chain.ask('evm_revert', [before]);
    await shop.chain.mineBlocks(1);
    assert.ok(block);
    shop.faults.settler.settle = async () => lost;
    const { reorged, waiting } = await shop.app.selling.reconcile();
    assert.deepEqual({ reorged, waiting }, { reorged: 1, waiting: 1 });
    assert.deepEqual([(await shop.rowOf(header))?.state, await shop.settlementsOf(header)], ['claimed', 0]);
    assertRefused(await shop.pay(path, header), 402, 'payment_already_used');
    shop.mend();
    assert.equal((await shop.app.selling.reconcile()).settled, 1);
    assert.deepEqual([(await shop.rowOf(header))?.state, await shop.settlementsOf(header)], ['settled', 1]);
    const { payments, missing, differenceUsd } = await audit();
    assert.deepEqual({ payments, missing, differenceUsd }, { payments: 1, missing: 0, differenceUsd: '0.00' });
  });

  it('write off what was delivered, undone and can never be sent again', async () => {
    const before = await shop.chain.ask('evm_snapshot');
    const header = await buySentElsewhere();
    await shop.app.selling.deliveries.flush();
    await shop.chain.ask('evm_revert', [before]);
    await shop.chain.mineBlocks(1);
    await shop.chain.cancelElsewhere(authorizationIn(header).nonce);
    const { reorged, released } = await shop.app.selling.reconcile();
    assert.deepEqual({ reorged, released }, { reorged: 1, released: 1 });
    const { lines } = await ask({ about: 'report', by: 'operation' });
    assert.deepEqual(
      lines.map(({ operation, settled, lost_usd }) => [operation, settled, lost_usd]),
      [['listHotDeals', '0', '0.02']],
    );
    assert.equal((await audit()).differenceUsd, '0.00');
  });

  it('do not take a settlement for undone because a node is behind', async () => {
    const header = await buy();
    const snapshot = await shop.chain.ask('evm_snapshot');
    await shop.chain.ask('evm_revert', [snapshot]);
    const block = (await shop.rowOf(header))?.settlement?.blockNumber ?? 0n;
    await shop.app.database.knex('payments').update({ settle_block: `${block + 1n}` });
    assert.equal((await shop.app.selling.reconcile()).reorged, 0);
    // The chain goes on: the transfer is found where it stands.
    await shop.chain.mineBlocks(1);
    await shop.app.selling.reconcile();
    assert.equal((await shop.rowOf(header))?.settlement?.blockNumber, block);
  });

  it('raise an alarm for a settled payment that no transfer proves, and book it', async () => {
    const header = await shop.sign(path);
    shop.faults.settler.settle = async () => ({
      outcome: 'settled',
      transaction: `0x${'77'.repeat(32)}`,
      blockNumber: await shop.chain.client.getBlockNumber(),
    });
    assertPaid(await shop.pay(path, header));
    shop.mend();
    const { missing, differenceUsd } = await audit();
    assert.deepEqual({ missing, differenceUsd }, { missing: 1, differenceUsd: '0.00' });
    assert.equal((await shop.rowOf(header))?.state, 'claimed');
  });

  it('serve whoever was paid for late while that can be, and then owe the money', async () => {
    const served = await payLate();
    const { header, transaction } = await payLate();
    assert.equal((await audit()).orphans, 2);
    assertPaid(await payWithProof(shop, path, served.header));
    shop.expectUnsold(priceUnits);
    shop.advance(7 * days);
    assert.deepEqual((await ask({ about: 'refunds' })).lines, []);
    shop.advance(2 * days);
    const { lines } = await ask({ about: 'refunds' });
    assert.deepEqual(
      lines.map(({ payment_id, usd, reason }) => [payment_id, usd, reason]),
      [[await idOf(header), '0.02', 'sent_late']],
    );
    const shown = await ask({ about: 'payments', hex: transaction });
    assert.match(shown.notes.join(), /bought nothing/);
    // Recorded as given back, it is settled by that transfer.
    const refund = await refundTo(await idOf(header), priceUnits);
    shop.expectUnsold(-priceUnits);
    assert.match(refund.notes.join(), /^Recorded: 0\.02 USD went back/);
    const row = await shop.rowOf(header);
    assert.deepEqual([row?.state, row?.delivery, row?.settlement?.transaction], ['settled', 'refunded', transaction]);
    assertRefused(await shop.pay(path, header), 402, 'payment_already_used');
    assert.equal((await audit()).differenceUsd, '0.00');
  });

  async function refundTo(paymentId: Hex, value: bigint) {
    const transaction = await transfer(shop.chain.buyer.address, value, shop.chain.payTo.address);
    return ask({ about: 'refund', paymentId, transaction });
  }

  it('owe what was paid and can never be delivered, and record a refund only when the chain shows it', async () => {
    const headers = [await shop.sign(path), await shop.sign(path)];
    for (const header of headers) {
      shop.faults.settler.settle = async (authorization, attempt) => {
        await shop.real.settler.settle(authorization, attempt);
        return lost;
      };
      assertRefused(await shop.pay(path, header), 503, 'settlement_unknown');
      shop.mend();
    }
    await shop.app.selling.reconcile();
    assert.deepEqual((await ask({ about: 'refunds' })).lines, [], 'their replies still wait for them');
    // Retention keeps what has not arrived; a damaged disk or an old backup may not.
    await shop.app.database.knex('payment_bodies').del();
    const { lines } = await ask({ about: 'refunds' });
    const reasons = lines.map(({ reason }) => reason);
    assert.deepEqual(reasons, ['undeliverable', 'undeliverable']);
    const [first, second] = [await idOf(headers[0] ?? ''), await idOf(headers[1] ?? '')];
    const refuse = (answer: Promise<unknown>, message: RegExp) =>
      assert.rejects(answer, (error) => error instanceof OperatorError && message.test(error.message));
    await refuse(ask({ about: 'refund', paymentId: first, transaction: `0x${'00'.repeat(32)}` }), /no successful/);
    await refuse(refundTo(first, priceUnits - 1n), /does not pay exactly 0\.02 USD/);
    const transaction = await transfer(shop.chain.buyer.address, priceUnits, shop.chain.payTo.address);
    await ask({ about: 'refund', paymentId: first, transaction });
    await refuse(ask({ about: 'refund', paymentId: second, transaction }), /recorded already/);
    await refuse(ask({ about: 'refund', paymentId: first, transaction }), /Nothing is due/);
    assert.equal((await ask({ about: 'refunds' })).lines.length, 1);
    const { lines: report } = await ask({ about: 'report', by: 'payer' });
    assert.deepEqual(report[0]?.['refunded_usd'], '0.02');
    assert.equal((await ask({ about: 'payments', hex: transaction })).lines[0]?.['payment_id'], first);
  });

  it('show and export payments without signature, reply or the buyers own identifiers', async () => {
    const header = await buy();
    await buy();
    const row = await shop.rowOf(header);
    assert.ok(row?.settlement);
    const byPayer = await ask({ about: 'payments', hex: row.payer });
    const byTransaction = await ask({ about: 'payments', hex: row.settlement.transaction });
    const byId = await ask({ about: 'payments', hex: await idOf(header) });
    assert.equal(byPayer.lines.length, 2);
    assert.deepEqual(byTransaction.lines, byId.lines);
    const today = new Date().toISOString().slice(0, 10);
    const all = await ask({ about: 'export', from: today, to: today });
    assert.equal(all.lines.length, 2);
    assert.deepEqual((await ask({ about: 'export', to: '2020-01-01' })).lines, []);
    assert.ok(!JSON.stringify([byPayer, all]).includes(row.signature.slice(2)));
    assert.deepEqual((await ask({ about: 'payments', hex: `0x${'ab'.repeat(20)}` })).notes, [
      'The ledger knows nothing of it.',
    ]);
  });
});
