import type { Authorization, Hex } from '../../src/payments/chain/eip3009.js';

/** Reads and writes calldata by hand: viem would take longer than the rest of a simulated call. */

/** The 32 bytes at a place of calldata, after its selector. */
function wordAt(data: string, byte: number): string {
  return data.slice(10 + 2 * byte, 74 + 2 * byte);
}

function numberAt(data: string, byte: number): number {
  return Number.parseInt(wordAt(data, byte), 16);
}

/** The authorization in the calldata of a transfer. */
export function readTransfer(data: string): Authorization {
  const address = (byte: number): Hex => `0x${wordAt(data, byte).slice(24)}`;
  return {
    from: address(0),
    to: address(32),
    value: BigInt(`0x${wordAt(data, 64)}`),
    validAfter: BigInt(`0x${wordAt(data, 96)}`),
    validBefore: BigInt(`0x${wordAt(data, 128)}`),
    nonce: `0x${wordAt(data, 160)}`,
    signature: '0x',
  };
}

/** The calls in the calldata of Multicall3's aggregate3, each with its selector. */
export function readAggregate(data: string): readonly Hex[] {
  const list = numberAt(data, 0);
  const count = numberAt(data, list);
  return Array.from({ length: count }, (_, index): Hex => {
    const call = list + 32 + numberAt(data, list + 32 + 32 * index);
    const bytes = call + numberAt(data, call + 64);
    const start = 10 + 2 * (bytes + 32);
    return `0x${data.slice(start, start + 2 * numberAt(data, bytes))}`;
  });
}

/** An account and a nonce, as authorizationState takes them; the account of balanceOf. */
export function readState(data: string): { readonly payer: Hex; readonly nonce: Hex } {
  return { payer: `0x${wordAt(data, 0).slice(24)}`, nonce: `0x${wordAt(data, 32)}` };
}

export function word(value: bigint | number): string {
  return value.toString(16).padStart(64, '0');
}

/** What aggregate3 returns. */
export function writeResults(results: readonly { readonly success: boolean; readonly returnData: Hex }[]): Hex {
  const tuples = results.map(({ success, returnData }) => {
    const bytes = returnData.slice(2);
    const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0');
    return `${word(success ? 1 : 0)}${word(64)}${word(bytes.length / 2)}${padded}`;
  });
  let offset = 32 * results.length;
  const offsets = tuples.map((tuple) => {
    const at = offset;
    offset += tuple.length / 2;
    return word(at);
  });
  return `0x${word(32)}${word(results.length)}${offsets.join('')}${tuples.join('')}`;
}
