import type { Hex } from '../../chain/eip3009.js';
import { describeFault } from '../describe-fault.js';
import { createNonceBook, type InFlight, type NonceBook, type Relayed } from './nonce-book.js';
import { enterKept } from './nonce-upkeep.js';
import { createNonceWatch, type NonceWatch, type NonceWatchPorts } from './nonce-watch.js';
import type { CarriedPayment, RelayerStore } from './relayer-store.js';

/** What became of the transaction that carried an authorization. */
export interface Sent {
  readonly relayed: Relayed;
  /** How many authorizations were in it: others may have used its gas up. */
  readonly items: number;
}

/** What a follower knows of the key of its own process. */
interface OwnKey {
  readonly address: Hex;
  readonly book: NonceBook;
  add(entry: InFlight): void;
  /** Fills the book from chain and store. */
  restore(): Promise<void>;
}

type KeyPorts = Omit<NonceWatchPorts, 'address' | 'book' | 'conclude' | 'displaced' | 'mend' | 'goBack'>;

interface FollowerPorts extends KeyPorts {
  readonly store: Pick<RelayerStore, 'findLast' | 'list'>;
  readonly own: OwnKey;
}

/** Follows what was kept for a payment that is taken over. */
export function createFollower(ports: FollowerPorts) {
  const { store, own, nowMs, pause, closing } = ports;
  const others = createOtherKeys(ports);

  /**
   * Brings to its end what was kept last for a payment, from whichever key: the same bytes are sent again. Undefined
   * when nothing was kept. `unknown` at `notAfterMs`. Never rejects.
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

const unproven: Relayed = { outcome: 'unknown', detail: 'what was sent before is not mined yet' };

/**
 * Follows what other keys have signed, which this process can send again but not replace. Each key has a watch of its
 * own, which sleeps while nothing is followed.
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
      conclude: book.conclude,
      displaced: book.displace,
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
