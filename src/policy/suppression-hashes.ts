import { createHmac } from 'node:crypto';
import { numberKey } from './suppression-keys.js';
import type { StoredSuppression, SuppressionKind, SuppressionStore } from './suppression-store.js';

/** A spelling of something that must not be shown. */
export type SuppressionText = readonly [kind: SuppressionKind, text: string];

const mostRememberedNumbers = 100_000;

/**
 * The keyed one-way hashes of what must not be shown, in memory as last refreshed: a reader of the database learns no
 * address and no parcel.
 */
export function createSuppressionHashes(store: SuppressionStore, key: string) {
  const hashOf = (kind: SuppressionKind | 'check', text: string): Buffer =>
    createHmac('sha256', key).update(`suppression|${kind}|${text}`).digest();
  const keyCheck = hashOf('check', '');
  let known = { count: 0, latest: undefined as Date | undefined };
  /** Those that are being written. */
  const coming = new Set<StoredSuppression>();
  let hashes = new Set<string>();
  let kinds = new Set<SuppressionKind>();
  const numbers = new Map<string, boolean>();
  const has = ([kind, text]: SuppressionText): boolean => hashes.has(hashOf(kind, text).toString('base64'));

  /**
   * Loads what was added here or elsewhere since.
   *
   * @throws SuppressionError for hashes made under another key
   */
  async function refresh(): Promise<void> {
    const { count, latest } = await store.readState();
    if (count !== known.count || latest?.getTime() !== known.latest?.getTime()) await reload();
  }

  async function reload(): Promise<void> {
    const state = await store.readState();
    const all = await store.readAll();
    if (all.some((each) => !each.keyCheck.equals(keyCheck))) {
      throw new SuppressionError(
        'The suppression list was written under another key, so that nothing on it would be found. Restore the table server_keys; or empty it, and start with the SERVER_SECRET by which the list was written.',
      );
    }
    takeIn([...all, ...coming]);
    known = state;
  }

  function takeIn(all: readonly StoredSuppression[]): void {
    hashes = new Set(all.map(({ hash }) => hash.toString('base64')));
    kinds = new Set(all.map(({ kind }) => kind));
    numbers.clear();
  }

  return {
    refresh,
    /** Adds some, which are found from now on. Existing ones stay unchanged. `placeKeys`: see the store. */
    async add(texts: readonly SuppressionText[], placeKeys: readonly string[], reason: string): Promise<void> {
      const toStored = ([kind, text]: SuppressionText): StoredSuppression => {
        return { hash: hashOf(kind, text), kind, keyCheck, reason: reason.slice(0, 200) };
      };
      const added = texts.map(toStored);
      for (const each of added) coming.add(each);
      try {
        // Known before they are written: what is taken down with them is found by them.
        await reload();
        await store.add(added, placeKeys);
      } finally {
        for (const each of added) coming.delete(each);
        await reload();
      }
    },
    has,
    hasKind: (kind: SuppressionKind): boolean => kinds.has(kind),
    /** Whether a suppressed building of the state has this number. Cached. */
    hasNumber(number: number, state: string): boolean {
      const text = numberKey(number, state);
      const remembered = numbers.get(text);
      if (remembered !== undefined) return remembered;
      if (numbers.size >= mostRememberedNumbers) numbers.clear();
      const found = has(['number', text]);
      numbers.set(text, found);
      return found;
    },
    size: () => hashes.size,
  };
}

/** A wish or a list that cannot be followed; the message says what to do and repeats no address. */
export class SuppressionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SuppressionError';
  }
}
