/** Pseudo-random draws from a seed: the same on every machine and in every run. */
export interface Draw {
  /** A number in [0, 1). */
  fraction(): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** A number from `low` up to but excluding `high`. */
  between(low: number, high: number): number;
  /** One element of a nonempty list. */
  pick<T>(list: readonly T[]): T;
}

/** Creates the draws for one thing, such as listing 17 of seed 1, independent of other things' draws. */
export function createDraw(seed: number, thing: number): Draw {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(thing + 1, 0x85ebca6b)) >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    fraction,
    whole: (low, high) => low + Math.floor(fraction() * (high - low + 1)),
    between: (low, high) => low + fraction() * (high - low),
    pick: (list) => {
      const picked = list[Math.floor(fraction() * list.length)];
      if (picked === undefined) throw new RangeError('The list is empty.');
      return picked;
    },
  };
}
