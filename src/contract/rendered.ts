/**
 * The bytes of a JSON value that was held against the contract. Only this room makes one, so that whoever has one may
 * send it without another check.
 */
export class Rendered<T> {
  /** The type of the value behind the bytes; there is no such member at run time. */
  declare readonly value: T;

  /** @internal Made by `createProver` and `joinRendered` only. */
  constructor(readonly bytes: Uint8Array) {}
}

const opening = 0x5b;
const comma = 0x2c;
const closing = 0x5d;

/** The JSON array of proven records; proven because each record is. */
export function joinRendered<T>(records: readonly Rendered<T>[]): Rendered<T[]> {
  const separators = Math.max(records.length - 1, 0);
  let size = 2 + separators;
  for (const record of records) size += record.bytes.length;
  const bytes = Buffer.allocUnsafe(size);
  bytes[0] = opening;
  let offset = 1;
  for (const record of records) {
    if (offset > 1) bytes[offset++] = comma;
    bytes.set(record.bytes, offset);
    offset += record.bytes.length;
  }
  bytes[offset] = closing;
  return new Rendered<T[]>(bytes);
}
