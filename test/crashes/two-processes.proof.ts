import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DealIds } from '../../generated/types.gen.js';
import { addressTopic, eventTopics } from '../../src/chain/transfer-proof.js';
import { loadContract } from '../../src/contract/load-contract.js';
import { assertPaid, readAnswer, type Answer } from '../payments/answer.js';
import { payloadIn } from '../payments/shop.js';
import { dropListings } from '../support/drop-listings.js';
import { createAccount, startTestChain, type TestChain } from '../support/chain.js';
import { startCrashServer, type CrashServer } from '../support/crash-process.js';
import { askPrice, signPayment } from '../support/pay.js';
import { createPostgresDatabase, requirePostgres } from '../support/postgres.js';

const copies = 200;
/** A request of each paid operation that sells what is dropped into a folder: listings. */
const requests: Readonly<Record<string, string>> = {
  listDeals: '/api/deals?state=OH',
  listHotDeals: '/api/deals/hot',
  listBasicDeals: '/api/deals/basic',
  getReport: '/api/deals/{id}/report',
};
const paidOperations = loadContract().operations.filter(
  ({ priceUsd, tags }) => priceUsd !== undefined && tags.includes('deals'),
);

describe(`${copies} copies of a payment at once, on two processes with a relayer each over one PostgreSQL`, function () {
  this.timeout(120_000);
  const directory = mkdtempSync(join(tmpdir(), 'two-processes-'));
  let database: Awaited<ReturnType<typeof createPostgresDatabase>> | undefined;
  let chain: TestChain | undefined;
  let servers: CrashServer[] = [];
  const payer = createAccount();

  before(async function () {
    database = await createPostgresDatabase(requirePostgres(this));
    chain = await startTestChain(84532);
    await chain.fund(payer.address, 10_000_000n);
    const shared = {
      NETWORK: 'eip155:84532',
      PAY_TO: createAccount().address,
      RPC_URL: chain.rpcUrl,
      PUBLIC_BASE_URL: 'https://deals.example',
      DATABASE_URL: database.url,
      SERVER_SECRET: randomBytes(32).toString('hex'),
      DATA_DIR: directory,
      // One buyer sends all copies, and each that is refused counts.
      UNBILLED_CALLS_PER_MINUTE: String(copies * paidOperations.length),
      PAID_CALLS_PER_PAYER: String(copies),
    };
    dropListings(join(directory, 'drop'));
    const first = await startProcess(chain, shared);
    await first.worked;
    servers = [first, await startProcess(chain, shared)];
  });
  after(async () => {
    for (const each of servers) await each.stop();
    await chain?.stop();
    await database?.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is tried with each paid operation on deals', () => {
    assert.deepEqual(Object.keys(requests).sort(), paidOperations.map(({ operationId }) => operationId).sort());
  });

  for (const { operationId } of paidOperations) {
    it(`${operationId} is settled once and sold once, and refused to the others without a fault`, async () => {
      const [server] = servers;
      assert.ok(server && chain);
      const path = (requests[operationId] ?? '').replace('{id}', await findDealId(server.url));
      const header = await signPayment(await askPrice(server.url + path), { signer: payer });
      const answers = await Promise.all(
        Array.from({ length: copies }, (_, index) => pay(servers, index, path, header)),
      );
      const sold = answers.filter(({ status }) => status === 200);
      assert.equal(sold.length, 1, describeAnswers(answers));
      sold.forEach(assertPaid);
      const refused = answers.filter(({ status }) => status === 409 || status === 402);
      assert.equal(refused.length, copies - 1, describeAnswers(answers));
      for (const { problem } of refused)
        assert.ok(['payment_in_progress', 'payment_already_used'].includes(problem?.reason ?? ''), problem?.detail);
      assert.equal(await countSettlements(chain, header), 1);
    });
  }
});

async function findDealId(url: string): Promise<string> {
  const { ids } = (await (await fetch(`${url}/api/deals/ids`)).json()) as DealIds;
  return ids[0]?.id ?? assert.fail('no deal is published');
}

/** One key, one writer: each process has a relayer of its own. */
async function startProcess(chain: TestChain, shared: Readonly<Record<string, string>>): Promise<CrashServer> {
  const relayer = createAccount();
  await chain.ask('anvil_setBalance', [relayer.address, '0xde0b6b3a7640000']);
  const environment = { ...shared, RELAYER_PRIVATE_KEY: relayer.privateKey };
  return startCrashServer({ environment, isBuilt: true, skewSeconds: 0 });
}

async function pay(servers: readonly CrashServer[], index: number, path: string, header: string): Promise<Answer> {
  const url = servers[index % servers.length]?.url ?? '';
  return readAnswer(await fetch(url + path, { headers: { 'PAYMENT-SIGNATURE': header } }));
}

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
