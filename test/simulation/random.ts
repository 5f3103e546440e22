/** A stream of chance that its seed decides: the same seed, the same stream. */
export interface Random {
  /** In [0, 1). */
  fraction(): number;
  /** A whole number in [0, limit). */
  below(limit: number): number;
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** Creates the stream of a seed with a name: streams of other names do not move when one is drawn from more often. */
export function createRandom(seed: number, name: string): Random {
  const next = createSfc32(seed, hashOf(name));
  const random: Random = {
    fraction: () => next() / 2 ** 32,
    below: (limit) => Math.floor((next() / 2 ** 32) * limit),
    between: (from, to) => from + (next() / 2 ** 32) * (to - from),
    chance: (probability) => next() / 2 ** 32 < probability,
    pick: (items) => items[random.below(items.length)] ?? items[0],
  };
  return random;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Chris Doty-Humphrey's small fast counting generator: 32 random bits at a time. */
function createSfc32(seed: number, stream: number): () => number {
  let [a, b, c, counter] = [seed | 0, (seed / 2 ** 32) | 0, stream | 0, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}
