import { privateKeyToAccount } from 'viem/accounts';
import { createDealsClient, createWebStorage, OutcomeUnknownError } from '../../src/client/entry.js';

// The bundled program of a page that buys, run in a real browser by its test.

export interface PageResult {
  readonly count: number;
  readonly transaction: string | undefined;
  readonly isOutcomeUnknown: boolean;
  readonly lastHour: string;
}

/** Buys in the page, with payments in its localStorage. */
async function buyInPage(baseUrl: string, privateKey: `0x${string}`): Promise<PageResult> {
  const client = createDealsClient({
    baseUrl,
    account: privateKeyToAccount(privateKey),
    storage: createWebStorage(),
    budget: { perHour: '0.10' },
    maxAttempts: 1,
  });
  try {
    const { data, paid } = await client.deals({ state: 'OH', limit: 3 });
    const { lastHour } = await client.spending();
    return { count: data.length, transaction: paid?.transaction, isOutcomeUnknown: false, lastHour };
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
    const { lastHour } = await client.spending();
    return { count: 0, transaction: undefined, isOutcomeUnknown: true, lastHour };
  }
}

Object.assign(globalThis, { buyInPage });
