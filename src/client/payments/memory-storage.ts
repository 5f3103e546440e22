import type { PaymentStorage } from './payment-storage.js';

/** A storage that ends with the process: after a restart nothing is known of what was open or spent. */
export function createMemoryStorage(): PaymentStorage {
  let text: string | undefined;
  return { update: async (change) => void (text = change(text)) };
}
