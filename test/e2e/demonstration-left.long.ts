import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { DealIds } from '../../generated/types.gen.js';
import { createAccount, startTestChain } from '../support/chain.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { openTestDatabase } from '../support/database.js';

describe("a demonstration's database, reopened to sell for real money", () => {
  it('shows nothing fictional from the start, even if no source is ever read', async () => {
    const [database, chain] = await Promise.all([openTestDatabase(), startTestChain(84532)]);
    const [relayer, receiptSigner, payTo] = [createAccount(), createAccount(), createAccount().address];
    await chain.ask('anvil_setBalance', [relayer.address, '0xde0b6b3a7640000']);
    const secret = { SERVER_SECRET: randomBytes(32).toString('hex') };
    const idsOf = async ({ url }: TestApp) =>
      ((await (await fetch(`${url}/api/deals/ids`)).json()) as DealIds).ids ?? [];
    try {
      const demonstration = await startTestApp({ database, environment: secret });
      assert.ok((await idsOf(demonstration)).length > 100);
      await demonstration.stop();
      const environment = {
        ...{ NETWORK: 'eip155:84532', PAY_TO: payTo, RPC_URL: chain.rpcUrl, PUBLIC_BASE_URL: 'https://deals.example' },
        ...{ RELAYER_PRIVATE_KEYS: relayer.privateKey, RECEIPT_PRIVATE_KEY: receiptSigner.privateKey },
        ...{ DATABASE_URL: 'postgres://unused', ...secret },
      };
      const real = await startTestApp({ database, withData: false, environment });
      try {
        await real.pipeline.refresh();
        assert.deepEqual(await idsOf(real), []);
      } finally {
        await real.stop();
      }
    } finally {
      await chain.stop();
      await database.close();
    }
  });
});
