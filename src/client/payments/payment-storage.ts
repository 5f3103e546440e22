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
  /** Where replies with an ETag are kept. Default: in memory. */
  readonly replies?: ReplyStorage;
}

/** Keeps bought replies by a key, as long as there is room. What is lost or torn costs a payment, and nothing else. */
export interface ReplyStorage {
  /** Undefined for what is not kept, any more or yet. */
  find(key: string): Promise<string | undefined>;
  keep(key: string, text: string): Promise<void>;
}

/** Characters of all replies in memory. */
const maxCharacters = 20_000_000;

/** Keeps replies in memory; beyond 20 million characters, the oldest are dropped. */
export function createMemoryReplies(): ReplyStorage {
  const texts = new Map<string, string>();
  return {
    find: async (key) => texts.get(key),
    async keep(key, text) {
      texts.delete(key); // so that it is the newest
      texts.set(key, text);
      let characters = [...texts.values()].reduce((sum, { length }) => sum + length, 0);
      for (const [oldest, { length }] of texts) {
        if (characters <= maxCharacters) return;
        texts.delete(oldest);
        characters -= length;
      }
    },
  };
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
