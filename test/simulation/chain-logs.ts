import { numberToHex, type Log, type RpcLog, type TransactionReceipt } from 'viem';
import type { Hex } from '../../src/payments/chain/eip3009.js';
import { addressTopic, eventTopics } from '../../src/payments/chain/transfer-proof.js';
import type { ModelChain, Spending } from './model-chain.js';
import { terms } from './purchase.js';

/** The token's logs of a used nonce, as a real token writes them. */
export function logsOf(
  chain: ModelChain,
  { kind, payer, nonce, to, value, transaction, atMs }: Spending,
): Log<bigint, number, false>[] {
  const blockNumber = chain.blockAt(atMs);
  const logOf = (topics: [Hex, ...Hex[]], data: Hex, logIndex: number): Log<bigint, number, false> => ({
    address: terms.network.asset,
    blockHash: numberToHex(blockNumber, { size: 32 }),
    blockNumber,
    transactionHash: transaction,
    transactionIndex: 0,
    logIndex,
    removed: false,
    topics,
    data,
  });
  const party = addressTopic(payer);
  if (kind === 'cancelled') return [logOf([eventTopics.cancelled, party, nonce], '0x', 0)];
  return [
    logOf([eventTopics.used, party, nonce], '0x', 0),
    logOf([eventTopics.transfer, party, addressTopic(to)], numberToHex(value, { size: 32 }), 1),
  ];
}

/** A log in JSON-RPC format. */
export function toRpcLog({ blockTimestamp: _, ...log }: Log<bigint, number, false>): RpcLog {
  return {
    ...log,
    blockNumber: numberToHex(log.blockNumber),
    transactionIndex: numberToHex(log.transactionIndex),
    logIndex: numberToHex(log.logIndex),
  };
}

/** The receipt fields that the payment code reads; undefined while no block has the transaction. */
export function receiptOf(chain: ModelChain, transaction: Hex): TransactionReceipt | undefined {
  const spending = chain.spendings().find((each) => each.transaction === transaction);
  if (spending !== undefined)
    return {
      logs: logsOf(chain, spending),
      blockNumber: chain.blockAt(spending.atMs),
    } as unknown as TransactionReceipt;
  const isReverted = chain.submissions.some((each) => each.transaction === transaction && each.state === 'reverted');
  return isReverted ? ({ logs: [], blockNumber: chain.newestBlock() } as unknown as TransactionReceipt) : undefined;
}
