import assert from 'node:assert/strict';
import { pino } from 'pino';
import { encodeFunctionData, erc20Abi } from 'viem';
import type { LedgerQuestion } from '../../../src/payments/audit/answer-ledger-question.js';
import { createAuditReader } from '../../../src/payments/audit/audit-reader.js';
import { createAuditStore } from '../../../src/payments/audit/audit-store.js';
import type { RebuildPorts } from '../../../src/payments/audit/rebuild-ledger.js';
import { createRefundsReader } from '../../../src/payments/audit/refunds-reader.js';
import { lowerHex } from '../../../src/payments/chain/eip3009.js';
import { createChainHistory } from '../../../src/payments/settlement/chain-history.js';
import { assertPaid } from '../answer.js';
import type { Shop } from '../shop.js';

export const path = '/api/deals/hot';
export const priceUnits = 20_000n;

/** What happens to a shop whose ledger loses payments. */
export function createLosses(shop: () => Shop) {
  /** What is to be read has to be final. */
  const finalize = (): Promise<void> => shop().chain.mineBlocks(3);
  const audit = async () => {
    await finalize();
    return shop().app.selling.ledgerReports.audit();
  };
  const rebuild = async (since?: Date) => {
    await finalize();
    return shop().app.selling.ledgerReports.rebuild(since);
  };

  async function empty(...tables: readonly string[]): Promise<void> {
    for (const table of tables) await shop().app.database.knex(table).del();
  }

  async function buy(at = path): Promise<string> {
    const header = await shop().sign(at);
    assertPaid(await shop().pay(at, header));
    return header;
  }

  async function lose(header: string): Promise<void> {
    const nonce = Buffer.from(shop().authorizationOf(header).nonce.slice(2), 'hex');
    await shop().app.selling.deliveries.flush();
    assert.equal(await shop().app.database.knex('payments').where({ nonce }).del(), 1);
  }

  async function buyAndLose(at = path): Promise<string> {
    const header = await buy(at);
    await lose(header);
    return header;
  }

  /** Bought, and settled by somebody else than our relayer. */
  async function buySentElsewhere(): Promise<string> {
    shop().faults.settler.settle = async (authorization) => {
      const transaction = await shop().chain.submitElsewhere(authorization);
      const { blockNumber } = await shop().chain.client.getTransactionReceipt({ hash: transaction });
      return { outcome: 'settled', transaction, blockNumber };
    };
    return buy().finally(() => shop().mend());
  }

  /** A plain transfer of the token. */
  async function receive(value: bigint): Promise<void> {
    shop().expectUnsold(value);
    const args = [shop().chain.payTo.address, value] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
    await shop().chain.send(shop().chain.buyer.address, shop().chain.token, data);
  }

  /** An authorization that the ledger has never seen, sent by a stranger. */
  async function receiveSigned(): Promise<string> {
    const header = await shop().sign(path);
    await shop().chain.submitElsewhere(shop().authorizationOf(header));
    return header;
  }

  async function openPorts(): Promise<RebuildPorts> {
    const { app, chain, real } = shop();
    const { knex } = app.database;
    const [audited] = await knex('ledger_audits').select<{ chain_instance: string }[]>('chain_instance');
    return {
      ...real,
      history: createChainHistory(chain.client, app.selling.terms, { instance: audited?.chain_instance ?? '' }),
      reader: createAuditReader(knex),
      refunds: createRefundsReader(knex),
      store: createAuditStore(knex),
      relayers: [lowerHex(chain.relayer.address)],
      operations: new Map([[priceUnits, 'listHotDeals']]),
      owner: 'operator',
      now: () => new Date(),
      log: pino({ level: 'silent' }),
    };
  }

  async function ask(question: LedgerQuestion) {
    const rows: (readonly string[])[] = [];
    const notes = await shop().app.selling.ledgerReports.answer(question, (some) => void rows.push(...some));
    return { rows: rows.slice(1), notes: notes.join('\n') };
  }

  return {
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
  };
}
