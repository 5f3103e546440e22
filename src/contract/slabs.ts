const slabBytes = 256 * 1024;
/**
 * Of a slab, below which what is left in it is worth its copy: all that is kept takes a third more than it has, at
 * most.
 */
const leastUse = 0.75;

let slab = Buffer.alloc(0);
let used = 0;

/** Encodes texts one behind the other: memory of its own for each of a hundred thousand keeps the collector busy. */
export function encodeText(text: string): Buffer {
  const length = Buffer.byteLength(text);
  if (!fitsSlab(length)) return Buffer.from(text);
  const place = takePlace(length);
  place.write(text);
  return place;
}

/**
 * The same bytes behind those that were encoded last: the slab where they stood is freed when nothing in it is kept.
 */
export function moveBytes(bytes: Uint8Array): Uint8Array {
  if (!fitsSlab(bytes.length)) return bytes;
  const place = takePlace(bytes.length);
  place.set(bytes);
  return place;
}

/** Whether so few bytes of some memory are kept that they had better be moved. */
export function isSparse(memory: ArrayBufferLike, keptBytes: number): boolean {
  return memory !== slab.buffer && keptBytes < memory.byteLength * leastUse;
}

function fitsSlab(length: number): boolean {
  return length <= slabBytes / 8;
}

function takePlace(length: number): Buffer {
  if (used + length > slab.length) [slab, used] = [Buffer.allocUnsafeSlow(slabBytes), 0];
  used += length;
  return slab.subarray(used - length, used);
}
