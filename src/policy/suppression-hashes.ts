import { createHmac } from 'node:crypto';
import { SuppressionError } from './suppression-error.js';
import { numberKey } from './suppression-keys.js';
import type { StoredSuppression, SuppressionKind, SuppressionStore } from './suppression-store.js';

/** A spelling of something that must not be shown. */
export type SuppressionText = readonly [kind: SuppressionKind, text: string];

/** The keyed one-way hashes of what must not be shown, in memory as last refreshed. */
export interface SuppressionHashes {
  /**
   * Takes in what was added here or elsewhere since. Throws SuppressionError for hashes that were made under another
   * key.
   */
  refresh(): Promise<void>;
  /** Adds some, and refreshes. One that is there stays as it is. */
  add(texts: readonly SuppressionText[], reason: string): Promise<void>;
  has(text: SuppressionText): boolean;
  hasKind(kind: SuppressionKind): boolean;
  /** Whether a suppressed building of the state has this number; remembered, so that asking again costs one look-up. */
  hasNumber(number: number, state: string): boolean;
  size(): number;
  /** When the last one came; undefined while there is none. */
  grownAt(): Date | undefined;
}

const mostRememberedNumbers = 100_000;

/** Hashes under a key: who reads the database learns no address and no parcel. */
export function createSuppressionHashes(store: SuppressionStore, key: string, now: () => Date): SuppressionHashes {
  const hashOf = (kind: SuppressionKind | 'check', text: string): Buffer =>
    createHmac('sha256', key).update(`suppression|${kind}|${text}`).digest();
  const keyCheck = hashOf('check', '');
  let known = { count: 0, latest: undefined as Date | undefined };
  let hashes = new Set<string>();
  let kinds = new Set<SuppressionKind>();
  const numbers = new Map<string, boolean>();
  const has = ([kind, text]: SuppressionText): boolean => hashes.has(hashOf(kind, text).toString('base64'));

  async function refresh(): Promise<void> {
    const state = await store.readState();
    if (state.count === known.count && state.latest?.getTime() === known.latest?.getTime()) return;
    const all = await store.readAll();
    if (all.some((each) => !each.keyCheck.equals(keyCheck))) {
      throw new SuppressionError(
        'The suppression list was written under another key, so that nothing on it would be found. Restore the table server_keys; or empty it, and start with the SERVER_SECRET by which the list was written.',
      );
    }
    hashes = new Set(all.map(({ hash }) => hash.toString('base64')));
    kinds = new Set(all.map(({ kind }) => kind));
    numbers.clear();
    known = state;
  }

  return {
    refresh,
    async add(texts, reason) {
      const createdAt = now();
      const toStored = ([kind, text]: SuppressionText): StoredSuppression => {
        return { hash: hashOf(kind, text), kind, keyCheck, reason: reason.slice(0, 200), createdAt };
      };
      await refresh();
      await store.add(texts.map(toStored));
      await refresh();
    },
    has,
    hasKind: (kind) => kinds.has(kind),
    hasNumber(number, state) {
      const text = numberKey(number, state);
      const remembered = numbers.get(text);
      if (remembered !== undefined) return remembered;
      if (numbers.size >= mostRememberedNumbers) numbers.clear();
      const found = has(['number', text]);
      numbers.set(text, found);
      return found;
    },
    size: () => known.count,
    grownAt: () => known.latest,
  };
}
