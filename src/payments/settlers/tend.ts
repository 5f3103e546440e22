import type { Hex } from '../../chain/eip3009.js';
import { hasPassed } from './has-passed.js';
import { newestOf } from './in-flight.js';
import type { InFlight } from './in-flight.js';
import { nothingFrom } from './transmitter.js';
import type { Transmitter } from './transmitter.js';

/**
 * Does what can be done for a transaction that is not mined yet. When its time has come it is replaced by one that offers
 * more, otherwise sent again, byte for byte. What the node will not have any more, as when the base fee has risen above
 * it, is replaced at once; and when it will not have the replacement either, by a transfer of nothing, so that nothing
 * waits behind it. Rejects when a replacement cannot be signed or kept.
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
  if (hasPassed(bumpAfterMs, entry.raisedAtMs, now()) && (await transmitter.raise(entry, call))) {
    await transmitter.transmit(entry);
    return;
  }
  if ((await transmitter.transmit(entry)).kind !== 'refused') return;
  if ((await transmitter.raise(entry, call)) && (await transmitter.transmit(entry)).kind !== 'refused') return;
  if (await transmitter.raise(entry, nothingFrom(address))) await transmitter.transmit(entry);
}
