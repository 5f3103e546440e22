import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestAccount } from '../../src/payments/chain/well-known-accounts.js';
import { hotDeals } from '../crashes/crash-products.js';
import { createRestoring } from '../crashes/restored-ledger.js';
import { assertPaid, payAt } from '../payments/answer.js';
import { assertAskedToSignIn, signIn } from '../payments/sign-in.js';
import { attachTestChain, createAccount, type TestChain } from '../support/chain.js';
import { startCrashServer, type CrashServer } from '../support/crash-process.js';
import { deep } from '../support/depth.js';
import { askPrice, signPayment, type ChallengeBody } from '../support/pay.js';
import { passLeases } from '../support/postgres.js';
import { waysToCopy, type Copied } from './copies.js';

/** Sales at a time, while the copy is made. */
const salesAtOnce = 20;
/** Sales after it, which the copy lacks. */
const salesAfter = deep(600, 60);
const concurrent = 5;
/** After every lease of a dead process. */
const pastLeasesSeconds = 121;
const { path } = hotDeals;

interface Sale {
  readonly signer: TestAccount;
  readonly header: string;
  readonly text: string;
}

for (const [way, open] of Object.entries(waysToCopy))
  describe(`a database that ${way}, under sales and after more of them`, function () {
    this.timeout(300_000);
    const directory = mkdtempSync(join(tmpdir(), 'copy-'));
    const sales: Sale[] = [];
    let store: Copied | undefined;
    let databaseUrl = '';
    let server: CrashServer;
    let chain: TestChain;
    let challenge: ChallengeBody;
    let price = 0n;
    let skewSeconds = 0;

    before(async function () {
      store = await open(this, directory);
      databaseUrl = store.url;
      server = await start(false);
      await server.worked;
      chain = attachTestChain(server.rpcUrl);
      challenge = await askPrice(server.url + path);
      price = BigInt(challenge.accepts[0]?.amount ?? 0);
    });
    after(async () => {
      try {
        await server?.stop();
      } finally {
        await store?.drop();
        rmSync(directory, { recursive: true, force: true });
      }
    });

    function start(isIdle: boolean): Promise<CrashServer> {
      const environment = {
        DATA_DIR: join(directory, 'data'),
        DATABASE_URL: databaseUrl,
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

    it('is copied without a sale that fails', async () => {
      let isCopied = false;
      const copying = store?.copy().finally(() => (isCopied = true));
      do await sell(await fundBuyers(salesAtOnce));
      while (!isCopied);
      await copying;
      await store?.cut();
      await sell(await fundBuyers(salesAfter));
    });

    it('sells nothing from the copy until the chain shows what it lacks, and then equals the chain', async () => {
      await server.kill();
      databaseUrl = (await store?.replace()) ?? '';
      skewSeconds += pastLeasesSeconds;
      await passLeases(databaseUrl);
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
        // What the copy has is delivered as before; and not again where it knows that it was.
        if (answer.status === 200) assert.equal(answer.text, text);
        if (answer.status === 200 || answer.problem?.payment === 'settled') continue;
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
