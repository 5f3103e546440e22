import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { payAt } from '../payments/answer.js';
import { assertAskedToSignIn, signIn } from '../payments/sign-in.js';
import { attachTestChain, createAccount, type TestChain } from '../support/chain.js';
import { startCrashServer, type CrashServer } from '../support/crash-process.js';
import { askPrice, signPayment } from '../support/pay.js';
import { requirePostgres } from '../support/postgres.js';
import { exclusiveLead } from './crash-products.js';
import { openCrashStore, type CrashStore } from './crash-store.js';

const { path } = exclusiveLead;
/** After every lease of a dead process. */
const pastLeasesSeconds = 121;

for (const kind of ['embedded', 'postgres'] as const)
  describe(`a lead that was sold to one buyer, and a ledger that was restored since, ${kind}`, function () {
    this.timeout(300_000);
    let directory: string;
    let store: CrashStore;
    let server: CrashServer;
    let chain: TestChain;
    let skewSeconds = 0;

    before(async function () {
      if (kind === 'postgres') requirePostgres(this);
      directory = mkdtempSync(join(tmpdir(), 'restored-'));
      store = await openCrashStore(directory, kind === 'postgres' ? process.env.TEST_DATABASE_URL : undefined);
      server = await start(false);
      await server.worked;
      chain = attachTestChain(server.rpcUrl);
    });
    after(async () => {
      await server?.stop();
      if (directory) rmSync(directory, { recursive: true, force: true });
      await store?.drop();
    });

    function start(isIdle: boolean): Promise<CrashServer> {
      const environment = { DATA_DIR: directory, PUBLIC_BASE_URL: 'http://127.0.0.1:4021', ...store.environment };
      return startCrashServer({ environment, skewSeconds, isIdle });
    }

    async function restartAfter(work: () => Promise<void>): Promise<void> {
      await server.kill();
      await work();
      skewSeconds += pastLeasesSeconds;
      await store.passLeases();
      server = await start(true);
    }

    const pay = (header: string, at = path, proof?: string) => payAt(server.url + at, header, proof);

    async function sign(at: string, signer = createAccount()): Promise<string> {
      const challenge = await askPrice(server.url + at);
      await chain.fund(signer.address, BigInt(challenge.accepts[0]?.amount ?? 0));
      const validBefore = BigInt(Math.floor(Date.now() / 1000) + skewSeconds + 900);
      return signPayment(challenge, { signer, validBefore });
    }

    const buy = async (at: string) => pay(await sign(at), at);

    async function assertNoneIsSold(): Promise<void> {
      const { status, problem } = await buy(path);
      assert.deepEqual([status, problem?.reason, problem?.billed], [404, 'no_exclusive_lead_available', false]);
    }

    it('is sold to no other alone, stays in the feed, and its sale is a refund that is due', async () => {
      await restartAfter(() => store.backUp());
      const signer = createAccount();
      const header = await sign(path, signer);
      const sold = await pay(header);
      assert.equal(sold.status, 200);
      const { lead } = JSON.parse(sold.text) as { readonly lead: { readonly id: string } };
      await restartAfter(async () => {
        await chain.mineBlocks(3);
        await store.restore();
      });
      skewSeconds += 60;
      await server.advance(60);
      await assertNoneIsSold();
      const proof = await signIn(assertAskedToSignIn(await pay(header)), { signer });
      assert.equal((await pay(header, path, proof)).problem?.reason, 'no_exclusive_lead_available');
      const { text } = await buy('/api/leads');
      assert.ok(text.includes(lead.id), 'it stays in the ordinary feed');
      await chain.mineBlocks(3);
      const { written, differenceUsd, due } = await server.rebuild();
      assert.deepEqual([written, differenceUsd, due], [1, '0.00', ['exclusivity_unknown']]);
      await restartAfter(async () => undefined);
      await assertNoneIsSold();
    });
  });
