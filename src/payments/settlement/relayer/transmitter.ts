import { keccak256, parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { lowerHex, type Hex } from '../../chain/eip3009.js';
import type { ClaimedPayment, RelayerStore } from './relayer-store.js';
import type { FeeReader, Fees } from './fee-reader.js';
import { createInFlight, newestOf, type Call, type InFlight, type SignedTransaction } from './nonce-book.js';
import type { RelayerTally } from './relayer-tally.js';
import { submitTransaction, type SubmitAnswer, type SubmitPorts, type SyncSupport } from './submit-transaction.js';

export interface TransmitterPorts extends SubmitPorts {
  readonly signer: TransactionSigner;
  readonly fees: FeeReader;
  readonly store: Pick<RelayerStore, 'keep' | 'forget'>;
  readonly tally: Pick<RelayerTally, 'replaced'>;
  /** The wall clock, by which authorizations expire. */
  readonly now: () => Date;
  /** Hands a transaction to the node. */
  readonly submit?: typeof submitTransaction | undefined;
}

/** The signed transaction may be stored; a later process may send it. */
export class KeptInDoubtError extends Error {}

/** The signed transaction may have been stored for a moment, and is deleted. */
class ForgottenError extends Error {
  constructor(
    readonly transaction: SignedTransaction,
    cause: unknown,
  ) {
    super('The store has failed', { cause });
  }
}

/**
 * A restored copy of the store may still list this transaction. Its payments may be signed again elsewhere, so this
 * entry no longer carries them.
 */
function markForgotten(entry: InFlight): InFlight {
  return Object.assign(entry, { mayBeOut: true, isAsking: false, isDoubtful: true, isForgotten: true, carries: [] });
}

/** A call for the first free nonce, with its claims. */
export interface ClaimedCall extends Call {
  readonly claims: readonly ClaimedPayment[];
  /** When the last of its authorizations expires. */
  readonly endsAt: Date;
}

/** The longest time to charge a buyer, and to block later nonces with a stuck transaction. */
const giveUpAfterMs = 300_000;
/** A slower answer of the store is old: this process, or its connection, stood still. */
const slowKeepMs = 5_000;

/** Signs, keeps and sends: always in this order. */
export type Transmitter = ReturnType<typeof createTransmitter>;

export function createTransmitter(ports: TransmitterPorts) {
  const { signer, fees, store, now, nowMs, submit = submitTransaction } = ports;

  async function signAndKeep(
    call: Call,
    nonce: number,
    offered: Fees,
    { carries, giveUpAtMs }: Pick<InFlight, 'carries' | 'giveUpAtMs'>,
    claims: readonly ClaimedPayment[],
  ): Promise<SignedTransaction> {
    const transaction = await signer.sign(call, nonce, offered);
    const beganMs = nowMs();
    const kept = { ...transaction, carries, giveUpInMs: giveUpAtMs - beganMs };
    const isKept = await store.keep(signer.address, kept, claims).catch(async (error: unknown) => {
      await store.forget(signer.address, transaction).catch((cause: unknown) => {
        throw new KeptInDoubtError('The store is away', { cause });
      });
      throw new ForgottenError(transaction, error);
    });
    if (!isKept) throw new Error('Another process has taken the payment over, or the key');
    // Not sent: meanwhile the database may have lost it, or the payment failed. The next reader of the store decides.
    if (ports.closing.aborted || nowMs() - beganMs > slowKeepMs)
      throw new KeptInDoubtError('The key was given back meanwhile, or the answer of the store is old');
    return transaction;
  }

  return {
    /**
     * Signs for a nonce and keeps it; the entry is forgotten if the store fails. Rejects if it may not be kept;
     * `KeptInDoubtError` if it may be stored nevertheless.
     */
    async prepare({ claims, endsAt, ...call }: ClaimedCall, nonce: number): Promise<InFlight> {
      const carries = claims.map(({ payer, nonce }) => ({ payer, nonce }));
      const about = { carries, giveUpAtMs: nowMs() + Math.min(giveUpAfterMs, endsAt.getTime() - now().getTime()) };
      const offered = await fees.read();
      try {
        return createInFlight([await signAndKeep(call, nonce, offered, about, claims)], about, nowMs());
      } catch (error) {
        if (!(error instanceof ForgottenError)) throw error;
        return markForgotten(createInFlight([error.transaction], about, nowMs()));
      }
    },
    /** Signs and keeps the call once more at the same nonce with higher fees. False when the fee cap forbids it. */
    async raise(entry: InFlight, call: Call): Promise<boolean> {
      const raised = await fees.raise(newestOf(entry).fees);
      if (raised === undefined) return false;
      entry.variants.push(await signAndKeep(call, entry.nonce, raised, entry, []));
      entry.raisedAtMs = nowMs();
      ports.tally.replaced += entry.carries.length;
      return true;
    },
    /** Sends the newest variant unchanged. `sync`: asks the node to answer with the receipt. Never rejects. */
    async transmit(entry: InFlight, sync?: SyncSupport): Promise<SubmitAnswer> {
      entry.isAsking = true;
      entry.sentAtMs = nowMs();
      entry.sent += 1;
      const answer = await submit(ports, newestOf(entry), sync);
      // A transaction that no node has is retracted next: until then it must not be resent.
      entry.isAsking = answer.kind === 'refused' && !entry.mayBeOut;
      entry.isDoubtful = answer.kind === 'doubtful';
      if (answer.kind === 'accepted' || answer.kind === 'doubtful') entry.mayBeOut = true;
      return answer;
    },
    /**
     * Deletes a transaction that surely no node has from the store. False when the store fails. In both cases only a
     * transfer of nothing may take its nonce.
     */
    async retract(entry: InFlight): Promise<boolean> {
      const forgetAll = async () => {
        for (const variant of entry.variants) await store.forget(signer.address, variant);
      };
      const isForgotten = await forgetAll().then(
        () => true,
        () => false,
      );
      markForgotten(entry);
      return isForgotten;
    },
  };
}

/** Signs with one key for one chain. */
export interface TransactionSigner {
  /** In lower case. */
  readonly address: Hex;
  sign(call: Call, nonce: number, fees: Fees): Promise<SignedTransaction>;
}

export function createTransactionSigner(privateKey: Hex, chainId: number): TransactionSigner {
  const account = privateKeyToAccount(privateKey);
  return {
    address: lowerHex(account.address),
    async sign(call, nonce, fees) {
      const raw = await account.signTransaction({ ...call, ...fees, nonce, chainId, type: 'eip1559' });
      return { raw, hash: keccak256(raw), nonce, call, fees };
    },
  };
}

/** Parses kept bytes. Throws if they are not a transaction as this service signs it. */
export function readSignedTransaction(raw: Hex): SignedTransaction {
  const { type, to, data = '0x', gas, nonce = 0, maxFeePerGas, maxPriorityFeePerGas = 0n } = parseTransaction(raw);
  if (type !== 'eip1559' || !to || gas === undefined || maxFeePerGas === undefined)
    throw new Error('The bytes are no transaction of the relayer');
  return { raw, hash: keccak256(raw), nonce, call: { to, data, gas }, fees: { maxFeePerGas, maxPriorityFeePerGas } };
}

/** A transfer of nothing to oneself: uses a nonce at the lowest price. */
export function nothingFrom(address: Hex): Call {
  return { to: address, data: '0x', gas: 21_000n };
}
