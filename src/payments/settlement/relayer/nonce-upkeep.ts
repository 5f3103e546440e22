import type { ChainClient } from '../../chain/clients.js';
import type { Hex } from '../../chain/eip3009.js';
import type { KeptTransaction, RelayerStore } from './relayer-store.js';
import { createInFlight, type InFlight, type NonceBook } from './nonce-book.js';
import { resendOrReplace } from './resend-or-replace.js';
import { nothingFrom, readSignedTransaction, type Transmitter } from './transmitter.js';

export interface NonceUpkeepPorts {
  readonly client: ChainClient;
  readonly store: Pick<RelayerStore, 'list'>;
  readonly address: Hex;
  readonly book: NonceBook;
  readonly transmitter: Transmitter;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  /** Called after each attempt to restore, also after a failed one: its findings are in the book. */
  readonly looked: () => void;
}

export type NonceUpkeep = ReturnType<typeof createNonceUpkeep>;

/**
 * Keeps the book of nonces in agreement with the chain and the store. One call at a time, while no nonce is being
 * taken.
 */
export function createNonceUpkeep(ports: NonceUpkeepPorts) {
  const { client, store, address, book, transmitter } = ports;
  const upkeep = { isRestored: false, restore, repairNonces, onReorg };

  const count = () => client.getTransactionCount({ address, blockTag: 'latest' });

  async function fillGaps(): Promise<void> {
    for (const nonce of book.gaps()) {
      const entry = await transmitter.prepare({ ...nothingFrom(address), claims: [], endsAt: farFuture }, nonce);
      entry.mayBeOut = true;
      book.add(entry);
      await transmitter.transmit(entry);
    }
  }

  function enter(kept: readonly [KeptTransaction, ...KeptTransaction[]]): InFlight[] {
    if (book.find(kept[0].nonce)) return [];
    const entry = enterKept(kept, ports.nowMs());
    book.add(entry);
    return [entry];
  }

  /**
   * The first time, and after the chain has gone back: enters the kept transactions that the chain has not mined, and
   * sends them. An earlier process may have sent them or not, or the chain had mined them. Rejects when chain or store
   * do not answer.
   */
  async function restore(): Promise<void> {
    if (upkeep.isRestored) return;
    await enterAll().finally(ports.looked);
  }

  async function enterAll(): Promise<void> {
    const mined = await count();
    const byNonce = new Map<number, [KeptTransaction, ...KeptTransaction[]]>();
    for (const kept of await store.list(address, mined)) {
      const variants = byNonce.get(kept.nonce);
      if (variants === undefined) byNonce.set(kept.nonce, [kept]);
      else variants.push(kept);
    }
    book.sawMined(mined);
    const entries = [...byNonce.values()].flatMap(enter);
    upkeep.isRestored = true;
    for (const entry of entries) await resendOrReplace(entry, { ...ports, bumpAfterMs: Infinity });
    await fillGaps();
  }

  /** Restores, and fills gaps with transfers of nothing, since a gap blocks every higher nonce. */
  async function repairNonces(): Promise<void> {
    await restore();
    await fillGaps();
  }

  /** The chain has gone back to fewer nonces: its mined transactions must be restored. */
  function onReorg(mined: number): void {
    book.setMined(mined);
    upkeep.isRestored = false;
  }

  return upkeep;
}

const farFuture = new Date(8.64e15);

/** The kept transactions of a nonce as an entry that a node may have. */
export function enterKept(kept: readonly [KeptTransaction, ...KeptTransaction[]], nowMs: number): InFlight {
  const [first] = kept;
  const [lowest = readSignedTransaction(first.raw), ...raised] = kept
    .map(({ raw }) => readSignedTransaction(raw))
    .sort((one, other) => Number(one.fees.maxFeePerGas - other.fees.maxFeePerGas));
  const about = { carries: first.carries, giveUpAtMs: nowMs + first.giveUpInMs };
  const entry = createInFlight([lowest, ...raised], about, nowMs);
  entry.mayBeOut = true;
  return entry;
}
