/** A seeded random stream: the same seed gives the same stream. */
export interface Random {
  /** In [0, 1). */
  fraction(): number;
  /** A whole number in [0, limit). */
  below(limit: number): number;
  between(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** Creates the stream of a seed and a name. Streams of other names are independent of its draws. */
export function createRandom(seed: number, name: string): Random {
  return new Stream(seed, hashOf(name));
}

/** Chris Doty-Humphrey's small fast counting generator: 32 random bits at a time. */
class Stream implements Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: number, stream: number) {
    [this.a, this.b, this.c] = [seed | 0, (seed / 2 ** 32) | 0, stream | 0];
    for (let round = 0; round < 12; round++) this.next();
  }

  fraction(): number {
    return this.next() / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  between(from: number, to: number): number {
    return from + this.fraction() * (to - from);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }

  private next(): number {
    const { a, b, c } = this;
    const sum = (((a + b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = b ^ (b >>> 9);
    this.b = (c + (c << 3)) | 0;
    this.c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
