import type { TransactionReceipt } from 'viem';
import type { Hex } from '../../chain/eip3009.js';
import { createNonceBook, type InFlight, type NonceBook, type Relayed } from './nonce-book.js';
import { createNonceWatch, type NonceWatch, type NonceWatchPorts } from './nonce-watch.js';

export const unproven: Relayed = { outcome: 'unknown', detail: 'what was sent before is not mined yet' };

/** The receipt of one of its variants ends it. */
export function concludeIn(book: NonceBook, entry: InFlight, receipt: TransactionReceipt): void {
  book.remove(entry);
  const mined = entry.variants.find(({ hash }) => hash === receipt.transactionHash);
  // A transfer of nothing: the call was given up, and nothing of it can be mined.
  const isGivenUp = mined?.call.data === '0x';
  entry.finish(
    isGivenUp ? { outcome: 'displaced', blockNumber: receipt.blockNumber } : { outcome: 'mined', receipt },
  );
}

/** Another transaction has its nonce. */
export function displaceIn(book: NonceBook, entry: InFlight, blockNumber: bigint): void {
  book.remove(entry);
  entry.finish({ outcome: 'displaced', blockNumber });
}

/**
 * Follows what other keys have signed, which this process can send again but not replace. Each key has a watch of its
 * own, which sleeps while nothing is followed.
 */
export function createOtherKeys(ports: Omit<NonceWatchPorts, 'address' | 'book' | 'conclude' | 'displaced' | 'mend' | 'goBack'>) {
  const keys = new Map<Hex, { readonly book: NonceBook; readonly watch: NonceWatch }>();

  function open(address: Hex) {
    const book = createNonceBook();
    const watch = createNonceWatch({
      ...ports,
      transmitter: { raise: async () => false, transmit: ports.transmitter.transmit },
      address,
      book,
      conclude: (entry, receipt) => concludeIn(book, entry, receipt),
      displaced: (entry, blockNumber) => displaceIn(book, entry, blockNumber),
      mend: async () => undefined,
      goBack: (mined) => book.setMined(mined),
    });
    const key = { book, watch };
    keys.set(address, key);
    return key;
  }

  return {
    find: (address: Hex, nonce: number) => keys.get(address)?.book.find(nonce),
    watch(address: Hex, entry: InFlight) {
      const { book, watch } = keys.get(address) ?? open(address);
      book.add(entry);
      watch.wake();
    },
    leave(address: Hex, entry: InFlight) {
      keys.get(address)?.book.remove(entry);
      entry.finish(unproven);
    },
    ended: () => Promise.all([...keys.values()].map(({ watch }) => watch.ended())),
  };
}
