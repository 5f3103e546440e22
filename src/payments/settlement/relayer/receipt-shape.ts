import type { TransactionReceipt } from 'viem';
import type { Hex } from '../../chain/eip3009.js';

/**
 * Whether an answer is a receipt of one of these transactions, with block number, status and logs. Nodes and proxies
 * answer with other things, too: a hash, another's receipt, a text. Those prove nothing.
 */
export function isReceiptOf(answer: unknown, hashes: readonly Hex[]): answer is TransactionReceipt {
  const receipt = answer as Partial<TransactionReceipt> | null | undefined;
  if (!receipt || !hashes.some((hash) => hash === receipt.transactionHash)) return false;
  const isMined = typeof receipt.blockNumber === 'bigint' && ['success', 'reverted'].includes(receipt.status ?? '');
  return isMined && Array.isArray(receipt.logs) && receipt.logs.every(isLog);
}

function isLog(log: unknown): boolean {
  const { address, topics, data } = (log ?? {}) as Record<string, unknown>;
  return typeof address === 'string' && typeof data === 'string' && Array.isArray(topics);
}
