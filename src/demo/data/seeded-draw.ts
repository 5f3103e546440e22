export type Draw = ReturnType<typeof createDraw>;

/**
 * Creates the pseudo-random draws for one thing, such as listing 17 of seed 1: independent of other things' draws, and
 * the same on every machine and in every run.
 */
export function createDraw(seed: number, thing: number) {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(thing + 1, 0x85ebca6b)) >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    /** A number in [0, 1). */
    fraction,
    /** A whole number from `low` to `high`, both included. */
    whole: (low: number, high: number): number => low + Math.floor(fraction() * (high - low + 1)),
    /** A number from `low` up to but excluding `high`. */
    between: (low: number, high: number): number => low + fraction() * (high - low),
    /** One element of a nonempty list. */
    pick: <T>(list: readonly T[]): T => {
      const picked = list[Math.floor(fraction() * list.length)];
      if (picked === undefined) throw new RangeError('The list is empty.');
      return picked;
    },
  };
}
