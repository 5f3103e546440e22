import type { Hex } from '../../chain/eip3009.js';
import { newestOf, type Call, type InFlight } from './nonce-book.js';
import { nothingFrom, type Transmitter } from './transmitter.js';

/**
 * Resends a pending transaction byte for byte, or replaces it at a higher fee after `bumpAfterMs`. A transaction that
 * the node rejects, such as one below the base fee, is replaced at once. If the node also rejects the replacement, or
 * once it is to be given up, a transfer of zero to our own address takes the nonce. Rejects when a replacement cannot
 * be signed or stored.
 */
export async function resendOrReplace(
  entry: InFlight,
  ports: {
    readonly transmitter: Pick<Transmitter, 'raise' | 'transmit'>;
    readonly address: Hex;
    readonly nowMs: () => number;
    readonly bumpAfterMs: number;
  },
): Promise<void> {
  const { transmitter, address, nowMs, bumpAfterMs } = ports;
  const { call } = newestOf(entry);
  const nothing = nothingFrom(address);
  const isOver = (entry.isForgotten || nowMs() >= entry.giveUpAtMs) && call.to !== address;
  /** Undefined when the fee cap forbids a replacement. */
  const replace = async (by: Call) => ((await transmitter.raise(entry, by)) ? transmitter.transmit(entry) : undefined);
  if (isOver && (await replace(nothing))) return;
  if (isOver && entry.isForgotten) return;
  if (nowMs() - entry.raisedAtMs >= bumpAfterMs && (await replace(call))) return;
  if ((await transmitter.transmit(entry)).kind !== 'refused') return;
  const replaced = await replace(call);
  if (!replaced || replaced.kind === 'refused') await replace(nothing);
}
