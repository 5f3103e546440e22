import type { Hex } from '../../chain/eip3009.js';
import { hasPassed } from '../pause.js';
import { newestOf, type InFlight } from './nonce-book.js';
import { nothingFrom, type Transmitter } from './transmitter.js';

/** A buyer who has left is not charged later than this, and nothing waits longer behind what no node mines. */
const giveUpAfterMs = 300_000;

/**
 * Does what can be done for a transaction that is not mined yet. When its time has come it is replaced by one that
 * offers more, otherwise sent again, byte for byte. What the node will not have any more, as when the base fee has
 * risen above it, is replaced at once; and when it will not have the replacement either, or after 300 s, by a transfer
 * of nothing, so that nothing waits behind it. Rejects when a replacement cannot be signed or kept.
 */
export async function tend(
  entry: InFlight,
  ports: {
    readonly transmitter: Pick<Transmitter, 'raise' | 'transmit'>;
    readonly address: Hex;
    readonly now: () => Date;
    readonly bumpAfterMs: number;
  },
): Promise<void> {
  const { transmitter, address, now, bumpAfterMs } = ports;
  const { call } = newestOf(entry);
  const nothing = nothingFrom(address);
  // Where the clock is put back, the time begins anew.
  entry.takenAtMs = Math.min(entry.takenAtMs, now().getTime());
  const isOver = now().getTime() - entry.takenAtMs >= giveUpAfterMs && call.to !== address;
  if (isOver && (await transmitter.raise(entry, nothing))) return void (await transmitter.transmit(entry));
  if (hasPassed(bumpAfterMs, entry.raisedAtMs, now()) && (await transmitter.raise(entry, call))) {
    await transmitter.transmit(entry);
    return;
  }
  if ((await transmitter.transmit(entry)).kind !== 'refused') return;
  if ((await transmitter.raise(entry, call)) && (await transmitter.transmit(entry)).kind !== 'refused') return;
  if (await transmitter.raise(entry, nothing)) await transmitter.transmit(entry);
}
