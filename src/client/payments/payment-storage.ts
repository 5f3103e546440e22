/**
 * Keeps a client's open payments and spent amounts. A storage that outlives the process lets a restarted client present
 * its payments again and keep its budget. The content is secret.
 */
export interface PaymentStorage {
  /**
   * Replaces the stored text by the result of `change`, atomically. The argument is undefined when nothing was ever
   * stored. When `change` throws or the write fails, nothing is replaced. `change` may run again on a newer text, even
   * on one that contains its own earlier result.
   */
  update(change: (text: string | undefined) => string): Promise<void>;
}

/** A storage in memory: a restart forgets open payments and spent amounts. */
export function createMemoryStorage(): PaymentStorage {
  let text: string | undefined;
  return { update: async (change) => void (text = change(text)) };
}

/** The required part of a Storage. */
type TextStore = Pick<Storage, 'getItem' | 'setItem'>;

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
