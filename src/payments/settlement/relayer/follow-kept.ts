import type { Hex } from '../../chain/eip3009.js';
import { describeFault } from '../describe-fault.js';
import { createNonceBook, type InFlight, type NonceBook, type TransactionOutcome } from './nonce-book.js';
import { enterKept } from './nonce-upkeep.js';
import { createNonceWatch, type NonceWatch, type NonceWatchPorts } from './nonce-watch.js';
import type { CarriedPayment, RelayerStore } from './relayer-store.js';

/** The transaction that carried an authorization, and its outcome. */
export interface Sent {
  readonly relayed: TransactionOutcome;
  /** The number of its authorizations: one may have burned the gas of the others. */
  readonly items: number;
}

/** The key of this process. */
interface OwnKey {
  readonly address: Hex;
  readonly book: NonceBook;
  add(entry: InFlight): void;
  /** Fills the book from chain and store. */
  restore(): Promise<void>;
}

type KeyPorts = Omit<NonceWatchPorts, 'address' | 'book' | 'onConfirmed' | 'onDisplaced' | 'repairNonces' | 'onReorg'>;

interface FollowerPorts extends KeyPorts {
  readonly store: Pick<RelayerStore, 'findLast' | 'list'>;
  readonly own: OwnKey;
}

/** Follows the kept transaction of a payment that is taken over. */
export function createFollower(ports: FollowerPorts) {
  const { store, own, nowMs, pause, closing } = ports;
  const others = createOtherKeys(ports);

  /**
   * Follows the last kept transaction of a payment, of any key, to its end: the same bytes are sent again. Undefined
   * when none was kept. `unknown` at `notAfterMs`. Never rejects.
   */
  async function follow(payment: CarriedPayment, notAfterMs: number): Promise<Sent | undefined> {
    const over = new AbortController();
    try {
      const kept = await store.findLast(payment);
      if (kept === undefined) return undefined;
      const [{ nonce, carries }] = kept.transactions;
      const isOwn = kept.relayer === own.address;
      if (isOwn) await own.restore();
      const known = isOwn ? own.book.find(nonce) : others.find(kept.relayer, nonce);
      const entry = known ?? enterKept(kept.transactions, nowMs());
      if (!isOwn) others.watch(kept.relayer, entry);
      else if (known === undefined) own.add(entry);
      const patience = pause(notAfterMs - nowMs(), AbortSignal.any([closing, over.signal]));
      const relayed = await Promise.race([entry.relayed, patience.then(() => undefined)]);
      if (relayed === undefined && !isOwn) others.leave(kept.relayer, entry);
      return { relayed: relayed ?? unproven, items: carries.length };
    } catch (error) {
      return { relayed: { outcome: 'unknown', detail: describeFault(error) }, items: 1 };
    } finally {
      over.abort();
    }
  }

  return { follow, ended: others.ended };
}

const unproven: TransactionOutcome = { outcome: 'unknown', detail: 'what was sent before is not mined yet' };

/**
 * Follows transactions of other keys, which this process can resend but not replace. Each key has a watch of its own,
 * which sleeps while nothing is followed.
 */
function createOtherKeys(ports: KeyPorts) {
  const keys = new Map<Hex, { readonly book: NonceBook; readonly watch: NonceWatch }>();

  function open(address: Hex) {
    const book = createNonceBook();
    const watch = createNonceWatch({
      ...ports,
      transmitter: { raise: async () => false, transmit: ports.transmitter.transmit },
      address,
      book,
      onConfirmed: book.conclude,
      onDisplaced: book.displace,
      repairNonces: async () => undefined,
      onReorg: (mined) => book.setMined(mined),
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
