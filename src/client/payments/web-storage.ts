import type { PaymentStorage } from './payment-storage.js';

/** The required part of a Storage. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * Keeps payments in the browser, by default in the page's localStorage. Pages of the same origin share them, and take
 * turns where the browser supports locks. Every script of the origin can read them.
 */
export function createWebStorage(store: TextStore = localStorage, key = 'x402-payments'): PaymentStorage {
  const locks: LockManager | undefined = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
  return {
    async update(change) {
      const replace = () => store.setItem(key, change(store.getItem(key) ?? undefined));
      await (locks === undefined ? replace() : locks.request(key, replace));
    },
  };
}
