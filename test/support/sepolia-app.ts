import { randomBytes } from 'node:crypto';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import type { AppOverrides } from '../../src/app.js';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { startTestApp, type TestApp } from './app.js';
import { dropListings } from './drop-listings.js';
import { createAccount, startTestChain, type TestChain } from './chain.js';

/** The service on Base Sepolia, on a local chain with that network's id and USDC's address. */
export interface SepoliaApp {
  readonly app: TestApp;
  readonly chain: TestChain;
  /** Has a dollar; its key is new, since public test keys are refused on public networks. */
  readonly payer: PrivateKeyAccount;
  readonly payerKey: Hex;
  readonly payTo: Hex;
  /** Signs offers and receipts. */
  readonly receiptSigner: Hex;
  /** The balances of the payer and payTo, in atomic units. */
  balances(): Promise<{ readonly payer: bigint; readonly payTo: bigint }>;
  stop(): Promise<void>;
}

export interface SepoliaOptions extends AppOverrides {
  /** Environment variables in addition to those needed to sell. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Inserts a proxy between the service and the node; returns its URL. */
  readonly nodeBefore?: (rpcUrl: string) => Promise<string>;
}

/** Starts it with one listing for sale. */
export async function startSepoliaApp(
  publicBaseUrl: string,
  { environment, nodeBefore, ...overrides }: SepoliaOptions = {},
): Promise<SepoliaApp> {
  const chain = await startTestChain(84532);
  const [relayer, receiptSigner, payTo] = [createAccount(), createAccount(), createAccount().address];
  const { privateKey: payerKey } = createAccount();
  const payer = privateKeyToAccount(payerKey);
  await chain.ask('anvil_setBalance', [relayer.address, '0xde0b6b3a7640000']);
  await chain.fund(payer.address, 1_000_000n);
  const app = await startTestApp({
    ...overrides,
    withData: false,
    environment: {
      NETWORK: 'eip155:84532',
      PAY_TO: payTo,
      RPC_URL: (await nodeBefore?.(chain.rpcUrl)) ?? chain.rpcUrl,
      RELAYER_PRIVATE_KEYS: relayer.privateKey,
      RECEIPT_PRIVATE_KEY: receiptSigner.privateKey,
      PUBLIC_BASE_URL: publicBaseUrl,
      DATABASE_URL: 'postgres://unused', // required to sell; the test's own database replaces it
      SERVER_SECRET: randomBytes(32).toString('hex'),
      ...environment,
    },
  });
  dropListings(app.config.dropDirectory);
  await app.pipeline.ingest();
  await app.pipeline.publish('day');
  return {
    app,
    chain,
    payer,
    payerKey,
    payTo,
    receiptSigner: receiptSigner.address,
    balances: async () => ({ payer: await chain.balanceOf(payer.address), payTo: await chain.balanceOf(payTo) }),
    async stop() {
      await app.stop();
      await chain.stop();
    },
  };
}
