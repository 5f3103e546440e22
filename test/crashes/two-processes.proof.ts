import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressTopic, eventTopics } from '../../src/payments/chain/transfer-proof.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { toAtomicUnits } from '../../src/payments/chain/token-amount.js';
import { assertPaid, payAt, type Answer } from '../payments/answer.js';
import { payloadIn } from '../payments/shop.js';
import { createAccount, startTestChain, type TestChain } from '../support/chain.js';
import { startCrashServer, type CrashServer } from '../support/crash-process.js';
import { createRelayerKeys, publishLicensed } from '../support/licensed-shop.js';
import { askPrice, signPayment } from '../support/pay.js';
import { createPostgresDatabase, requirePostgres } from '../support/postgres.js';

const copies = 200;
/** The buyer's balance, in atomic units. */
const funds = 10_000_000n;
/** All copies of one payment are answered within this time. */
const longestMs = 30_000;
const paidOperations = loadContract().operations.filter(({ priceUsd }) => priceUsd !== undefined);

describe(`${copies} concurrent copies of a payment, on two processes with a list of two relayers over one PostgreSQL`, function () {
  this.timeout(120_000);
  const directory = mkdtempSync(join(tmpdir(), 'two-processes-'));
  let database: Awaited<ReturnType<typeof createPostgresDatabase>> | undefined;
  let chain: TestChain | undefined;
  let servers: CrashServer[] = [];
  let paths: ReadonlyMap<string, string>;
  const payer = createAccount();

  before(async function () {
    database = await createPostgresDatabase(requirePostgres(this));
    chain = await startTestChain(84532);
    await chain.fund(payer.address, funds);
    const shared = {
      NETWORK: 'eip155:84532',
      PAY_TO: createAccount().address,
      RPC_URL: chain.rpcUrl,
      PUBLIC_BASE_URL: 'https://deals.example',
      DATABASE_URL: database.url,
      SERVER_SECRET: randomBytes(32).toString('hex'),
      DATA_DIR: directory,
      // One buyer sends all copies, and each refusal counts.
      UNBILLED_CALLS_PER_MINUTE: String(copies * paidOperations.length),
      PAID_CALLS_PER_PAYER: String(copies),
    };
    paths = await publishLicensed(database.url, shared.SERVER_SECRET);
    const environment = { ...shared, RELAYER_PRIVATE_KEYS: await createRelayerKeys(chain, 2) };
    servers = await Promise.all([1, 2].map(() => startCrashServer({ environment, skewSeconds: 0, isIdle: true })));
  });
  after(async () => {
    for (const each of servers) await each.stop();
    await chain?.stop();
    await database?.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  for (const { operationId } of paidOperations) {
    it(`${operationId} is settled once and sold once, and correctly refused to the others`, async () => {
      const [server] = servers;
      assert.ok(server && chain);
      const path = paths.get(operationId) ?? '';
      const header = await signPayment(await askPrice(server.url + path), { signer: payer });
      const startMs = performance.now();
      const answers = await Promise.all(
        Array.from({ length: copies }, (_, index) =>
          payAt((servers[index % servers.length]?.url ?? '') + path, header),
        ),
      );
      const tookMs = Math.round(performance.now() - startMs);
      const sold = answers.filter(({ status }) => status === 200);
      assert.equal(sold.length, 1, describeAnswers(answers));
      sold.forEach(assertPaid);
      const refused = answers.filter(({ status }) => status === 409 || status === 402);
      assert.equal(refused.length, copies - 1, describeAnswers(answers));
      for (const { problem } of refused)
        assert.ok(['payment_in_progress', 'payment_already_used'].includes(problem?.reason ?? ''), problem?.detail);
      assert.equal(await countSettlements(chain, header), 1);
      assert.ok(tookMs < longestMs, `${tookMs} ms`);
    });
  }

  it('is in the ledger as on the chain, once for each operation', async () => {
    assert.ok(chain && servers[0]);
    const { payments } = await servers[0].audit();
    const settled = payments.filter(({ state }) => state === 'settled').map(({ amount }) => BigInt(amount));
    assert.deepEqual([settled.length, payments.length], [paidOperations.length, paidOperations.length]);
    const prices = paidOperations.map(({ priceUsd }) => toAtomicUnits(priceUsd ?? ''));
    const [total, paid] = [settled, prices].map((values) => values.reduce((sum, value) => sum + value, 0n));
    assert.equal(total, paid);
    assert.equal(await chain.balanceOf(payer.address), funds - (paid ?? 0n));
  });
});

async function countSettlements(chain: TestChain, header: string): Promise<number> {
  const { from, nonce } = payloadIn(header).payload.authorization;
  const topics = [eventTopics.used, addressTopic(from), nonce];
  const logs = await chain.ask<unknown[]>('eth_getLogs', [{ address: chain.token, fromBlock: '0x0', topics }]);
  return logs.length;
}

function describeAnswers(answers: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const { status, problem } of answers) {
    const name = `${status} ${problem?.reason ?? ''}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return JSON.stringify([...counts]);
}
