import { createHash } from 'node:crypto';
import { encodeText, moveBytes } from './slabs.js';

/** Bytes in pieces: what was rendered once is sent from where it lies, without being copied together. */
export interface Bytes {
  readonly chunks: readonly Uint8Array[];
  readonly byteLength: number;
}

/**
 * The bytes of a JSON value that was held against the contract. Only this room makes one, so that whoever has one may
 * send it without another check.
 */
export class Rendered<T> implements Bytes {
  /** The type of the value behind the bytes; there is no such member at run time. */
  declare readonly value: T;

  /** @internal Made in this file only. */
  constructor(
    readonly chunks: readonly Uint8Array[],
    readonly byteLength: number,
    /** The same bytes behind a comma: a record in the middle of a list is then one piece, not two. */
    readonly behindComma?: Uint8Array,
  ) {}
}

/** @internal A value's proven JSON text. */
export function renderText<T>(json: string): Rendered<T> {
  return renderBehindComma(encodeText(`,${json}`));
}

/** The memory that the bytes of a text keep; others may lie in it. */
export function memoryOf({ chunks }: Rendered<unknown>): ArrayBufferLike {
  // There is no value without a byte.
  const [first] = chunks as readonly [Uint8Array];
  return first.buffer;
}

/** The same bytes in other memory; see `moveBytes`. */
export function moveRendered<T>(rendered: Rendered<T>): Rendered<T> {
  if (rendered.behindComma === undefined) return rendered;
  return renderBehindComma(moveBytes(rendered.behindComma));
}

function renderBehindComma<T>(behindComma: Uint8Array): Rendered<T> {
  return new Rendered<T>([behindComma.subarray(1)], behindComma.length - 1, behindComma);
}

/** Bytes that were proven before they were stored; that they are the same is the word of whoever stored them. */
export function renderStored<T>({ chunks, byteLength }: Bytes): Rendered<T> {
  return new Rendered<T>(chunks, byteLength);
}

const opening = Buffer.from('[');
const comma = Buffer.from(',');
const closing = Buffer.from(']');

/** The JSON array of proven records; proven because each record is. Copies nothing. */
export function joinRendered<T>(records: readonly Rendered<T>[]): Rendered<T[]> {
  const chunks: Uint8Array[] = [opening];
  let byteLength = 2 + Math.max(records.length - 1, 0);
  for (const record of records) {
    byteLength += record.byteLength;
    const isFirst = chunks.length === 1;
    if (!isFirst && record.behindComma !== undefined) chunks.push(record.behindComma);
    else if (isFirst) chunks.push(...record.chunks);
    else chunks.push(comma, ...record.chunks);
  }
  chunks.push(closing);
  return new Rendered<T[]>(chunks, byteLength);
}

/** The same bytes in one piece, and in memory of their own where they were not. */
export function gatherRendered<T>(rendered: Rendered<T>): Rendered<T> {
  return new Rendered<T>([concatBytes(rendered)], rendered.byteLength);
}

/** One buffer as bytes. */
export function wholeBytes(buffer: Uint8Array): Bytes {
  return { chunks: [buffer], byteLength: buffer.length };
}

/** The bytes in one buffer; copied only where there is more than one piece. */
export function concatBytes({ chunks, byteLength }: Bytes): Uint8Array {
  const [only, ...others] = chunks;
  return only !== undefined && others.length === 0 ? only : Buffer.concat(chunks, byteLength);
}

/** The value behind the bytes, read anew. */
export function readRendered<T>(rendered: Rendered<T>): T {
  return JSON.parse(Buffer.from(concatBytes(rendered)).toString('utf8')) as T;
}

/**
 * @internal A proven JSON object whose first member is an empty list, with that list in its place. Copies no record.
 */
export function renderAround<T>(json: string, key: string, list: Bytes): Rendered<T> {
  const head = Buffer.from(`{${JSON.stringify(key)}:`);
  const tail = Buffer.from(json.slice(`{${JSON.stringify(key)}:[]`.length));
  return new Rendered<T>([head, ...list.chunks, tail], head.length + list.byteLength + tail.length);
}

/** By identity, so that a reply that sells often is hashed once. Bytes are never changed. */
const digests = new WeakMap<Bytes, Buffer>();

/** SHA-256 of the bytes, 32 bytes long. */
export function contentDigest(bytes: Bytes): Buffer {
  let digest = digests.get(bytes);
  if (digest === undefined) {
    const hash = createHash('sha256');
    for (const chunk of bytes.chunks) hash.update(chunk);
    digest = hash.digest();
    digests.set(bytes, digest);
  }
  return digest;
}
