import assert from 'node:assert/strict';
import { privateKeyToAccount } from 'viem/accounts';
import { demonstrationKey } from '../../src/client/payments/choose-payer.js';
import { createDealsClient } from '../../src/client/create-deals-client.js';
import type { DealsClient, DealsClientOptions } from '../../src/client/deals-client.js';
import { createMemoryStorage, type PaymentStorage } from '../../src/client/payments/payment-storage.js';
import { PurchaseError } from '../../src/client/payments/purchase-error.js';
import { startMockServer, type Answer, type MockServer } from './mock-server.js';

/** A payer: an account with test dollars on the demonstration's chain. */
export const account = privateKeyToAccount(demonstrationKey);

/** Sample records. */
export const deals = [{ id: 'a' }, { id: 'b' }];

/** A buyer with its own clock. Its clients share the storage. */
export interface Buyer {
  readonly server: MockServer;
  readonly storage: PaymentStorage;
  open(options?: Partial<DealsClientOptions>): DealsClient;
  advance(seconds: number): void;
  /** Distinct presented payments, and how often each was presented. */
  signed(): number;
  presented(): number;
}

/** Lets a buyer buy from a scripted server. */
export async function withBuyer(script: readonly Answer[], use: (buyer: Buyer) => Promise<void>): Promise<void> {
  const server = await startMockServer(script);
  const storage = createMemoryStorage();
  let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
  try {
    await use({
      server,
      storage,
      open: (options = {}) =>
        createDealsClient({
          baseUrl: server.url,
          account,
          storage,
          maxAttempts: 2,
          now: () => new Date(nowMs),
          sleep: async () => undefined,
          ...options,
        }),
      advance: (seconds) => void (nowMs += seconds * 1000),
      signed: () => new Set(server.signatures()).size,
      presented: () => server.signatures().length,
    });
  } finally {
    await server.stop();
  }
}

/** The error of a failing call. */
export async function failureOf(call: Promise<unknown>): Promise<PurchaseError> {
  const error = await call.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PurchaseError, String(error));
  return error;
}
