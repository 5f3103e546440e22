const maxUint64 = (1n << 64n) - 1n;

/**
 * Writes `0x` and exactly `length` bytes of hexadecimal at `offset`. False, with the bytes there undefined, when the
 * text is anything else.
 */
export function writeHexBytes(target: Buffer, offset: number, hex: string, length: number): boolean {
  if (hex.length !== 2 + 2 * length || !hex.startsWith('0x')) return false;
  return target.write(hex.slice(2), offset, length, 'hex') === length;
}

/** Writes a uint256 as 32 bytes, big-endian. False when the number is negative or does not fit. */
export function writeUint256(target: Buffer, offset: number, value: bigint): boolean {
  if (value < 0n) return false;
  if (value > maxUint64) return writeHexBytes(target, offset, `0x${value.toString(16).padStart(64, '0')}`, 32);
  target.fill(0, offset, offset + 24);
  target.writeBigUInt64BE(value, offset + 24);
  return true;
}
