import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { concatBytes, wholeBytes, type Bytes } from '../../contract/rendered.js';

const compressors = {
  br: (body: Uint8Array) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body: Uint8Array) => promisify(gzip)(body),
} as const;

export type Encoding = keyof typeof compressors;

/** Smaller bodies are not worth compressing. */
export const minCompressedBytes = 1400;

/** Compressed copies of replies, compressed once per reply and off the main thread. */
export interface CompressedCopies {
  get(cacheKey: string, encoding: Encoding, body: Bytes): Promise<Bytes>;
}

export function createCompressedCopies(maxBytes: number): CompressedCopies {
  const copies = new LRUCache<string, Promise<Bytes>>({ maxSize: maxBytes, sizeCalculation: () => 1 });
  return {
    get(cacheKey, encoding, body) {
      const key = `${encoding} ${cacheKey}`;
      const known = copies.get(key);
      if (known !== undefined) return known;
      const made = compressors[encoding](concatBytes(body)).then(wholeBytes);
      // A copy is about a fifth of its reply. Its exact size is known only after compression.
      copies.set(key, made, { size: Math.max(1, Math.ceil(body.byteLength / 4)) });
      made.catch(() => copies.delete(key));
      return made;
    },
  };
}

/** The best encoding that an Accept-Encoding header allows; undefined for none. */
export function pickEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const allowed = new Set(
    acceptEncoding
      .toLowerCase()
      .split(',')
      .map((each) => each.trim().split(/\s*;\s*/))
      .filter(([, quality]) => quality === undefined || !/^q=0(\.0*)?$/.test(quality))
      .map(([name]) => name),
  );
  return (['br', 'gzip'] as const).find((encoding) => allowed.has(encoding));
}
