import type { InFlight } from './in-flight.js';

/** Which nonces of a key are taken, and by what. */
export interface NonceBook {
  /** The lowest nonce that is free: a gap first. */
  next(): number;
  add(entry: InFlight): void;
  remove(entry: InFlight): void;
  find(nonce: number): InFlight | undefined;
  /** In the order of their nonces. */
  list(): readonly InFlight[];
  readonly size: number;
  /** How many nonces the chain has used, as far as was seen. */
  readonly mined: number;
  sawMined(count: number): void;
  /** The chain has gone back: whatever had a nonce from here on, and is not in the book, leaves a gap. */
  setMined(count: number): void;
  /** Nonces below this one are taken in the node's pool, by whomever. */
  reserve(count: number): void;
  /** The free nonces below the last that is taken: as long as they are free, nothing above them is mined. */
  gaps(): readonly number[];
}

/** Creates an empty book; fill it from the chain before the first nonce is taken. */
export function createNonceBook(): NonceBook {
  const entries = new Map<number, InFlight>();
  let mined = 0;
  let reserved = 0;

  return {
    next() {
      let nonce = Math.max(mined, reserved);
      while (entries.has(nonce)) nonce += 1;
      return nonce;
    },
    add: (entry) => void entries.set(entry.nonce, entry),
    remove: (entry) => void (entries.get(entry.nonce) === entry && entries.delete(entry.nonce)),
    find: (nonce) => entries.get(nonce),
    list: () => [...entries.values()].sort((one, other) => one.nonce - other.nonce),
    get size() {
      return entries.size;
    },
    get mined() {
      return mined;
    },
    sawMined: (count) => void (mined = Math.max(mined, count)),
    setMined(count) {
      mined = count;
      reserved = Math.min(reserved, count);
    },
    reserve: (count) => void (reserved = count),
    gaps() {
      const free: number[] = [];
      const last = Math.max(...entries.keys());
      for (let nonce = Math.max(mined, reserved); nonce < last; nonce += 1) if (!entries.has(nonce)) free.push(nonce);
      return free;
    },
  };
}
