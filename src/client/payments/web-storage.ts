import type { PaymentStorage } from './payment-storage.js';

/** The part of a Storage that is needed. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * Keeps payments in the browser, by default in the page's localStorage. Pages of the same origin share them; where the
 * browser has locks they take turns. Any script of the origin can read what is kept.
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
