import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestAccount } from '../../src/payments/chain/well-known-accounts.js';
import { hotDeals } from '../crashes/crash-products.js';
import { createRestoring } from '../crashes/restored-ledger.js';
import { assertPaid, payAt } from '../payments/answer.js';
import { assertAskedToSignIn, signIn } from '../payments/sign-in.js';
import { attachTestChain, createAccount, type TestChain } from '../support/chain.js';
import { startCrashServer, type CrashServer } from '../support/crash-process.js';
import { askPrice, signPayment, type ChallengeBody } from '../support/pay.js';
import { createPostgresDatabase, requirePostgres, type PostgresDatabase } from '../support/postgres.js';

/** Sales while the copy is made; those that began before it are in it. */
const salesDuring = 100;
/** Sales after it, which a restored database lacks. */
const salesAfter = 60;
const concurrent = 5;
/** After every lease of a dead process. */
const pastLeasesSeconds = 121;
const { path } = hotDeals;

interface Sale {
  readonly signer: TestAccount;
  readonly header: string;
  readonly text: string;
}

describe('a database that is dumped under sales, and restored after more of them', function () {
  this.timeout(300_000);
  const directory = mkdtempSync(join(tmpdir(), 'dump-'));
  const dump = join(directory, 'deals.dump');
  const sales: Sale[] = [];
  let store: PostgresDatabase | undefined;
  let server: CrashServer;
  let chain: TestChain;
  let challenge: ChallengeBody;
  let price = 0n;
  let skewSeconds = 0;

  before(async function () {
    store = await createPostgresDatabase(requirePostgres(this));
    server = await start(false);
    await server.worked;
    chain = attachTestChain(server.rpcUrl);
    challenge = await askPrice(server.url + path);
    price = BigInt(challenge.accepts[0]?.amount ?? 0);
  });
  after(async () => {
    await server?.stop();
    await store?.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  function start(isIdle: boolean): Promise<CrashServer> {
    const environment = {
      DATA_DIR: join(directory, 'data'),
      DATABASE_URL: store?.url ?? '',
      PUBLIC_BASE_URL: 'http://127.0.0.1:4021',
      // All buyers have one address.
      UNBILLED_CALLS_PER_MINUTE: '10000',
    };
    return startCrashServer({ environment, skewSeconds, isIdle });
  }

  const pay = (header: string, at = path, proof?: string) => payAt(server.url + at, header, proof);

  /** Buyers with what one purchase costs. */
  async function fundBuyers(count: number): Promise<TestAccount[]> {
    const buyers = Array.from({ length: count }, createAccount);
    for (const { address } of buyers) await chain.fund(address, price);
    return buyers;
  }

  async function sell(buyers: TestAccount[]): Promise<void> {
    async function buyInTurn(): Promise<void> {
      for (let signer = buyers.pop(); signer !== undefined; signer = buyers.pop()) {
        const validBefore = BigInt(Math.floor(Date.now() / 1000) + 900);
        const header = await signPayment(structuredClone(challenge), { signer, validBefore });
        const answer = await pay(header);
        assertPaid(answer);
        sales.push({ signer, header, text: answer.text });
      }
    }
    await Promise.all(Array.from({ length: concurrent }, buyInTurn));
  }

  it('is dumped without a sale that fails', async () => {
    const buyers = await fundBuyers(salesDuring);
    const selling = sell(buyers);
    await run('pg_dump', '--format=custom', `--file=${dump}`, store?.url ?? '');
    assert.ok(buyers.length > 0, 'sales go on while it is dumped');
    await selling;
    await sell(await fundBuyers(salesAfter));
    assert.equal(sales.length, salesDuring + salesAfter);
  });

  it('sells nothing after the restore until the chain shows what it lacks, and then equals the chain', async () => {
    await server.kill();
    await store?.empty();
    await run('pg_restore', '--exit-on-error', '--no-owner', `--dbname=${store?.url ?? ''}`, dump);
    skewSeconds += pastLeasesSeconds;
    await store?.passLeases();
    server = await start(true);
    const restoring = createRestoring({
      ...{ chain, product: hotDeals, price, pay },
      server: () => server,
      restart: async () => undefined,
      async advance(seconds) {
        skewSeconds += seconds;
        await server.advance(seconds);
      },
    });
    await restoring.assertSellsNothing();
    await restoring.rebuild([]);
    const { payments } = await server.audit();
    const rebuilt = payments.filter(({ isRebuilt }) => isRebuilt);
    assert.ok(rebuilt.length >= salesAfter, `${rebuilt.length} sales were lost`);
    assert.equal(payments.filter(({ state }) => state === 'settled').length, sales.length);
  });

  it('gives each buyer what was bought, to the proof of the payer alone, and takes nothing again', async () => {
    const stranger = createAccount();
    let proven = 0;
    for (const { header, signer, text } of sales) {
      const answer = await pay(header);
      // What the dump has is delivered as before.
      if (answer.status === 200) {
        assert.equal(answer.text, text);
        continue;
      }
      const request = assertAskedToSignIn(answer);
      assertAskedToSignIn(await pay(header, path, await signIn(request, { signer: stranger })));
      assertPaid(await pay(header, path, await signIn(request, { signer })));
      proven++;
    }
    assert.ok(proven >= salesAfter, `${proven} were delivered to a proof`);
    for (const { signer } of sales) assert.equal(await chain.balanceOf(signer.address), 0n);
    assert.equal(await chain.balanceOf(chain.payTo.address), price * BigInt(sales.length));
  });
});

/** Runs a program of PostgreSQL's newest release that is installed here. */
async function run(program: string, ...args: readonly string[]): Promise<void> {
  const releases = '/usr/lib/postgresql';
  const newest = readdirSync(releases).sort((one, other) => Number(other) - Number(one))[0] ?? '';
  await promisify(execFile)(join(releases, newest, 'bin', program), args);
}
