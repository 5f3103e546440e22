import type { ChainClient } from '../../chain/clients.js';
import type { Hex } from '../../chain/eip3009.js';
import type { RelayerStore } from './relayer-store.js';
import { createInFlight, type InFlight, type NonceBook, type SignedTransaction } from './nonce-book.js';
import { resendOrReplace } from './resend-or-replace.js';
import { nothingFrom, readSignedTransaction, type Transmitter } from './transmitter.js';

export interface NonceUpkeepPorts {
  readonly client: ChainClient;
  readonly store: Pick<RelayerStore, 'list'>;
  readonly address: Hex;
  readonly book: NonceBook;
  readonly transmitter: Transmitter;
  readonly now: () => Date;
}

/**
 * Keeps the book of nonces in agreement with the chain and the store. One call at a time, while no nonce is being
 * taken.
 */
export function createNonceUpkeep(ports: NonceUpkeepPorts) {
  const { client, store, address, book, transmitter } = ports;
  let isRestored = false;

  const count = (blockTag: 'latest' | 'pending') => client.getTransactionCount({ address, blockTag });

  async function fillGaps(): Promise<void> {
    for (const nonce of book.gaps()) {
      const entry = await transmitter.prepare(nothingFrom(address), nonce);
      book.add(entry);
      await transmitter.transmit(entry);
      if (!entry.mayBeOut && (await transmitter.retract(entry))) book.remove(entry);
    }
  }

  function enter(variants: readonly SignedTransaction[]): InFlight[] {
    const [first, ...others] = [...variants].sort((one, other) =>
      Number(one.fees.maxFeePerGas - other.fees.maxFeePerGas),
    );
    if (!first || book.find(first.nonce)) return [];
    const entry = createInFlight([first, ...others], ports.now().getTime());
    entry.mayBeOut = true;
    book.add(entry);
    return [entry];
  }

  /**
   * The first time, and after the chain has gone back: puts what the store holds and the chain has not mined into the
   * book, and sends it. An earlier process signed it, and may have sent it or not, or the chain had mined it. Rejects
   * when chain or store are away.
   */
  async function restore(): Promise<void> {
    if (isRestored) return;
    const [mined, pending] = await Promise.all([count('latest'), count('pending')]);
    const byNonce = new Map<number, SignedTransaction[]>();
    for (const raw of await store.list(address, mined)) {
      const transaction = readSignedTransaction(raw);
      byNonce.set(transaction.nonce, [...(byNonce.get(transaction.nonce) ?? []), transaction]);
    }
    book.sawMined(mined);
    book.reserve(pending);
    const entries = [...byNonce.values()].flatMap(enter);
    isRestored = true;
    for (const entry of entries) await resendOrReplace(entry, { ...ports, bumpAfterMs: Infinity });
    await fillGaps();
  }

  /** Restores, counts the taken nonces again, and fills gaps with transfers of nothing, which would block the rest. */
  async function mend(): Promise<void> {
    await restore();
    book.reserve(await count('pending'));
    await fillGaps();
  }

  return {
    restore,
    mend,
    /** The chain has gone back to fewer nonces: what it had mined is to be restored. */
    goBack(mined: number) {
      book.setMined(mined);
      isRestored = false;
    },
  };
}
