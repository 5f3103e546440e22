import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { ChainClient } from '../../chain/clients.js';
import type { Hex } from '../../chain/eip3009.js';
import { describeFault } from './describe-fault.js';
import { submitTransaction } from './submit-transaction.js';

/** A signed transaction, to be kept before it is sent: whoever has it can send it again. */
export interface SignedTransaction {
  readonly raw: Hex;
  readonly hash: Hex;
  readonly nonce: number;
}

/** sent: the node has it. doubtful: it may have it. refused: surely nobody has it. */
export type SendOutcome =
  | { readonly outcome: 'sent' | 'doubtful'; readonly transaction: SignedTransaction }
  | { readonly outcome: 'refused'; readonly detail: string };

/** What is to be sent. */
export interface RelayedCall {
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
  /** When its turn comes later than this it is refused: behind a node that does not answer the line grows long. */
  readonly notAfter: Date;
}

/** The one writer of a key. */
export interface Relayer {
  readonly address: Hex;
  /** Signs and sends, one after the other in the order of the calls. `keep` is awaited before anything is sent. Never rejects. */
  send(call: RelayedCall, keep: (transaction: SignedTransaction) => Promise<void>): Promise<SendOutcome>;
  /** Sends the same bytes again, for a transaction that does not appear. Never rejects. */
  resend(transaction: SignedTransaction): Promise<void>;
}

/** A tip of a thousandth of a gwei is usual on Base. */
const tipWei = 1_000_000n;
const feesAgeMs = 2_000;
const attempts = 3;

/**
 * Creates the relayer of a private key. It counts the key's nonces itself, so that payments in flight do not take each
 * other's; when it is in doubt it asks the chain again, so that a transaction that was lost leaves no gap behind.
 * Fees leave room for a doubled base fee. No other program may use the key at the same time.
 */
export function createRelayer(options: {
  readonly client: ChainClient;
  readonly privateKey: Hex;
  readonly chainId: number;
  readonly now: () => Date;
}): Relayer {
  const { client, chainId, now } = options;
  const account = privateKeyToAccount(options.privateKey);
  let nextNonce: number | undefined;
  let fees: { readonly maxFeePerGas: bigint; readonly readAtMs: number } | undefined;
  let lastInLine: Promise<unknown> = Promise.resolve();

  async function readMaxFee(): Promise<bigint> {
    const nowMs = now().getTime();
    if (!fees || nowMs - fees.readAtMs >= feesAgeMs) {
      const { baseFeePerGas } = await client.getBlock({ blockTag: 'latest' });
      fees = { maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + tipWei, readAtMs: nowMs };
    }
    return fees.maxFeePerGas;
  }

  async function sign({ to, data, gas }: RelayedCall): Promise<SignedTransaction> {
    const nonce = nextNonce ?? (await client.getTransactionCount({ address: account.address, blockTag: 'pending' }));
    const maxFeePerGas = await readMaxFee();
    const fields = {
      to,
      data,
      gas,
      nonce,
      chainId,
      maxFeePerGas,
      maxPriorityFeePerGas: tipWei,
      type: 'eip1559',
    } as const;
    const raw = await account.signTransaction(fields);
    return { raw, hash: keccak256(raw), nonce };
  }

  async function sendInTurn(
    call: RelayedCall,
    keep: (transaction: SignedTransaction) => Promise<void>,
  ): Promise<SendOutcome> {
    if (now() > call.notAfter) return { outcome: 'refused', detail: 'Too many payments wait for the chain' };
    let detail = '';
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const transaction = await sign(call);
      await keep(transaction);
      const answer = await submitTransaction(client, transaction.raw);
      nextNonce = answer.kind === 'accepted' ? transaction.nonce + 1 : undefined;
      if (answer.kind === 'accepted') return { outcome: 'sent', transaction };
      if (answer.kind === 'doubtful') return { outcome: 'doubtful', transaction };
      detail = answer.detail;
      if (answer.kind === 'refused') break;
    }
    return { outcome: 'refused', detail };
  }

  return {
    address: account.address,
    send(call, keep) {
      // The seam for batches: here stands the line of what waits to be sent.
      const outcome = lastInLine.then(() =>
        sendInTurn(call, keep).catch((error: unknown): SendOutcome => ({
          outcome: 'refused',
          detail: describeFault(error),
        })),
      );
      lastInLine = outcome;
      return outcome;
    },
    async resend(transaction) {
      await submitTransaction(client, transaction.raw);
    },
  };
}
