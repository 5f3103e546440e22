import type { PaymentStorage } from './payment-storage.js';

/** A storage in memory: a restart forgets open payments and spent amounts. */
export function createMemoryStorage(): PaymentStorage {
  let text: string | undefined;
  return { update: async (change) => void (text = change(text)) };
}
