import { setTimeout as delay } from 'node:timers/promises';
import type { TransactionReceipt } from 'viem';
import type { ChainClient } from '../../chain/clients.js';
import type { Relayer, SignedTransaction } from './relayer.js';

const firstPauseMs = 25;
const longestPauseMs = 1_000;
const resendMs = 4_000;

/**
 * The receipt of a transaction, polled with growing pauses until `endMs` (milliseconds since 1970) or until `closing` is
 * aborted; undefined when there is none by then, which says nothing of the transaction. One that does not appear is sent
 * again, byte for byte. Never rejects: a node that does not answer is asked again.
 */
export async function awaitReceipt(
  ports: {
    readonly client: ChainClient;
    readonly relayer: Relayer;
    readonly now: () => Date;
    readonly closing: AbortSignal;
  },
  transaction: SignedTransaction,
  endMs: number,
): Promise<TransactionReceipt | undefined> {
  const { client, relayer, now, closing } = ports;
  let sentMs = now().getTime();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const receipt = await client.getTransactionReceipt({ hash: transaction.hash }).catch(() => undefined);
    const nowMs = now().getTime();
    if (receipt || nowMs >= endMs || closing.aborted) return receipt;
    if (nowMs - sentMs >= resendMs) {
      await relayer.resend(transaction);
      sentMs = nowMs;
    }
    await delay(pauseMs, undefined, { signal: closing }).catch(() => undefined);
  }
}
