/**
 * A set of positions, one bit each, in words of 32. There are always a multiple of four words: what looks through whole
 * sets takes four at a time, which is half the time of one at a time.
 */
export type Bitmap = Uint32Array;

/** An empty set with room for positions below `size`. */
export function createBitmap(size: number): Bitmap {
  return new Uint32Array(Math.ceil(size / 128) * 4);
}

/** The set of the positions for which the test holds. */
export function bitmapWhere(size: number, test: (position: number) => boolean): Bitmap {
  const bitmap = createBitmap(size);
  for (let position = 0; position < size; position++) if (test(position)) addPosition(bitmap, position);
  return bitmap;
}

export function addPosition(bitmap: Bitmap, position: number): void {
  bitmap[position >>> 5] = (bitmap[position >>> 5] ?? 0) | (1 << (position & 31));
}

export function hasPosition(bitmap: Bitmap, position: number): boolean {
  return (((bitmap[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1;
}

/** Adds a position that is not there, removes one that is. */
export function flipPosition(bitmap: Bitmap, position: number): void {
  bitmap[position >>> 5] = (bitmap[position >>> 5] ?? 0) ^ (1 << (position & 31));
}

/** Keeps in `target` what is also in `other`. */
export function intersect(target: Bitmap, other: Bitmap): void {
  const { length } = target;
  for (let word = 0; word < length; word += 4) {
    target[word] = (target[word] ?? 0) & (other[word] ?? 0);
    target[word + 1] = (target[word + 1] ?? 0) & (other[word + 1] ?? 0);
    target[word + 2] = (target[word + 2] ?? 0) & (other[word + 2] ?? 0);
    target[word + 3] = (target[word + 3] ?? 0) & (other[word + 3] ?? 0);
  }
}

/** Removes from `target` what is in `other`. */
export function subtract(target: Bitmap, other: Bitmap): void {
  const { length } = target;
  for (let word = 0; word < length; word += 4) {
    target[word] = (target[word] ?? 0) & ~(other[word] ?? 0);
    target[word + 1] = (target[word + 1] ?? 0) & ~(other[word + 1] ?? 0);
    target[word + 2] = (target[word + 2] ?? 0) & ~(other[word + 2] ?? 0);
    target[word + 3] = (target[word + 3] ?? 0) & ~(other[word + 3] ?? 0);
  }
}

/** Removes every position at or above `end`. */
export function cutFrom(bitmap: Bitmap, end: number): void {
  const word = end >>> 5;
  if (word >= bitmap.length) return;
  bitmap[word] = (bitmap[word] ?? 0) & ((1 << (end & 31)) - 1);
  bitmap.fill(0, word + 1);
}

/** How many positions are in the set: four words are added up bit by bit before any bit is counted. */
export function countPositions(bitmap: Bitmap): number {
  const { length } = bitmap;
  let ones = 0;
  let twos = 0;
  let fours = 0;
  for (let word = 0; word < length; word += 4) {
    // One by one: destructuring would make an object of each word.
    const first = bitmap[word] ?? 0;
    const second = bitmap[word + 1] ?? 0;
    const third = bitmap[word + 2] ?? 0;
    const fourth = bitmap[word + 3] ?? 0;
    const carried = carry(ones, first, second);
    ones ^= first ^ second;
    const carriedToo = carry(ones, third, fourth);
    ones ^= third ^ fourth;
    fours += countBits(carry(twos, carried, carriedToo));
    twos ^= carried ^ carriedToo;
  }
  return 4 * fours + 2 * countBits(twos) + countBits(ones);
}

/** The bits that are set in at least two of three words. */
function carry(one: number, second: number, third: number): number {
  return (one & second) | ((one ^ second) & third);
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The first positions of the set at or above `start`, at most `limit`, ascending. */
export function firstPositions(bitmap: Bitmap, start: number, limit: number): number[] {
  const positions: number[] = [];
  for (let word = start >>> 5; word < bitmap.length && positions.length < limit; word++) {
    let bits = bitmap[word] ?? 0;
    if (word === start >>> 5) bits &= -1 << (start & 31);
    while (bits !== 0 && positions.length < limit) {
      positions.push(word * 32 + 31 - Math.clz32(bits & -bits));
      bits &= bits - 1;
    }
  }
  return positions;
}

/** The last positions of the set, at most `limit`, ascending. */
export function lastPositions(bitmap: Bitmap, limit: number): number[] {
  const positions: number[] = [];
  for (let word = bitmap.length - 1; word >= 0 && positions.length < limit; word--) {
    let bits = bitmap[word] ?? 0;
    while (bits !== 0 && positions.length < limit) {
      const bit = 31 - Math.clz32(bits);
      positions.push(word * 32 + bit);
      bits &= ~(1 << bit);
    }
  }
  return positions.reverse();
}

/** Adds to `target` what is in `other`. */
export function unite(target: Bitmap, other: Bitmap): void {
  const { length } = target;
  for (let word = 0; word < length; word += 4) {
    target[word] = (target[word] ?? 0) | (other[word] ?? 0);
    target[word + 1] = (target[word + 1] ?? 0) | (other[word + 1] ?? 0);
    target[word + 2] = (target[word + 2] ?? 0) | (other[word + 2] ?? 0);
    target[word + 3] = (target[word + 3] ?? 0) | (other[word + 3] ?? 0);
  }
}
