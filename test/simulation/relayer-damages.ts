import { RpcRequestError, type TransactionReceipt } from 'viem';
import { isReceiptOf } from '../../src/payments/chain/transfer-proof.js';
import { createNonceWatch } from '../../src/payments/settlement/relayer/nonce-watch.js';
import {
  submitTransaction,
  type SubmitAnswer,
  type SubmitPorts,
} from '../../src/payments/settlement/relayer/submit-transaction.js';
import { spread } from './spread.js';
import type { Variant } from './variant.js';

type Submit = typeof submitTransaction;

/** Relayers that read the answers of nodes wrongly, or lose what they have sent. */
export const relayerDamages: readonly Variant[] = [
  {
    name: 'watches nothing any more after a wake with nothing to do',
    openWatch(ports) {
      const dead = new AbortController();
      const watch = createNonceWatch({ ...ports, closing: AbortSignal.any([ports.closing, dead.signal]) });
      return {
        ended: watch.ended,
        wake() {
          if (ports.book.size === 0) dead.abort();
          watch.wake();
        },
      };
    },
  },
  {
    name: 'takes any error of a node for a refusal',
    submit: refusingWhere((error) => error instanceof RpcRequestError),
  },
  {
    name: 'takes code 5 of a node that has the transaction for a refusal',
    submit: refusingWhere((error) => error instanceof RpcRequestError && error.code === 5),
  },
  {
    name: 'takes "nonce too low" for a refusal',
    submit: refusingWhere((error) => error instanceof RpcRequestError && /nonce too low/.test(error.details)),
  },
  {
    name: 'takes a bare hash for a receipt',
    async submit(ports, transaction, sync) {
      let bare: TransactionReceipt | undefined;
      const client = replaceSync(ports, async (...args) => {
        const answer = await ports.client.sendRawTransactionSync(...args);
        const made = { transactionHash: transaction.hash, blockNumber: 0n, status: 'success', logs: [], gasUsed: 0n };
        if (!isReceiptOf(answer, [transaction.hash])) bare = made as unknown as TransactionReceipt;
        return answer;
      });
      const answer = await submitTransaction({ ...ports, client }, transaction, sync);
      return bare === undefined ? answer : { kind: 'mined', receipt: bare };
    },
  },
  {
    name: 'does not look for a failure when it takes a payment over',
    store: (store, { pool }) => ({
      ...store,
      async findLast(payment) {
        const kept = await store.findLast(payment);
        const isFailed = kept?.transactions.some(({ hash }) => pool.find(hash, Infinity)?.isPaid.includes(false));
        return isFailed === true ? undefined : kept;
      },
    }),
  },
  {
    name: 'sends again what has failed on the chain',
    ledger: (ledger) => ({ ...spread(ledger), release: (key, owner, reason) => ledger.release(key, owner, reason) }),
  },
  {
    name: 'keeps what it signs without looking who has the claim',
    store: (store) => ({ ...store, keep: (relayer, transaction) => store.keep(relayer, transaction, []) }),
  },
  {
    name: 'counts what a payer holds without what is in flight',
    ledger: (ledger) => ({ ...spread(ledger), claim: (claim) => ledger.claim({ ...claim, funds: undefined }) }),
  },
  {
    name: 'signs anew while an earlier transaction lives',
    store: (store) => ({ ...store, findLast: async () => undefined }),
  },
];

/** Refuses what a node answers with such an error, by either method. */
function refusingWhere(isRead: (error: unknown) => boolean): Submit {
  return async (ports, transaction, sync) => {
    let refusal: SubmitAnswer | undefined;
    const note = (error: unknown): never => {
      const cause = error instanceof Error && 'walk' in error ? (error as RpcRequestError).walk(isRead) : undefined;
      if (cause instanceof RpcRequestError && cause.code !== -32601)
        refusal = { kind: 'refused', detail: cause.details };
      throw error;
    };
    const { client: real } = ports;
    const client = {
      ...replaceSync(ports, (...args) => real.sendRawTransactionSync(...args).catch(note)),
      sendRawTransaction: (...args: Parameters<typeof real.sendRawTransaction>) =>
        real.sendRawTransaction(...args).catch(note),
    };
    const answer = await submitTransaction({ ...ports, client }, transaction, sync);
    return refusal ?? answer;
  };
}

function replaceSync(
  { client }: SubmitPorts,
  sendRawTransactionSync: SubmitPorts['client']['sendRawTransactionSync'],
): SubmitPorts['client'] {
  return { ...client, sendRawTransactionSync };
}
